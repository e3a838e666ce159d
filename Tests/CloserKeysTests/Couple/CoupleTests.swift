import CloserKeys
import CloserPrimitives
import CloserTink
import CloserWire
import TestSupport
import Testing

private let golden = TestData.golden

@Suite("Recovery phrase and wraps: closer-keys-formats(7), THE COUPLE KEY")
struct CoupleTests {
    private func phrase(_ text: String) throws -> RecoveryPhrase {
        try RecoveryPhrase(typed: SecretBytes(testOnly: Array(text.utf8)))
    }

    private func coupleKey() throws -> CoupleKey {
        let secret = SecretBytes(testOnly: golden.hex("coupleKeyset.binaryHex"))
        return try CoupleKey(InsecureCleartextKeyset.read(binary: secret, .strict))
    }

    private var wrap: KeyWrap {
        KeyWrap(
            wrappedCoupleKey: golden.text("wrap.document.wrappedCoupleKey"),
            kdfSalt: golden.text("wrap.document.kdfSalt"), kdfParams: golden.text("wrap.document.kdfParams"))
    }

    @Test("256 words: 3 to 8 letters of ASCII's lower case, first four apart, two edits apart")
    func words() {
        let words = RecoveryWords.all.map { Array($0.utf8) }
        #expect(words.count == 256)
        #expect(Set(words.map { $0.prefix(4) }).count == 256)
        for (index, word) in words.enumerated() {
            #expect((3...8).contains(word.count) && word.allSatisfy { (0x61...0x7A).contains($0) })
            for other in words[..<index] { #expect(editDistance(word, other) >= 2) }
        }
    }

    @Test("the golden wrap is made again with its salt and IV, and opens")
    func goldenWrap() throws {
        let script = Randomness.testOnlyScript(golden.hex("wrap.kdfSaltHex") + golden.hex("wrap.ivHex"))
        let phrase = try phrase(golden.text("wrap.phrase"))
        let made = try KeyWrap(coupleKey(), under: phrase, from: script)
        #expect(made == wrap)
        let opened = try wrap.unwrap(with: phrase)
        let keyset = InsecureCleartextKeyset.binary(opened.keyset).testOnlyBytes()
        #expect(keyset == golden.hex("coupleKeyset.binaryHex"))
    }

    @Test("the phrase in another spelling opens it, a changed word does not")
    func spellings() throws {
        let text = golden.text("wrap.phrase")
        for other in [
            " " + text.uppercased() + "\n", text.replacing(" ", with: "-"),
            text.replacing(" ", with: "\u{a0} \t"),
        ] {
            #expect(throws: Never.self) { try wrap.unwrap(with: phrase(other)) }
        }
        #expect(throws: UnwrapError.wrongPhrase) { try wrap.unwrap(with: phrase("x" + text)) }
    }

    @Test("a phrase that was wrapped verbatim opens verbatim")
    func verbatim() throws {
        let text = "Alpha  Bravo"
        let cost = try Argon2id(memoryKiB: 46_080, passes: 3, lanes: 1)
        let salt = [UInt8](repeating: 5, count: 16)
        let key = try cost.derive(from: SecretBytes(testOnly: Array(text.utf8)), salt: salt.span)
        let (data, plaintext) = (Array("closer_couple_key".utf8), golden.hex("coupleKeyset.binaryHex"))
        let box = [UInt8](capacity: 200) {
            AESGCM(key: key).seal(plaintext.span, nonceFrom: .system, authenticating: data.span, into: &$0)
        }
        let wrap = KeyWrap(
            wrappedCoupleKey: Base64.url.encode(box), kdfSalt: Base64.standard.encode(salt),
            kdfParams: "argon2id$v=19$m=46080,t=3,p=1")
        #expect(throws: Never.self) { try wrap.unwrap(with: phrase(text)) }
    }

    @Test(
        "costs other than v1's are refused before anything is computed",
        .proves("W15: other costs of Argon2id are refused before anything is computed"),
        arguments: [
            "{\"alg\":\"argon2id\",\"m\":46081,\"p\":1,\"t\":3,\"v\":19}",
            "{\"alg\":\"argon2i\",\"m\":46080,\"p\":1,\"t\":3,\"v\":19}",
            "{\"alg\":\"argon2id\",\"m\":46080,\"p\":1,\"t\":3}",
            "{\"alg\":\"argon2id\",\"m\":46080,\"memory\":46080,\"p\":1,\"t\":3,\"v\":19}",
            "{\"alg\":\"argon2id\",\"m\":4194304,\"p\":1,\"t\":3,\"v\":19}", "argon2id$v=19$m=46080,t=3,p=2",
            "", "{}",
            "{\"alg\":\"argon2id\",\"m\":46080,\"p\":1,\"t\":3,\"v\":19,\"x\":1}",
            // U+212A, the Kelvin sign, which Swift takes for a K.
            "{\"v\":19,\"memory\u{212A}iB\":46080,\"t\":3,\"p\":1,\"alg\":\"argon2id\"}",
            #"{"v":19,"memory\u212AiB":46080,"t":3,"p":1,"alg":"argon2id"}"#,
        ])
    func costs(_ text: String) throws {
        let other = KeyWrap(wrappedCoupleKey: wrap.wrappedCoupleKey, kdfSalt: wrap.kdfSalt, kdfParams: text)
        #expect(throws: UnwrapError.wrongCosts) { try other.unwrap(with: phrase("alpha")) }
    }

    @Test("two wraps are the same if their bytes are, whatever a reader would say")
    func sameWrap() {
        let (kelvin, angstrom) = ("\u{212A}", "\u{212B}")
        for (ours, theirs) in [("K", kelvin), ("\u{C5}", angstrom), ("e\u{301}", "\u{E9}")] {
            #expect(ours == theirs, "Swift takes them for the same")
            for place in 0..<3 {
                var texts = ["a", "b", "c"]
                texts[place] = ours
                let wrap = KeyWrap(wrappedCoupleKey: texts[0], kdfSalt: texts[1], kdfParams: texts[2])
                let same = KeyWrap(wrappedCoupleKey: texts[0], kdfSalt: texts[1], kdfParams: texts[2])
                texts[place] = theirs
                let other = KeyWrap(wrappedCoupleKey: texts[0], kdfSalt: texts[1], kdfParams: texts[2])
                #expect(wrap == same && wrap != other)
            }
        }
    }

    @Test("other spellings of v1's costs")
    func costSpellings() throws {
        for text in [
            "{\"v\":19,\"memory\":46080,\"iterations\":3,\"parallelism\":1,\"alg\":\"argon2id\"}",
            "{\"v\":19,\"memoryKiB\":46080,\"t\":3,\"p\":1,\"alg\":\"argon2id\"}",
        ] {
            let other = KeyWrap(
                wrappedCoupleKey: wrap.wrappedCoupleKey, kdfSalt: wrap.kdfSalt, kdfParams: text)
            #expect(throws: Never.self) { try other.unwrap(with: phrase(golden.text("wrap.phrase"))) }
        }
    }

    @Test("the golden phrase under its code is made again, and opens with that code only")
    func invite() throws {
        let code = try InviteCode(
            parsing: SecretBytes(testOnly: Array(golden.text("phraseUnderCode.code").utf8)))
        let script = Randomness.testOnlyScript(
            golden.hex("phraseUnderCode.saltHex") + golden.hex("phraseUnderCode.ivHex"))
        let made = try InvitedPhrase(phrase(golden.text("phraseUnderCode.phrase")), under: code, from: script)
        #expect(made.text == golden.text("phraseUnderCode.blob"))
        let opened = try made.open(with: code).text.testOnlyBytes()
        #expect(opened == Array(golden.text("phraseUnderCode.phrase").utf8))
        let other = try InviteCode(parsing: SecretBytes(testOnly: Array("7kq2mx".utf8)))
        var error: UnwrapError?
        do { _ = try made.open(with: other) } catch let caught { error = caught }
        #expect(error == .wrongCode)
    }

    @Test("a code that a person typed in lower case is understood, and one of a document is taken as it is")
    func typed() throws {
        let invited = InvitedPhrase(golden.text("phraseUnderCode.blob"))
        func opens(_ code: consuming InviteCode) throws -> Bool {
            do { return try invited.open(with: code).text.count > 0 } catch .wrongCode {
                return false
            }
        }
        func text(_ text: String) -> SecretBytes { SecretBytes(testOnly: Array(text.utf8)) }
        let code = golden.text("phraseUnderCode.code")
        try #require(code.lowercased() != code && code.uppercased() == code)
        for spelling in [
            code, code.lowercased(), " \(code.prefix(3))-\(code.suffix(3))\n",
            "\(code.lowercased().prefix(3))\(code.suffix(3))",
        ] {
            #expect(try opens(InviteCode(typed: text(spelling))), "\(spelling)")
        }
        #expect(try !opens(InviteCode(parsing: text(code.lowercased()))))
        #expect(try !opens(InviteCode(typed: text("zzzzzz"))))
        // A code of another app may have small letters, and then they count.
        let small = try InvitedPhrase(try phrase("alpha"), under: try InviteCode(parsing: text("abcdef")))
        #expect(try small.open(with: InviteCode(typed: text("abcdef"))).text.count > 0)
        do {
            _ = try small.open(with: InviteCode(typed: text("ABCDEF")))
            Issue.record("a capital letter passed for a small one")
        } catch UnwrapError.wrongCode {}
    }

    @Test(
        "codes are six characters of the alphabet, and any six letters or digits are taken",
        .proves("W3: codes are drawn from 32 characters"))
    func codes() throws {
        let alphabet = Set("0123456789ABCDEFGHJKMNPQRSTVWXYZ".utf8)
        var seen: Set<UInt8> = []
        for _ in 0..<200 { seen.formUnion(InviteCode.random().text.testOnlyBytes()) }
        #expect(seen == alphabet)
        // The last ones stand beside the digits and letters in ASCII.
        let strange = "/:@[`{".map { "7KQ2M\($0)" }
        for text in ["", "7KQ2M", "7KQ2MXX", "7KQ2M ", "7KQ2Mé"] + strange {
            var refused = false
            do { _ = try InviteCode(parsing: SecretBytes(testOnly: Array(text.utf8))) } catch {
                refused = true
            }
            #expect(refused)
        }
    }

    @Test("a new phrase has ten words of the list; advice names positions, suggestions a near word")
    func advice() throws {
        let fresh = RecoveryPhrase.random().advice()
        #expect(fresh.isFaultless)
        let scripted = RecoveryPhrase.random(from: .testOnlyScript([0, 1, 2, 3, 4, 5, 6, 7, 8, 255])).text
            .testOnlyBytes()
        let expected = (RecoveryWords.all[..<9] + [RecoveryWords.all[255]]).joined(separator: " ")
        #expect(String(decoding: scripted, as: UTF8.self) == expected)
        let typed = try phrase("Actor-lantrn zzzz")
        let advice = typed.advice()
        #expect((advice.wordCount, advice.unknownWords) == (3, [2, 3]))
        let suggestions = [
            typed.suggestion(forWord: 2), typed.suggestion(forWord: 3), typed.suggestion(forWord: 9),
        ]
        #expect(suggestions == ["lantern", nil, nil])
    }

    @Test(
        "a word one edit away is suggested: replaced, removed, inserted, at either end",
        arguments: [
            ("xctor", "actor"), ("ctor", "actor"), ("aactor", "actor"), ("zebr", "zebra"),
            ("czebra", "zebra"), ("ar", nil),
            ("xxtor", nil), ("c", nil),
        ] as [(String, String?)])
    func suggestions(_ typed: String, _ meant: String?) throws {
        let suggestion = try phrase(typed).suggestion(forWord: 1)
        #expect(suggestion == meant)
    }

    @Test("the wrapping key comes from the golden phrase and salt")
    func wrappingKey() throws {
        let cost = try Argon2id(memoryKiB: 46_080, passes: 3, lanes: 1)
        let phrase = SecretBytes(testOnly: Array(golden.text("wrap.phrase").utf8))
        let key = try cost.derive(from: phrase, salt: golden.hex("wrap.kdfSaltHex").span).testOnlyBytes()
        #expect(key == golden.hex("wrap.wrappingKeyHex"))
    }

    @Test("a wrapped key has letters of one alphabet")
    func alphabets() throws {
        let document = golden.at("wrap.document")
        let key = document.text("wrappedCoupleKey")
        let phrase = try phrase(golden.text("wrap.phrase"))
        func unwrap(_ key: String) throws -> CoupleKey {
            try KeyWrap(
                wrappedCoupleKey: key, kdfSalt: document.text("kdfSalt"),
                kdfParams: document.text("kdfParams")
            ).unwrap(with: phrase)
        }
        let url = key.replacing("+", with: "-").replacing("/", with: "_")
        #expect(url != key && key.contains("+") && key.contains("/"))
        _ = try unwrap(key)
        _ = try unwrap(url)
        #expect(throws: UnwrapError.malformed) { try unwrap(key.replacing("+", with: "-")) }
        // Shorter than a nonce and a tag.
        #expect(throws: UnwrapError.malformed) {
            try unwrap(Base64.standard.encode([UInt8](repeating: 1, count: 27)))
        }
    }

    @Test("the fingerprint comes from the golden subkey")
    func fingerprint() throws {
        let couple = try CoupleID(parsing: golden.text("ids.coupleId"))
        let digits = try coupleKey().fingerprint(couple: couple).replacing(" ", with: "")
        #expect(digits == golden.text("subkeysHex.fingerprint").prefix(20))
    }

    private func editDistance(_ ours: [UInt8], _ theirs: [UInt8]) -> Int {
        var row = Array(0...theirs.count)
        for (i, letter) in ours.enumerated() {
            var diagonal = row[0]
            row[0] = i + 1
            for (j, other) in theirs.enumerated() {
                let changed = diagonal + (letter == other ? 0 : 1)
                diagonal = row[j + 1]
                row[j + 1] = min(row[j] + 1, row[j + 1] + 1, changed)
            }
        }
        return row[theirs.count]
    }
}
