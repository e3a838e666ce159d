import Foundation
import Testing

/// closer-keys-phrase(1), FORMAT.
@Suite("A recovery phrase from paper")
struct PaperPhraseTests {
    private let scene: CoupleScene

    init() throws { scene = try CoupleScene() }

    private static let spellings = [
        ("numbered", #"tr ' ' '\n' < p.txt | awk '{print NR ". " $0}'"#),
        ("numbered with brackets, in upper case", #"tr ' a-z' '\nA-Z' < p.txt | awk '{print NR ") " $0}'"#),
        (
            "in two columns, as the program shows it",
            #"tr ' ' '\n' < p.txt | paste - - - - - | jq -Rr 'split("\t")' | jq -rs 'transpose | to_entries[] | "  \(.key + 1) \(.value[0])      \(.key + 6) \(.value[1])"'"#
        ),
        ("with commas and a full stop", #"sed 's/ /, /g; s/$/./' p.txt"#),
        ("with dashes and wide spaces", #"sed 's/ / – /; s/ / — /3; s/$/　/' p.txt"#),
        ("in quotation marks, behind a byte order mark", #"printf '\357\273\277“%s”\n' "$(cat p.txt)""#),
    ]

    @Test("it opens the couple's document, however it is written", arguments: spellings)
    func recover(_ name: String, _ write: String) throws {
        let run = try scene.run(
            """
            \(write) > paper.txt
            closer-keys phrase check --phrase-file paper.txt
            closer-keys inspect paper.txt --json | jq -r .kind
            closer-keys couple recover --couple couple_1 --rehearse --phrase-file paper.txt couple.json > opened
            closer-keys couple recover --couple couple_1 --rehearse --phrase-file p.txt couple.json | diff - opened
            """)
        #expect(
            (run.exit, run.text) == (0, "this looks like a recovery phrase\nrecovery phrase\n"),
            "\(run.errors)")
    }

    @Test("one of other words is read byte for byte, and a phrase that does not open is to be checked")
    func others() throws {
        let run = try scene.run(
            """
            echo 'Alpha, bravo, charlie.' > other.txt
            closer-keys couple recover --couple couple_1 --rehearse --phrase-file other.txt couple.json || echo $?
            closer-keys phrase check --phrase-file other.txt || echo $?
            """)
        #expect(run.text == "3\n1\n")
        let hint = "hint: closer-keys phrase check looks at the words: words 1, 2, 3 are not in the list\n"
        #expect(run.errors.contains(hint), "\(run.errors)")
        #expect(run.errors.contains("this recovery phrase has 3 words, expected 10\n"), "\(run.errors)")
    }

    @Test("one with a word too few is told by its number of words")
    func nine() throws {
        let run = try scene.run(
            """
            tr ' ' '\\n' < p.txt | head -n 9 | awk '{print NR ". " $0}' > nine.txt
            closer-keys couple recover --couple couple_1 --rehearse --phrase-file nine.txt couple.json || echo $?
            """)
        #expect(run.text == "3\n")
        let error = "error: it does not open, and this recovery phrase has 9 words, expected 10\n"
        #expect(run.errors.contains(error), "\(run.errors)")
    }
}
