import Foundation
import TestSupport
import Testing

@Suite("A vault is destroyed")
struct DestroyTests {
    private let program: ClosingProgram

    init() throws {
        program = try ClosingProgram()
        let run = try program.script(
            """
            closer-keys device init --vault a.db --user alice --key-file a.key
            closer-keys device init --vault b.db --user alice --key-file b.key
            closer-keys device init --vault c.db --user alice --key-file b.key
            """)
        try #require(run.exit == 0, "\(run.errors)")
    }

    private func isThere(_ name: String) -> Bool {
        FileManager.default.fileExists(atPath: program.folder.appending(path: name).path())
    }

    @Test(
        "vault, key file and memory are gone, and without --yes nothing is",
        .proves("device destroy removes the vault, its key file and what this machine remembers of it"))
    func destroyed() throws {
        #expect(try program("device destroy --vault a.db").exit == 7)
        #expect(isThere("a.db") && isThere("a.key"))
        let run = try program("device destroy --vault a.db --yes")
        #expect(
            run.exit == 0 && run.text.contains("a.key\nremoved ") && run.text.hasSuffix("a.db\n"),
            "\(run.errors)")
        #expect(!isThere("a.db") && !isThere("a.key"))
        #expect(try !program("device list").text.contains("a.db"))
        #expect(try program("device destroy --vault a.db --yes").exit == 66)
    }

    @Test(
        "a file that is not its key file is left alone, a link is followed, and a vault whose key file is lost goes, too"
    )
    func keyFile() throws {
        let run = try program.script(
            """
            echo precious > thesis.txt; head -c 32 /dev/zero > other.key; chmod 600 other.key; ln -s a.key link.key
            set +e
            closer-keys device destroy --vault a.db --yes --key-file thesis.txt; echo $?
            closer-keys device destroy --vault a.db --yes --key-file other.key; echo $?
            ls a.db a.key thesis.txt other.key > all; echo $?
            closer-keys device destroy --vault a.db --yes --key-file link.key > log; echo $?
            test -e a.key; echo $?
            rm b.key; closer-keys device destroy --vault b.db --yes > log; echo $?
            """)
        #expect(run.text == "3\n3\n0\n0\n1\n0\n", "\(run.errors)")
        #expect(!isThere("b.db") && !isThere("a.db.lock"))
    }

    @Test(
        "of a copy the copy alone is removed, and a link to the vault is none",
        .proves("device destroy of a copy leaves the vault, its key file and what this machine remembers"))
    func copy() throws {
        let run = try program.script(
            """
            cp a.db old.db; closer-keys device policy --vault a.db --require-paired > log
            closer-keys device destroy --vault old.db --yes
            closer-keys device show --vault a.db > shown; test -e a.key
            ln a.db hard.db; ln -s a.db soft.db
            closer-keys device destroy --vault hard.db --yes > log; test -e a.db -a -e a.key
            closer-keys device destroy --vault soft.db --yes > log2; test ! -e a.key; cat log
            """)
        #expect(run.exit == 0, "\(run.errors)")
        #expect(run.text.contains("/old.db\n") && run.text.hasSuffix("/hard.db\n") && !isThere("old.db"))
        #expect(run.errors.contains("a copy: this machine knows the vault at "), "\(run.errors)")
    }

    @Test(
        "the copy of a vault that is away is a copy, and a vault with the name of a lock stays",
        .proves("device destroy of a copy leaves the vault, its key file and what this machine remembers"))
    func away() throws {
        let run = try program.script(
            """
            mkdir disk; closer-keys device init --vault disk/d.db --user d --key-file d.key > log
            cp disk/d.db d.db; mv disk away
            closer-keys device destroy --vault d.db --yes > log
            mv away disk; closer-keys device show --vault disk/d.db > log
            closer-keys device init --vault e.lock --user f --key-file f.key > log
            closer-keys device init --vault e --user e --key-file e.key > log
            closer-keys device destroy --vault e --yes > log
            closer-keys device show --vault e.lock > log
            """)
        #expect(run.exit == 0, "\(run.errors)")
        #expect(!isThere("e") && !isThere("e.key"))
    }

    @Test(
        "a copy that was looked at stays a copy, and so does one whose vault cannot be read",
        .proves("device destroy of a copy leaves the vault, its key file and what this machine remembers"))
    func lookedAt() throws {
        let run = try program.script(
            """
            for vault in a b; do cp $vault.db copy-$vault.db; done
            closer-keys device show --vault copy-a.db > log
            closer-keys device destroy --vault copy-a.db --yes
            closer-keys device show --vault a.db > log; test -e a.key
            printf x | dd of=b.db conv=notrunc 2> log
            closer-keys device destroy --vault copy-b.db --yes
            test -e b.key
            mv a.db moved.db; closer-keys device show --vault moved.db > log; cp moved.db old.db
            closer-keys device policy --vault moved.db --require-paired > log
            closer-keys device destroy --vault moved.db --yes > log; test ! -e a.key
            """)
        #expect(run.exit == 0, "\(run.errors)")
        #expect(run.errors.split(separator: "a copy: this machine").count == 3, "\(run.errors)")
    }

    @Test("a key file that another vault has, too, stays")
    func shared() throws {
        #expect(try program("device destroy --vault b.db --yes").exit == 0)
        #expect(!isThere("b.db") && isThere("b.key"))
        #expect(try program("device show --vault c.db").exit == 0)
        #expect(try program("device destroy --vault c.db --yes").exit == 0)
        #expect(!isThere("b.key"))
    }
}
