import Foundation
import Testing

/// What `device` says when it makes no vault, and what it leaves behind then: nothing.
@Suite("A vault that is not made")
struct DeviceMessageTests {
    private static let first = Result { try prepare() }
    private let scene: CoupleScene

    init() throws { scene = try CoupleScene(copying: Self.first.get()) }

    private static func prepare() throws -> CoupleScene {
        let scene = try CoupleScene()
        try scene.lines(
            """
            umask 077; echo the right words > right; echo the wrong words > wrong
            closer-keys device export --vault a.db --export-passphrase-file right -o a.export
            head -c 100 a.export > head; head -c -1 a.export > tail; cat a.export right > long
            """)
        return scene
    }

    @Test(
        "an import says whether the passphrase or the file is wrong, where that can be told",
        arguments: [
            ("wrong", "a.export", 3, "the export does not open: another passphrase, or a changed byte"),
            ("right", "tail", 5, "the passphrase is right, but the export is cut or was changed"),
            ("right", "long", 5, "the passphrase is right, but the export is cut or was changed"),
            ("right", "head", 5, "this export is cut or was changed"),
            ("right", "a.db", 5, "a key file protects this vault, so it is no export"),
            ("right", "couple.json", 5, "this is a couple's document, not a vault or export"),
            ("right", "wrong", 5, "this is not an export of a vault"),
        ])
    func exports(_ passphrase: String, _ file: String, _ exit: Int32, _ message: String) throws {
        let before = try scene.program.files()
        let run = try scene.program(
            "device import --vault n.db --key-file n.key --export-passphrase-file \(passphrase) \(file)")
        #expect(run.exit == exit)
        #expect(run.errors.hasPrefix("closer-keys: error: \(message)\ncloser-keys: hint: "), "\(run.errors)")
        #expect(try scene.program.files() == before)
    }

    @Test(
        "an older file of a vault that this machine knows is no export",
        arguments: ["check", "import --vault n.db --key-file n.key"])
    func olderVault(_ command: String) throws {
        try scene.lines(
            """
            closer-keys device init --vault p.db --user pat --passphrase-file right; cp p.db backup
            closer-keys device policy --vault p.db --passphrase-file right --require-paired
            """)
        let run = try scene.program("device \(command) backup --export-passphrase-file right")
        #expect(run.exit == 5 && run.errors.contains("a vault that this machine knows"), "\(run.errors)")
        #expect(try !scene.program.files().contains { $0.hasPrefix("n.") })
    }

    @Test("without a terminal, the hint for a new vault names the key file first")
    func noTerminal() throws {
        let run = try scene.program("device init --vault n.db --user u --no-input")
        #expect(
            run.exit == 7 && run.errors.contains("hint: use --key-file or --passphrase-file"), "\(run.errors)"
        )
    }

    @Test("a key file that was there before a vault is locked with it is told, and one that is made is not")
    func presentKeyFile() throws {
        try scene.lines("(umask 077; head -c 32 /dev/urandom | tee k1 > k2)")
        for command in [
            "init --vault n.db --user ned --key-file k1", "passphrase --vault a.db --new-key-file k2",
        ] {
            let run = try scene.program("device \(command)")
            #expect(run.exit == 0 && run.errors.contains("was there before"), "\(run.errors)")
        }
        let made = try scene.program("device init --vault o.db --user otto --key-file k3")
        #expect(made.exit == 0 && !made.errors.contains("was there before"), "\(made.errors)")
    }

    @Test(
        "no key file is made for nothing, and one that was there stays",
        arguments: [
            ("device init --user x --vault a.db", 7),
            ("device init --user x --vault couple.json", 5),
            ("device init --user x --vault no/folder.db", 73),
            ("device import --vault n.db --export-passphrase-file wrong a.export", 3),
        ])
    func keyFiles(_ arguments: String, _ exit: Int32) throws {
        let before = try scene.program.files()
        #expect(try scene.program("\(arguments) --key-file n.key").exit == exit)
        #expect(try scene.program.files() == before)
        let key = try scene.program.content("b.key")
        #expect(try scene.program("\(arguments) --key-file b.key").exit == exit)
        #expect(try scene.program.content("b.key") == key)
    }

    @Test(
        "a vault that cannot get a new key slot opens as before, and another try takes the key file that was made"
    )
    func unlocked() throws {
        let run = try scene.run(
            """
            mkdir closed; cp a.db closed; cd closed
            mkdir a.db.lock
            change="closer-keys device passphrase --vault a.db --key-file ../a.key --new-key-file n.key"
            $change || echo "exit $?"
            ls; closer-keys device show --vault a.db --key-file ../a.key | head -1
            cp n.key made; rmdir a.db.lock; $change; cmp made n.key
            closer-keys device show --vault a.db | head -1
            """)
        let locked = "a new key file protects the vault\n"
        #expect(
            run.text == "exit 74\na.db\na.db.lock\nn.key\nuserId: alice\n\(locked)userId: alice\n",
            "\(run.errors)")
        #expect(run.errors.contains("the new key file n.key stays; another try takes it"))
    }

    @Test("of two that make a vault at once with one new key file, one makes it, and it opens")
    func twice() throws {
        let run = try scene.run(
            """
            for i in $(seq 40); do
                mkdir $i; cd $i
                one="closer-keys device init --vault v.db --user alice --key-file v.key"
                $one > one 2>&1 & $one > two 2>&1 || :
                wait $! || :
                closer-keys device show --vault v.db --key-file v.key | head -1
                cd ..
            done
            """)
        #expect(run.text == String(repeating: "userId: alice\n", count: 40), "\(run.errors)")
    }

    @Test("a missing folder is named, and not the lock file in it")
    func folder() throws {
        let run = try scene.program("device init --user x --vault no/folder.db --key-file n.key")
        #expect(run.errors == "closer-keys: error: cannot create no/folder.db: the folder no is missing\n")
    }

    @Test("the hint for a missing vault names both locks")
    func missing() throws {
        let run = try scene.program("device show --vault none.db")
        #expect(run.errors.contains("device init --user ID --key-file FILE makes one"))
    }
}
