import Foundation
import Testing

extension UnlockTests {
    @Suite("A vault that is unlocked for a while")
    struct UnlockCommandTests {
        private let scene: UnlockScene
        private let unlock = UnlockScene.unlock
        private let ask = UnlockScene.ask

        init() throws { scene = try UnlockScene() }

        @Test("commands need no passphrase until it is locked again")
        func unlocked() throws {
            let printed = try scene.prints(
                """
                \(ask)
                \(unlock) --for 2m
                \(ask)
                closer-keys device show --vault v.db --no-input | grep unlocked
                closer-keys couple create --vault v.db --no-input --couple c --phrase-file p -o i; echo $?
                closer-keys device lock
                \(ask)
                closer-keys device lock
                closer-keys device show --vault v.db --passphrase-file pass | grep -c unlocked
                """)
            #expect(
                printed
                    == "7\nunlocked for 2m, for this login\n0\nunlocked: login\n0\nlocked 1 vault\n7\nno vault was unlocked\n0\n"
            )
        }

        @Test(
            "an unlock is for its login, or with --for-user for all logins of the user, and one of them locks it"
        )
        func reach() throws {
            let other = "python3 -c 'from keys import *; enter_login(); shell(\"sh other.sh\")'"
            try scene.program.write(Data("\(ask)\n".utf8), to: "other.sh")
            #expect(try scene.prints("\(unlock) -o o; \(other); \(ask)") == "7\n0\n")
            try scene.program.write(
                Data("\(ask)\ncloser-keys device lock > o --force\n".utf8), to: "other.sh")
            let shown = "closer-keys device show --vault v.db --no-input | grep unlocked"
            #expect(
                try scene.prints("\(unlock) --for-user --json > o; \(shown); \(other); \(ask)")
                    == "unlocked: user\n0\n7\n")
        }

        @Test("to unlock, to export and to change the lock want the passphrase, and a new lock locks")
        func anew() throws {
            let printed = try scene.prints(
                """
                \(unlock) > o
                for verb in unlock 'export --export-passphrase-file new -o e' 'passphrase --new-passphrase-file new'; do
                    closer-keys device $verb --vault v.db --no-input; echo $?
                done
                \(ask)
                closer-keys device passphrase --vault v.db --passphrase-file pass --new-passphrase-file new > o
                \(ask)
                closer-keys device lock
                """)
            #expect(printed == "7\n7\n7\n0\n7\nno vault was unlocked\n")
        }

        @Test("a copy is not unlocked, and the vault's own unlock stays")
        func copy() throws {
            let printed = try scene.prints(
                """
                cp v.db copy.db
                \(unlock) > o
                closer-keys device unlock --vault copy.db --passphrase-file pass --accept-older; echo $?
                \(ask)
                closer-keys device lock
                closer-keys device unlock --vault copy.db --passphrase-file pass --accept-older; echo $?
                \(ask)
                """)
            #expect(printed == "74\n0\nlocked 1 vault\n74\n7\n")
        }

        @Test("a passphrase that is given is tried, though the vault is unlocked")
        func given() throws {
            let list = "closer-keys couple list --vault v.db --passphrase-file new; echo $?"
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
                closer-keys couple list --vault w.db --no-input; echo $?
                """)
            #expect(printed == "7\n")
        }

        @Test(
            "what fails unlocks nothing, and locks what was unlocked",
            arguments: ["> /dev/full", "-o none/there"])
        func failing(_ output: String) throws {
            let isFull = output.hasPrefix(">")
            #expect(
                try scene.prints("\(unlock) \(output); echo $?; \(ask)") == (isFull ? "74\n7\n" : "73\n7\n"))
            let again = try scene.prints("\(unlock) > o; \(unlock) \(output); echo $?; \(ask)")
            // What cannot be written at all is refused before anything is done.
            #expect(again == (isFull ? "74\n7\n" : "73\n0\n"))
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
            #expect(run.errors.contains("is locked with a key file"), "\(run.errors)")
        }
    }
}
