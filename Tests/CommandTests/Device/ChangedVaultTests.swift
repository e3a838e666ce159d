import Foundation
import TestSupport
import Testing

/// The first sentence of the vault's threat model (docs/vault.md): every 41st byte, by the program.
@Suite("A vault of which one byte was changed")
struct ChangedVaultTests {
    private static let step = 41
    private let scene: CoupleScene
    private let vault: [UInt8]

    /// Two couples, a partner and two answers.
    init() async throws {
        scene = try await CoupleScene()
        try scene.lines(
            """
            closer-keys couple create --vault a.db --couple couple_2 --phrase-file p2.txt -o invite2.json
            echo '{"answer":"hunter2"}' | closer-keys answer seal --vault a.db --couple couple_2 --question q_1 $D -o second.json
            """)
        vault = [UInt8](try scene.program.content("a.db"))
    }

    /// Where the file's parts end: its mark, and the key slot of three parts, each behind its length in four bytes.
    private var ends: (mark: Int, slot: Int) {
        let mark = "closer-keys/vault/2\n".utf8.count
        var slot = mark
        for _ in 0..<3 { slot += 4 + vault[slot..<slot + 4].reduce(0) { $0 << 8 | Int($1) } }
        return (mark, slot)
    }

    private func exits(at offset: Int) -> Set<Int> {
        (ends.mark..<ends.slot).contains(offset) ? [3, 5, 8] : [5]
    }

    @Test(
        "is refused by each command that reads it, and nothing of it is printed or remembered",
        .proves(
            "V1: without its key a vault shows its id, its protection and its size, and a changed vault does not open"
        ),
        arguments: [
            "couple status", "couple show --couple couple_1", "field seal --couple couple_1", "device show",
        ])
    func refused(_ command: String) throws {
        let offsets = Array(stride(from: 0, to: vault.count, by: Self.step))
        #expect(offsets.count > 60 && (ends.mark..<ends.slot).contains(offsets[1]) && ends.slot < 200)
        for offset in offsets {
            var changed = vault
            changed[offset] ^= 1
            try scene.program.write(Data(changed), to: "changed-\(offset)")
        }
        let lines = try scene.lines(
            """
            cp a.db whole; cat .local/state/closer-keys/*.json | cksum > before
            for name in whole changed-*; do
                cp $name a.db; status=0
                closer-keys \(command) --vault a.db <<< text > out 2> errors || status=$?
                echo "$name $status $(wc -c < out) $(grep -c '^closer-keys: error: ' errors || true)"
            done
            cat .local/state/closer-keys/*.json | cksum | cmp - before
            """
        ).map { $0.split(separator: " ") }
        #expect(lines.count == offsets.count + 1)
        for line in lines {
            let numbers = line.dropFirst().compactMap { Int($0) }
            try #require(numbers.count == 3)
            guard line[0] != "whole" else {
                #expect(numbers[0] == 0 && numbers[1] > 0 && numbers[2] == 0)
                continue
            }
            let offset = try #require(Int(line[0].dropFirst("changed-".count)))
            #expect(exits(at: offset).contains(numbers[0]), "byte \(offset): exit \(numbers[0])")
            #expect(numbers.dropFirst() == [0, 1], "byte \(offset): \(line)")
        }
    }
}
