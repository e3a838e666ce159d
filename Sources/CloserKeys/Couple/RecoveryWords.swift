package import CloserPrimitives
internal import CloserWire

/// The 256 words of which a new recovery phrase is made, 8 bits each.
///
/// Each has 5 to 7 letters of lower-case ASCII. The first four letters tell a word from all others, and any two are at
/// least two edits apart, so that one slip of the hand makes no other word.
///
/// - Important: The list only gives advice while a phrase is typed. No reader may refuse a phrase because of its words:
///   the key is derived from the text, and another client may use other words.
package enum RecoveryWords {
    /// The words in alphabetical order. No format depends on the order.
    package static let all: [String] = """
        actor almond amber anchor apron arrow artist atlas attic avenue badge baker balcony banana
        banjo barrel basket beacon beaver bench bicycle blanket branch bread brick broom brush bucket
        butter cabin camera candle canoe canvas carpet carrot castle cedar cello chair chalk cheese
        cherry chess chimney citrus cliff clock cloud clover cocoa coffee comet compass copper coral
        cotton cradle crane crayon cricket crown curtain dance desert dolphin donkey dragon dream eagle
        earth easel elbow emerald evening fabric falcon feather fence ferry fiddle field finger flame
        flower flute forest frost fruit galaxy garlic gecko glove golden goose grass gravel green
        guitar hazel heart hedge helmet honey horizon house humming husky igloo indigo insect island
        ivory jacket jaguar jasmine jelly jewel jigsaw journal juice jungle juniper kayak kitchen koala
        lagoon lantern letter lilac linen lizard llama lobster lotus lunch magnet mango maple marble
        market meadow melody mirror morning motor museum music needle night noodle nutmeg oasis ocean
        olive onion orange orbit orchard origami otter oyster painter palace panda parade peach peanut
        pearl pebble pencil pepper piano picnic pilot planet plaza polar poppy potato puddle puffin
        pumpkin puppet puzzle quartz quilt rabbit radio raven river rocket rowing saddle salad sandal
        scarf school sheep shell silver sister skate spinach spiral spoon spring spruce square statue
        stone story straw street summer sweater swing table teapot tennis thimble thunder ticket tiger
        timber toast tomato torch tower trail trumpet tunnel turtle unicorn valley vanilla velvet
        village violet volcano voyage waffle wagon walnut walrus water wheat wheel whistle willow
        window winter yellow zebra zephyr zigzag
        """.split { $0 == " " || $0 == "\n" }.map(String.init)

    /// The first letter of each word, then the second of each, as far as the seventh; 0 where a word has ended.
    private static let columns: [[UInt8]] = (0..<7).map { column in
        all.map { Array($0.utf8).dropFirst(column).first ?? 0 }
    }

    /// The words for secret numbers, joined by single spaces. The whole list is read for each, so that no index tells which it is.
    package static func joined(_ indices: Span<UInt8>) -> ConstantTimeFilter {
        let places = columns.count + 1
        let block = SecretBytes(shortLived: indices.count * places) { output in
            for index in indices.indices {
                output.append(index > 0 ? UInt8(ascii: " ") : 0)
                for column in columns {
                    output.append(ConstantTime.element(at: indices[index], of: column.span))
                }
            }
        }
        return block.withBytes { block in
            ConstantTimeFilter(of: block, room: block.count) { ~ConstantTime.mask(block[$0], is: 0) }
        }
    }

    /// Whether `word` is one of ours. It is part of a phrase, so it is compared where it lies, with all of them; its length shows.
    package static func contains(_ word: Span<UInt8>) -> Bool {
        guard word.count <= columns.count else { return false }
        var isOne: UInt8 = 0
        for entry in all.indices {
            var isSame: UInt8 = 0xFF
            for (place, column) in columns.enumerated() {
                isSame &= ConstantTime.mask(place < word.count ? word[place] : 0, is: column[entry])
            }
            isOne |= isSame
        }
        let hasNUL = word.indices.reduce(UInt8(0)) { $0 | ConstantTime.mask(word[$1], is: 0) }
        return isOne & ~hasNUL != 0
    }

    /// The word that `word` was probably meant to be: the one with the same first four letters, or the only one that is
    /// one edit away.
    static func suggestion(for word: Span<UInt8>) -> String? {
        if let byPrefix = all.first(where: { sameCount($0, word) >= 4 }) { return byPrefix }
        let near = all.filter { isOneEdit($0, word) }
        return near.count == 1 ? near[0] : nil
    }

    /// Whether one letter inserted, removed or replaced makes one of the other.
    private static func isOneEdit(_ ours: String, _ theirs: Span<UInt8>) -> Bool {
        let longer = theirs.count - ours.utf8.count
        guard abs(longer) <= 1 else { return false }
        let same = sameCount(ours, theirs)
        let ourRest = ours.utf8.dropFirst(longer == 1 ? same : same + 1)
        let theirRest = theirs.extracting(droppingFirst: min(theirs.count, longer == -1 ? same : same + 1))
        return ourRest.count == theirRest.count && zip(0..., ourRest).allSatisfy { theirRest[$0] == $1 }
    }

    /// How many letters both begin with.
    private static func sameCount(_ ours: String, _ theirs: Span<UInt8>) -> Int {
        zip(theirs.indices, ours.utf8).prefix { theirs[$0] == $1 }.count
    }
}
