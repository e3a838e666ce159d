import Foundation
import TestSupport
import Testing

@Suite("A vault that is unlocked for a while", .enabled(if: UnlockScene.isPossible))
struct UnlockCommandTests {
    private let scene: UnlockScene
    private let unlock = UnlockScene.unlock
    private let ask = UnlockScene.ask

    init() throws { scene = try UnlockScene() }

    @Test(
        "commands need no passphrase until it is locked again",
        .proves("An unlock is for one login, and ends with its time"))
    func unlocked() throws {
        let printed = try scene.prints(
            """
            \(ask)
            \(unlock) --for 2m
            \(ask)
            closer-keys device show --vault v.db --no-input --json | jq .unlocked
            closer-keys couple create --vault v.db --no-input --couple c --phrase-file p -o i; echo $?
            closer-keys device lock
            \(ask)
            closer-keys device lock
            closer-keys device show --vault v.db --passphrase-file pass --json | jq .unlocked
            """)
        #expect(printed == "7\nunlocked for 2m\n0\ntrue\n0\nlocked 1 vault\n7\nno vault was unlocked\nnull\n")
    }

    @Test(
        "an unlock is for its login, and ends with its time",
        .proves("An unlock is for one login, and ends with its time"))
    func reach() throws {
        let other = "python3 -c 'from keys import *; enter_login(); shell(\"sh other.sh\")'"
        try scene.program.write(Data("\(ask)\n".utf8), to: "other.sh")
        #expect(
            try scene.prints(
                "\(unlock) --for 3s > o; \(other); \(ask); sleep 4; \(ask); closer-keys device lock")
                == "7\n0\n7\nno vault was unlocked\n")
    }

    @Test("to unlock, to export and to change the key slot want the passphrase, and a new key slot locks")
    func newSlot() throws {
        let printed = try scene.prints(
            """
            \(unlock) > o
            for verb in unlock 'export --export-passphrase-file new -o e' 'passphrase --new-passphrase-file new'; do
                closer-keys device $verb --vault v.db --no-input; echo $?
            done
            \(ask)
            closer-keys device passphrase --vault v.db --passphrase-file pass --new-passphrase-file new > o
            \(ask)
            """)
        #expect(printed == "7\n7\n7\n0\n7\n")
    }

    @Test("so does one that was made on another machine")
    func otherMachine() throws {
        let slot =
            "XDG_STATE_HOME=$PWD/elsewhere closer-keys device passphrase --vault v.db --passphrase-file pass --new-passphrase-file new"
        #expect(try scene.prints("\(unlock) > o; \(slot) > o; \(ask)") == "7\n")
    }

    @Test("an older copy is not unlocked")
    func copy() throws {
        let printed = try scene.prints(
            """
            cp v.db copy.db; closer-keys device policy --vault v.db --passphrase-file pass --require-paired > o
            closer-keys device unlock --vault copy.db --passphrase-file pass; echo $?
            closer-keys device lock
            """)
        #expect(printed == "8\nno vault was unlocked\n")
    }

    @Test("a passphrase that is given is tried, though the vault is unlocked")
    func given() throws {
        let list = "closer-keys couple status --vault v.db --passphrase-file new; echo $?"
        #expect(try scene.prints("\(unlock) > o; \(list)") == "3\n")
    }

    @Test("a key of one vault opens no other one")
    func otherVault() throws {
        let printed = try scene.prints(
            """
            closer-keys device init --vault w.db --user bob --passphrase-file pass > o
            \(unlock) > o
            other=$(closer-keys device list | grep -F /w.db | cut -d ' ' -f 1)
            python3 -c "from keys import *; put(b'closer-keys:$other', read(find(NAME, login())), login())"
            closer-keys couple status --vault w.db --no-input; echo $?
            """)
        #expect(printed == "7\n")
    }

    @Test(
        "a time is a number with its unit, a day at the most",
        arguments: ["0s", "15", "25h", "1441m", "86401s", "-1m", "+1m", "1d", ""])
    func times(_ time: String) throws {
        let run = try scene.program.run(
            ["device", "unlock", "--vault", "v.db", "--for=\(time)"], input: Data())
        #expect(run.exit == 64)
    }

    @Test("a vault with a key file needs none of it")
    func keyFile() throws {
        let run = try scene.login(
            "closer-keys device init --vault k.db --user bob --key-file k.key > o; closer-keys device unlock --vault k.db"
        )
        #expect(run.errors.contains("a key file protects this vault"), "\(run.errors)")
    }

    /// From 60 seconds on the kernel tells whole minutes only.
    @Test("its time cannot be prolonged, its key not written over, and its rights not changed")
    func rights() throws {
        try scene.program.write(
            Data(
                """
                from keys import *
                key = find(NAME, login())
                print(40 <= seconds(login()) <= 59)
                for change in (lambda: call(250, 15, key, 0), lambda: put(NAME, b"x" * 32, login()), lambda: call(250, 5, key, 0x3F3F0000),
                               lambda: call(250, 2, key, b"x" * 32, 32)):
                    try:
                        change()
                        print("done")
                    except AssertionError as error:
                        print(error)
                """.utf8), to: "change.py")
        let printed = try scene.prints("\(unlock) --for 59s > o; python3 change.py; \(ask)")
        #expect(printed == "True\n" + String(repeating: "Permission denied\n", count: 4) + "0\n")
    }

    @Test("a key of another kind in the keyring opens nothing, and hinders nothing", arguments: [31, 32, 33])
    func planted(_ count: Int) throws {
        let printed = try scene.prints(
            """
            python3 -c 'from keys import *; put(NAME, b"x" * \(count), login())'
            \(ask)
            \(unlock) > o; \(ask)
            """)
        #expect(printed == "7\n0\n")
    }

    @Test("where the system keeps no keys, the commands say so and change nothing", arguments: [248, 250])
    func noKeyring(_ call: Int) throws {
        let denied = "python3 -c 'from keys import *; deny(\(call), 1); shell(\"sh denied.sh\")'"
        try scene.program.write(Data("\(unlock); echo $?; \(ask)\n".utf8), to: "denied.sh")
        let run = try scene.login(denied)
        #expect(run.text == "74\n7\n" && run.errors.contains("operation not permitted"), "\(run.errors)")
    }

    @Test(
        "a key that device unlock kept opens nothing more, also before the former key slot",
        .proves(
            "After `device passphrase --new-vault-key`, an older copy opens nothing that is written later"))
    func newVaultKey() throws {
        let graft = Script.folder.appending(path: "Scenes/graft.py").path()
        let printed = try scene.prints(
            """
            cp v.db former.db; \(unlock) > o
            python3 -c 'from keys import *; open("kept", "wb").write(read(find(NAME, login())))'
            closer-keys device passphrase --vault v.db --passphrase-file pass --new-passphrase-file new --new-vault-key > o
            \(ask)
            python3 -c 'from keys import *; put(NAME, open("kept", "rb").read(), login())'
            \(ask)
            python3 '\(graft)' former.db v.db x.db; mv x.db v.db
            \(ask)
            """)
        #expect(printed == "7\n7\n5\n")
    }
}
