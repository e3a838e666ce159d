import Foundation
import TestSupport
import Testing

/// Each vault is `v.db`, whose former state is `former.db`, or `a.db` and `older.db` with key files.
@Suite("device passphrase --new-vault-key")
struct NewVaultKeyCommandTests {
    private let program: ClosingProgram

    init() throws {
        program = try ClosingProgram()
        let run = try program.script(
            """
            umask 077; echo a passphrase of before > old; echo a passphrase of later > new
            closer-keys device init --vault v.db --user alice --passphrase-file old
            closer-keys device init --vault a.db --user alice --key-file a.key; cp a.db older.db
            cp v.db former.db
            """)
        try #require(run.exit == 0, "\(run.errors)")
    }

    /// The key slot of one file in front of the rest of another: LP(id, protection, box) behind a mark of 20 bytes.
    static let graft = """
        import struct, sys
        def split(path):
            data, at = open(path, "rb").read(), 20
            for _ in range(3):
                at += 4 + struct.unpack(">I", data[at:at + 4])[0]
            return data[:at], data[at:]
        open(sys.argv[3], "wb").write(split(sys.argv[1])[0] + split(sys.argv[2])[1])
        """

    private let change =
        "closer-keys device passphrase --vault v.db --passphrase-file old --new-passphrase-file new"

    @Test("the former key slot does not open the newer file, though its passphrase is right")
    func graft() throws {
        try program.write(Data(Self.graft.utf8), to: "graft.py")
        let run = try program.script(
            """
            set +e; \(change) --new-vault-key
            closer-keys couple list --vault v.db --passphrase-file new; echo $?
            closer-keys couple list --vault v.db --passphrase-file old; echo $?
            python3 graft.py former.db v.db x.db; mv x.db v.db
            closer-keys couple list --vault v.db --passphrase-file old; echo $?
            cp former.db v.db
            closer-keys couple list --vault v.db --passphrase-file old; echo $?
            """)
        #expect(
            run.text == "a new passphrase protects the vault, under a new vault key\n0\n3\n5\n8\n",
            "\(run.errors)")
    }

    @Test("a key file takes the place of another one, and says so with --json")
    func keyFile() throws {
        let run = try program.script(
            """
            set +e; closer-keys device passphrase --vault a.db --new-key-file b.key --new-vault-key --json
            closer-keys device show --vault a.db --json | jq -r .changes
            closer-keys couple list --vault a.db --key-file a.key; echo $?
            """)
        #expect(run.text == "{\"protection\":\"keyFile\",\"newVaultKey\":true}\n2\n3\n", "\(run.errors)")
    }

    @Test("an older copy is not accepted while the vault is where it was, under the new key")
    func acceptOlder() throws {
        let run = try program.script(
            """
            closer-keys device passphrase --vault a.db --new-key-file b.key --new-vault-key > told
            closer-keys device accept-older --vault older.db --key-file a.key || echo $?
            closer-keys device show --vault a.db --json | jq -r .changes
            """)
        #expect(run.text == "7\n2\n", "\(run.errors)")
        #expect(run.errors.contains("--yes"), "\(run.errors)")
    }

    @Test("a batch that runs ends once another command has drawn a key")
    func batch() throws {
        let run = try program.script(
            """
            set +e; closer-keys couple create --vault a.db --couple c --phrase-file p -o i
            mkfifo in; closer-keys field seal --vault a.db --couple c --jsonl < in > out & exec 7> in
            echo '{"plaintext":"one"}' >&7; until [ -s out ]; do sleep 0.05; done
            closer-keys device passphrase --vault a.db --new-key-file b.key --new-vault-key
            echo '{"plaintext":"two"}' >&7; exec 7>&-; wait $!; echo $?; wc -l < out
            """)
        #expect(
            run.text == "a new key file protects the vault, under a new vault key\n3\n1\n", "\(run.errors)")
    }

    @Test(
        "a key that device unlock kept opens nothing more, also before the former key slot",
        .proves(
            "After `device passphrase --new-vault-key`, an older copy opens nothing that is written later"),
        .enabled(if: UnlockScene.isPossible))
    func unlocked() throws {
        let scene = try UnlockScene()
        try scene.program.write(Data(Self.graft.utf8), to: "graft.py")
        let printed = try scene.prints(
            """
            cp v.db former.db; \(UnlockScene.unlock) > o
            python3 -c 'from keys import *; open("kept", "wb").write(read(find(NAME, login())))'
            closer-keys device passphrase --vault v.db --passphrase-file pass --new-passphrase-file new --new-vault-key > o
            \(UnlockScene.ask)
            python3 -c 'from keys import *; put(NAME, open("kept", "rb").read(), login())'
            \(UnlockScene.ask)
            python3 graft.py former.db v.db x.db; mv x.db v.db
            \(UnlockScene.ask)
            """)
        #expect(printed == "7\n7\n5\n")
    }
}
