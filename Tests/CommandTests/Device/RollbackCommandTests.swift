import CloserWire
import Foundation
import Testing

/// A thief who can write the vault's folder, has kept every file that ever lay there, and has other vaults, too.
@Suite("Another file in the vault's place")
struct RollbackCommandTests {
    private static let another = "a.db is another vault than the one that this machine knows there"
    private static let older =
        "a.db is older than what this machine saw of this vault, or diverged from it"
    private let program: ClosingProgram

    /// `old.db` was `a.db` before its couple was made, and `fork.db` is it with another couple; `b.db` is somebody else's.
    init() throws {
        program = try ClosingProgram()
        try lines(
            """
            closer-keys device init --vault a.db --user alice --key-file a.key
            cp a.db old.db
            (export XDG_STATE_HOME=$PWD/elsewhere
            cp a.db fork.db
            closer-keys couple create --vault fork.db --key-file a.key --couple d --phrase-file pd -o invite-d)
            closer-keys couple create --vault a.db --couple c --phrase-file pc -o invite-c
            cp a.db newest.db
            closer-keys device init --vault b.db --user bob --key-file b.key
            """)
    }

    @discardableResult
    private func lines(_ script: String) throws -> [String] {
        let run = try program.script(script)
        try #require(run.exit == 0, "\(run.errors)")
        return run.text.split(separator: "\n").map(String.init)
    }

    /// Runs `couple list` of `a.db`, and tells how it ended: the couples, or the error.
    private func list(_ options: String = "", with settings: String = "") throws -> String {
        let run = try program.script("\(settings) closer-keys couple list --vault a.db --json \(options)")
        let result = try JSONValue(parsing: run.output.dropLast())
        if let error = result["error"] {
            #expect(error["hint"]?.string?.contains("--accept-older") == true)
            return "\(run.exit) \(error["code"]?.string ?? "-"): \(error["message"]?.string ?? "-")"
        }
        return (result["couples"]?.array ?? []).compactMap { $0["coupleId"]?.string }.joined(separator: " ")
    }

    @Test("a copy of a known vault is not replaced by an output, and any other file is")
    func copy() throws {
        try lines("echo text > plain")
        for (file, exit) in [("newest.db", Int32(7)), ("plain", 0)] {
            let run = try program("keyset new --type aes256-gcm --force -o \(file)")
            #expect(run.exit == exit, "\(file): \(run.errors)")
        }
        #expect(try program.content("newest.db") == program.content("a.db"))
    }

    @Test("a vault that is gone with its folder is said to be gone")
    func goneFolder() throws {
        try lines("mkdir sub; mv a.db sub; closer-keys couple list --vault sub/a.db > log 2>&1; mv sub away")
        for path in ["sub/a.db", "sub//./a.db", "$PWD//sub/a.db"] {
            let run = try program.script("closer-keys couple list --vault \(path)")
            #expect(
                run.exit == 66 && run.errors.contains("any more: this machine knows one there"),
                "\(run.errors)")
        }
    }

    @Test(
        "an older file, or a fork of the same age, is refused by readers and writers, and stays as it was put"
    )
    func older() throws {
        for file in ["old.db", "fork.db"] {
            try lines("cp \(file) a.db")
            #expect(try list() == "8 vaultRolledBack: \(Self.older)", "\(file)")
            #expect(try list("--key-file a.key") == "8 vaultRolledBack: \(Self.older)", "\(file)")
            let run = try program("couple create --vault a.db --couple e --phrase-file pe -o invite-e")
            #expect(run.exit == 8)
            #expect(try program.content("a.db") == program.content(file))
            #expect(try !program.files().contains("pe"))
        }
        try lines("cp newest.db a.db")
        #expect(try list() == "c")
    }

    // On Linux alone it shows that a command waits.
    @Test(
        "what came while a command waited for its input is remembered with its result",
        .enabled(if: FileManager.default.fileExists(atPath: "/proc/self/stat")))
    func readLater() throws {
        try lines(
            """
            cp newest.db newer.db
            (export XDG_STATE_HOME=$PWD/second
            closer-keys couple create --vault newer.db --key-file a.key --couple e --phrase-file pe -o invite-e)
            """)
        let run = try program.watching(
            """
            waiting = asking("device export --vault a.db -o export", "--export-passphrase-fd")
            os.replace("newer.db", "a.db")
            words, code = answered(*waiting)
            assert code == 0, words
            """)
        #expect(run.exit == 0, "\(run.errors)")
        try lines("cp newest.db a.db")
        #expect(try list() == "8 vaultRolledBack: \(Self.older)")
    }

    @Test(
        "a vault whose place another one got while a command waited for its passphrase has lost it",
        .enabled(if: FileManager.default.fileExists(atPath: "/proc/self/stat")))
    func replacedMeanwhile() throws {
        try lines(
            """
            (umask 077; echo correct horse battery staple > words)
            closer-keys device init --vault p.db --user pat --passphrase-file words
            """)
        let run = try program.watching(
            """
            waiting = asking("device policy --vault p.db --require-paired", "--passphrase-fd")
            os.rename("p.db", "former.db")
            assert run("device init --vault p.db --user quin --key-file q.key").returncode == 0
            os.rename("p.db", "quin.db")
            os.rename("former.db", "p.db")
            words, code = answered(*waiting)
            assert code == 8, words
            assert run("device policy --vault p.db --passphrase-file words").returncode == 8
            os.rename("quin.db", "p.db")
            assert run("device policy --vault p.db").returncode == 0
            """)
        #expect(run.exit == 0, "\(run.errors)")
    }

    @Test(
        "what is remembered or forgotten while a command waits for its passphrase counts",
        .enabled(if: FileManager.default.fileExists(atPath: "/proc/self/stat")))
    func forgottenMeanwhile() throws {
        try lines(
            """
            (umask 077; echo correct horse battery staple > words)
            closer-keys device init --vault p.db --user pat --passphrase-file words; cp p.db first.db
            closer-keys device policy --vault p.db --passphrase-file words --require-paired
            """)
        let run = try program.watching(
            """
            accepting = asking("device policy --vault p.db --accept-older", "--passphrase-fd")
            for _ in range(2):
                assert run("device policy --vault p.db --passphrase-file words --no-require-paired").returncode == 0
                assert run("device policy --vault p.db --passphrase-file words --require-paired").returncode == 0
            shutil.copy("first.db", "p.db")
            words, code = answered(*accepting)
            assert code == 0 and "saw of this vault had 6" in words and "state with 6 changes is given up" in words, words
            forgetting = asking("device policy --vault p.db", "--passphrase-fd")
            for memory in glob.glob(".local/state/closer-keys/*.json"):
                if "/p.db" in open(memory).read(): os.unlink(memory)
            words, code = answered(*forgetting)
            assert code == 0 and "for the first time" in words, words
            """)
        #expect(run.exit == 0, "\(run.errors)")
    }

    @Test("a person may say once that the older file is the vault, and then the newer is the other branch")
    func accepted() throws {
        try lines("cp fork.db a.db")
        #expect(try list("--accept-older") == "d")
        #expect(try list() == "d")
        try lines("cp newest.db a.db")
        #expect(try list() == "8 vaultRolledBack: \(Self.older)")
    }

    // Another look at a vault with a passphrase comes half a second after the first one.
    @Test("what a person accepts at another place is what is used, and nothing older that comes meanwhile")
    func exchangedCopy() throws {
        try lines(
            """
            (umask 077; echo correct horse battery staple > words)
            init="closer-keys device init --vault p.db --user pat --passphrase-file words"
            policy="closer-keys device policy --vault p.db --passphrase-file words"
            $init > /dev/null; cp p.db early.db
            $policy --require-paired > /dev/null; cp p.db late.db
            $policy --no-require-paired > /dev/null
            mkdir other; cp late.db other/p.db; cp early.db next.db
            """)
        let run = try program.watching(
            """
            line = "couple create --vault other/p.db --couple e --phrase-file pe --passphrase-file words -o ie --accept-older"
            command = subprocess.Popen(["closer-keys", *line.split()], stderr=subprocess.PIPE)
            while b"has 2 changes" not in (line := command.stderr.readline()): assert line
            os.replace("next.db", "other/p.db")
            assert command.wait(20) == 8, command.stderr.read()
            """)
        #expect(run.exit == 0, "\(run.errors)")
        #expect(try !program.files().contains("ie"))
    }

    @Test("an older file of another vault of ours is told as another vault")
    func olderOther() throws {
        try lines(
            """
            mkdir second; closer-keys device init --vault second/a.db --user work --key-file work.key
            cp old.db second/a.db
            """)
        let run = try program.script("closer-keys device show --vault second/a.db --accept-older")
        #expect(run.exit == 0 && run.text.contains("userId: alice\n"))
        #expect(
            run.errors.contains("second/a.db is another vault than the one that this machine knows there\n"),
            "\(run.errors)")
    }

    @Test(
        "an older file of a vault that this machine knows is no export",
        arguments: ["check", "import --vault m.db --key-file m.key"])
    func noExport(_ command: String) throws {
        try lines(
            """
            (umask 077; echo correct horse battery staple > words)
            closer-keys device init --vault p.db --user pat --passphrase-file words > /dev/null
            cp p.db backup
            closer-keys device policy --vault p.db --passphrase-file words --require-paired > /dev/null
            """)
        let run = try program("device \(command) backup --export-passphrase-file words")
        #expect(run.exit == 5 && run.errors.contains("a vault that this machine knows"), "\(run.errors)")
        #expect(try !program.files().contains("m.db"))
    }

    @Test("a key file that somebody put there before a vault is locked with it is told")
    func plantedKey() throws {
        try lines("(umask 077; head -c 32 /dev/urandom | tee k1 > k2)")
        for command in [
            "init --vault n.db --user ned --key-file k1", "passphrase --vault a.db --new-key-file k2",
        ] {
            let run = try program("device \(command)")
            #expect(
                run.exit == 0 && run.errors.contains("was there before: whoever made it"), "\(run.errors)")
        }
        #expect(
            try !program("device init --vault o.db --user otto --key-file k3").errors.contains("was there"))
    }

    /// Makes `a.db` the older file in which an invite is open that was cancelled since.
    private func putOpenInviteBack() throws {
        try lines(
            """
            closer-keys couple invite --vault a.db --couple d --phrase-file pq --code-file code > /dev/null
            cp a.db open.db
            closer-keys couple invite --vault a.db --couple d --cancel
            cp open.db a.db
            """)
    }

    @Test("a file that was changed since it was accepted is told, though the output fails")
    func toldDeed() throws {
        try putOpenInviteBack()
        let run = try program.script(
            "closer-keys device show --vault a.db --accept-older --quiet > /dev/full")
        #expect(run.exit == 74 && run.errors.contains("the vault was changed before that"), "\(run.errors)")
    }

    @Test("a machine that cannot remember closes invites, says what it knows, and goes on")
    func withoutMemory() throws {
        try lines(
            "closer-keys couple invite --vault a.db --couple d --phrase-file pq --code-file code > /dev/null")
        let run = try program.script(
            """
            unset HOME XDG_STATE_HOME
            closer-keys device policy --vault a.db --key-file a.key --require-paired --accept-older
            """)
        #expect(run.exit == 0, "\(run.errors)")
        #expect(run.errors.contains("does not know whether a.db is the newest"))
        #expect(run.errors.contains("those that were open are closed"))
        #expect(!run.errors.contains("no invite can be closed"))
        let shown = try program("couple show --vault a.db --couple d").text
        #expect(shown.contains("state: serverKnown"), "\(shown)")
    }

    @Test("what a person has given up is not taken for newer, whatever is done with the older file")
    func givenUp() throws {
        try lines("cp old.db a.db")
        #expect(try list("--accept-older") == "")
        for file in ["newest.db", "fork.db"] {
            try lines("cp a.db taken.db; cp \(file) a.db")
            #expect(try list() == "8 vaultRolledBack: \(Self.older)", "\(file)")
            try lines("cp taken.db a.db")
        }
        try lines(
            "closer-keys couple create --vault a.db --couple e --phrase-file pe -o ie; cp a.db taken.db")
        for file in ["newest.db", "fork.db", "old.db"] {
            try lines("cp \(file) a.db")
            #expect(try list() == "8 vaultRolledBack: \(Self.older)", "\(file)")
        }
        try lines("cp taken.db a.db")
        #expect(try list() == "e")
        #expect(try program("device show --vault a.db").text.contains("changes: 4\n"))
    }

    @Test(
        "another vault that this machine knows is refused, also with its key file, by a link, and with a shared key file"
    )
    func replaced() throws {
        let refusal = "8 vaultReplaced: \(Self.another)"
        for plant in ["cp b.db a.db", "ln -sf b.db a.db"] {
            try lines(plant)
            #expect(try list() == refusal, "\(plant)")
            #expect(try list("--key-file b.key") == refusal, "\(plant)")
            #expect(try list(with: "CLOSER_KEYS_KEY_FILE=b.key") == refusal, "\(plant)")
            try lines("rm a.db; cp newest.db a.db")
        }
        try lines("closer-keys device init --vault s.db --user sam --key-file a.key; mv s.db a.db")
        #expect(try list("--key-file a.key") == refusal)
        #expect(try list("--accept-older") == "")
        #expect(try list() == "")
    }

    // Whoever writes the folder of the vault and of its key file can make a vault with the known one's id, which is no secret. Here
    // it is the machine that has seen another key.
    @Test("a vault with the known one's id is refused under another vault key")
    func forged() throws {
        let memory = try program.script("ls .local/state/closer-keys/*.json | head -1").text.dropLast()
        try lines(
            """
            grep -l /a.db .local/state/closer-keys/*.json > known
            sed -i -E 's/"keyCheck":"[0-9a-f]{8}/"keyCheck":"00000000/' $(cat known)
            """)
        #expect(!memory.isEmpty)
        #expect(try list() == "8 vaultReplaced: \(Self.another)")
        #expect(try list("--key-file a.key") == "8 vaultReplaced: \(Self.another)")
        let accepted = try program.script("closer-keys couple list --vault a.db --accept-older")
        #expect(accepted.exit == 0 && accepted.errors.contains("warning: \(Self.another)\n"))
        #expect(try list() == "c")
        // What was remembered before there was such a value gets it.
        try lines("sed -i -E 's/\"keyCheck\":\"[0-9a-f]*\",//' $(cat known)")
        #expect(try list() == "c")
        #expect(try program.script("grep -c keyCheck $(cat known)").text == "1\n")
    }

    @Test("a vault that this machine does not know is refused, whatever opens it")
    func unknown() throws {
        try program.write(Data("words".utf8), to: "pass")
        try lines(
            """
            export XDG_STATE_HOME=$PWD/elsewhere
            closer-keys device init --vault k.db --user mallory --key-file m.key
            closer-keys device init --vault p.db --user mallory --passphrase-file pass
            cp k.db a.db
            """)
        #expect(try list() == "8 vaultReplaced: \(Self.another)")
        #expect(try list("--key-file m.key") == "8 vaultReplaced: \(Self.another)")
        try lines("cp p.db a.db")
        #expect(try list("--passphrase-file pass") == "8 vaultReplaced: \(Self.another)")
        #expect(try list("--passphrase-file pass --accept-older") == "")
        #expect(try list("--passphrase-file pass") == "")
    }

    @Test("a vault with a passphrase is remembered, too")
    func passphrase() throws {
        try program.write(Data("words".utf8), to: "pass")
        try lines(
            """
            rm a.db
            closer-keys device init --vault a.db --user carol --passphrase-file pass
            cp a.db old.db
            closer-keys couple create --vault a.db --passphrase-file pass --couple c --phrase-file p -o i
            cp old.db a.db
            """)
        #expect(try list("--passphrase-file pass") == "8 vaultRolledBack: \(Self.older)")
    }

    @Test("a vault is known at every place where it was seen, by each name")
    func places() throws {
        let refusal = "8 vaultReplaced: \(Self.another)"
        try lines(
            "closer-keys couple create --vault newest.db --couple e --phrase-file pe -o ie; cp b.db a.db")
        #expect(try list() == refusal)
        try lines(
            "mv newest.db sub.db; ln -sf nowhere a.db; closer-keys couple list --vault sub.db; cp b.db sub.db"
        )
        #expect(try program("couple list --vault sub.db").exit == 8)
        try lines("ln -s $PWD/real.db link.db; mv b.db real.db; closer-keys couple list --vault link.db")
        try lines("cp old.db real.db")
        for name in ["link.db", "real.db"] {
            #expect(try program("couple list --vault \(name) --key-file a.key").exit == 8, "\(name)")
        }
    }

    @Test(
        "another vault is refused by whatever name the known one is called",
        arguments: [
            "mkdir in; mv a.db in; ln -s in up; mkdir other; cp b.db other/a.db; cd up; closer-keys couple list --vault a.db > listed; cd ..; ln -sfn other up; cd up",
            #"n=$(printf 'caf\303\251.db') d=$(printf 'cafe\314\201.db'); cp a.db $n; closer-keys couple list --vault $n > listed; mv $n old; cp b.db $d; ln -s $d $n; vault=$n"#,
            "ln -sf b.db a.db", "ln -sf b.db a.db; vault=$PWD//a.db", "ln -sf b.db a.db; vault=$PWD/./a.db",
            "mkdir d; ln -sf b.db a.db; vault=d/../a.db", "vault=$PWD/../${PWD##*/}/a.db; cp b.db a.db",
            #"f=$(printf '\377.db'); cp b.db "$f"; ln -sf "$f" a.db"#,
        ])
    func names(_ plant: String) throws {
        let run = try program.script(
            "vault=a.db; \(plant); if closer-keys couple list --vault $vault; then echo taken; fi; closer-keys couple list --vault $vault --key-file $HOME/b.key"
        )
        #expect(run.exit == 8 || run.exit == 74, "\(run.exit)")
        #expect(run.text == "" && run.errors.contains("error: "))
    }

    @Test(
        "what lies where this machine never saw it is told, once, and what is gone is said to be gone",
        arguments: ["", "--quiet"])
    func firstSight(_ quiet: String) throws {
        // Whoever exchanges the folder in which a shell stands leads a relative name elsewhere.
        let run = try program.script(
            """
            mkdir sync; mv a.db sync; closer-keys couple list \(quiet) --vault sync/a.db 2> first
            cd sync; mv ../sync ../sx; cp ../b.db a.db; closer-keys couple list \(quiet) --vault a.db
            """)
        #expect(run.exit == 0 && run.errors.contains("/sx/a.db for the first time; it was at "))
        #expect(run.errors.contains("/b.db\n"))
        // Or a link in it, which leads to where another one is at home.
        let linked = try program.script(
            "mkdir sy; cd sy; ln -s ../b.db a.db; closer-keys couple list \(quiet) --vault a.db")
        #expect(linked.exit == 0 && linked.errors.contains("/sy/a.db for the first time; it was at "))
        // Or two folders that are exchanged: then each file is where it is at home.
        let exchanged = try program.script(
            """
            mkdir x y; cp sx/a.db x/v.db; cp taken.db y/v.db 2> none || cp newest.db y/v.db
            closer-keys couple list \(quiet) --vault x/v.db --key-file b.key; closer-keys couple list \(quiet) --vault y/v.db
            cd x; mv ../x ../z; mv ../y ../x; mv ../z ../y; cp ../x/v.db t; mv v.db ../x/v.db; mv t v.db
            closer-keys couple list \(quiet) --vault v.db
            """)
        #expect(
            exchanged.exit == 0 && exchanged.errors.contains("/x/v.db, where this machine knows a vault: "))
        // The same below a folder that was exchanged, by a name with two dots.
        let climbed = try program.script(
            """
            mkdir -p al/sub bo/sub; cp b.db al/v.db; cp newest.db bo/v.db
            closer-keys couple list \(quiet) --vault al/v.db --key-file b.key
            (cd bo/sub; closer-keys couple list \(quiet) --vault ../v.db --key-file ../../a.key)
            cd al/sub; mv ../../bo/sub ../../bo/old; mv ../sub ../../bo/sub
            closer-keys couple list \(quiet) --vault ../v.db 2>&1 >/dev/null | sed 's/^/last: /' >&2
            """)
        #expect(
            climbed.exit == 0
                && climbed.errors.contains("last: closer-keys: warning: ../v.db is not ")
                && climbed.errors.contains("/al/v.db, where this machine knows a vault: "),
            "\(climbed.errors)")
        // And in a folder that the shell entered by a link that the machine never saw.
        let entered = try program.script(
            """
            mkdir one two; cp b.db one/v.db; cp newest.db two/v.db; ln -s one by
            closer-keys couple list \(quiet) --vault one/v.db --key-file b.key
            closer-keys couple list \(quiet) --vault two/v.db --key-file a.key
            cd by; cd ..; cd by; mv ../one ../t; mv ../two ../one; mv ../t ../two
            mv ../two/v.db ../t; mv ../one/v.db ../two/v.db; mv ../t ../one/v.db
            closer-keys couple list \(quiet) --vault v.db 2>&1 >/dev/null | sed 's/^/last: /' >&2
            """)
        #expect(
            entered.exit == 0 && entered.errors.contains("last: closer-keys: warning: v.db is not ")
                && entered.errors.contains("/one/v.db, where this machine knows a vault: "),
            "\(entered.errors)"
        )
        // Or the shell's folder has a name that only another spelling tells from the one where this vault is known.
        let spelled = try program.script(
            """
            composed=$(printf 'caf\\303\\251'); apart=$(printf 'cafe\\314\\201'); mkdir $composed $apart
            cp b.db $composed/v.db; cp newest.db $apart/v.db
            closer-keys couple list \(quiet) --vault $composed/v.db --key-file b.key
            closer-keys couple list \(quiet) --vault $apart/v.db --key-file a.key
            cd $apart; PWD=$HOME/$composed closer-keys couple list \(quiet) --vault v.db 2>&1 >/dev/null | sed 's/^/last: /' >&2
            """)
        #expect(
            spelled.exit == 0 && spelled.errors.contains("last: closer-keys: warning: v.db is not "),
            "\(spelled.errors)")
        // A link that is replaced by a copy.
        try lines("ln -s sx/a.db link.db; closer-keys couple list \(quiet) --vault link.db --key-file b.key")
        let copied = try program("couple list --vault link.db")
        try lines("rm link.db; cp sx/a.db link.db")
        #expect(try copied.exit == 0 && program("couple list --vault link.db").exit == 8)
        let gone = try program("couple list --vault a.db")
        #expect(
            gone.exit == 66 && gone.errors.contains("there is no vault at a.db any more"), "\(gone.errors)")
        try program.write(Data("words".utf8), to: "pass")
        try lines("closer-keys device init --vault p.db --user pam --passphrase-file pass; cp p.db q.db")
        let unknown = try program.script(
            "XDG_STATE_HOME=$PWD/none closer-keys couple list \(quiet) --vault q.db --passphrase-file pass")
        // There nobody can have put it into the place of another one.
        let isTold = unknown.errors.contains("warning: this machine sees this vault for the first time")
        #expect(unknown.exit == 0 && isTold == quiet.isEmpty, "\(unknown.errors)")
        // A named key file says which vault it is for where no other is known.
        try lines("closer-keys device init --vault r.db --user ron --key-file r.key; cp r.db s.db")
        let alone = try program.script(
            "XDG_STATE_HOME=$PWD/empty closer-keys couple list \(quiet) --vault s.db --key-file r.key")
        #expect(alone.exit == 0 && !alone.errors.contains("warning"), "\(alone.errors)")
        let amongOthers = try program.script(
            """
            closer-keys device forget $(closer-keys device list | grep -F /r.db | cut -d ' ' -f 1)
            closer-keys couple list \(quiet) --vault s.db --key-file r.key
            """)
        #expect(
            amongOthers.exit == 0
                && amongOthers.errors.contains("warning: this machine sees this vault for the first time"))
        let older = try program("couple list --vault old.db")
        #expect(older.exit == 8 && older.errors.contains("pass --accept-older each time"))
    }

    @Test("what was asked for a passphrase is remembered where it was named, whatever lies there by then")
    func asked() throws {
        try program.write(Data("words".utf8), to: "pass")
        let run = try program.script(
            """
            for name in c p; do closer-keys device init --vault $name.db --user $name --passphrase-file pass; done
            mkfifo in
            closer-keys device show --vault c.db --passphrase-fd 3 3< in > shown & waiting=$!
            exec 9> in; sleep 1
            cp c.db k; cp k p.db; ln -sf p.db c.db
            cat pass >&9; exec 9>&-; wait $waiting || true
            closer-keys device show --vault p.db --passphrase-file pass
            """)
        #expect(run.exit == 8, "\(run.text)")
    }

    @Test("a name that has become a link is not written through, and no vault is made through a link")
    func links() throws {
        try lines("mkdir backup; cp a.db backup/a.db; ln -sf backup/a.db a.db; : > empty; ln -s empty n.db")
        let refusal =
            "8 vaultReplaced: a.db means another file than before: a link was made, changed or replaced"
        #expect(try list() == refusal)
        #expect(try program("couple forget --vault a.db --couple c --yes").exit == 8)
        #expect(try program.content("backup/a.db") == program.content("newest.db"))
        #expect(try program("device init --vault n.db --user nora --key-file n.key").exit == 74)
        #expect(try program.content("empty").isEmpty && !program.files().contains("empty.lock"))
        // That somebody looked at the backup once does not make it the vault.
        try lines("closer-keys device check --vault backup/a.db")
        #expect(try list() == refusal)
        let run = try program("couple list --vault a.db --accept-older")
        #expect(run.exit == 0 && run.errors.contains("warning: a.db leads to "))
        #expect(run.errors.contains("/backup/a.db is the vault from now on\n"))
        #expect(try list() == "c")
    }

    @Test(
        "another vault's older file in this one's place, which a person accepts, is no news of that other vault"
    )
    func acceptedElsewhere() throws {
        try lines("cp old.db b.db")
        let run = try program("couple list --vault b.db --accept-older --key-file a.key")
        #expect(run.exit == 0 && run.errors.contains("warning: b.db has 1 changes; "))
        #expect(try list() == "c")
    }

    @Test("an older copy elsewhere is opened if a person wants that, and stays older for the vault")
    func copyElsewhere() throws {
        #expect(try program("couple list --vault old.db").exit == 8)
        let run = try program("couple list --vault old.db --accept-older")
        #expect(run.exit == 0 && run.errors.contains("warning: old.db has 1 changes; "))
        try lines("cp old.db a.db")
        #expect(try list() == "8 vaultRolledBack: \(Self.older)")
    }

    @Test(
        "a copy elsewhere is only read, and nothing of what is remembered changes",
        arguments: ["old", "newest"])
    func copyChanged(_ file: String) throws {
        let remembered = try lines("cat .local/state/closer-keys/*.json; cp \(file).db copy.db")
        let change = "couple create --accept-older --vault copy.db --couple x --phrase-file px -o ix"
        let refused = try program(change)
        #expect(refused.exit == 74 && refused.errors.contains("is only read"), "\(refused.errors)")
        #expect(try program("couple list --accept-older --vault copy.db").exit == 0)
        #expect(try program.content("copy.db") == program.content("\(file).db"))
        #expect(try lines("cat .local/state/closer-keys/*.json") == Array(remembered))
        let again = try program("couple list --vault old.db")
        #expect(again.exit == 8 && again.errors.contains("pass --accept-older each time"), "\(again.errors)")
        try lines("cp old.db a.db")
        #expect(try list() == "8 vaultRolledBack: \(Self.older)")
    }

    @Test("a FIFO to which the vault's name leads is not opened, and whoever writes into it loses nothing")
    func pipe() throws {
        let run = try program.script(
            """
            mkdir theirs; mkfifo theirs/pipe; (echo data > theirs/pipe; : > ended) & ln -s theirs/pipe l.db
            for name in l.db theirs/pipe; do closer-keys couple list --vault $name --key-file a.key || echo $?; done
            closer-keys couple list --vault a.db --key-file theirs/pipe || echo $?
            sleep 0.3; test ! -e ended; timeout 5 cat theirs/pipe
            """)
        #expect(run.text == "74\n74\n5\ndata\n", "\(run.errors)")
    }

    @Test("nor is one in the place of its lock file")
    func pipeAsLock() throws {
        let run = try program.script(
            """
            mkdir theirs; mkfifo theirs/pipe; rm -f a.db.lock; ln theirs/pipe a.db.lock
            (timeout 10 bash -c "echo data > theirs/pipe"; : > ended) &
            closer-keys couple forget --vault a.db --key-file a.key --couple c --yes || echo $?
            sleep 0.3; test ! -e ended; timeout 5 cat theirs/pipe
            """)
        #expect(run.text == "74\ndata\n", "\(run.errors)")
    }

    @Test(
        "a new lock for an older copy elsewhere changes nothing of what is remembered",
        arguments: ["passphrase-file pass", "key-file new.key"])
    func copyRelocked(_ lock: String) throws {
        try program.write(Data("words".utf8), to: "pass")
        let remembered = try lines("cat .local/state/closer-keys/*.json")
        let run = try program("device passphrase --vault old.db --accept-older --new-\(lock)")
        #expect(run.exit == 74 && run.errors.contains("is only read"), "\(run.errors)")
        #expect(try lines("cat .local/state/closer-keys/*.json") == remembered)
        #expect(try program("couple list --vault old.db").exit == 8)
        #expect(try list() == "c")
    }

    @Test("a process that waits learns what others saw meanwhile, and keeps what they remember")
    func waiting() throws {
        let seal = "closer-keys answer seal --vault a.db --couple c --place daily:2026-11-20 --question"
        // On Linux it is seen that the program runs and waits; on a busy machine a second alone is not enough.
        let asleep =
            "for i in {1..400}; do [ ! -d /proc/self ] || grep -qs closer-keys /proc/$waiting/comm && grep -qs ') S' /proc/$waiting/stat && break; sleep 0.05; done; sleep 1"
        let run = try program.script(
            """
            mkfifo in
            \(seal) late < in > late.json 2> late.txt & waiting=$!
            exec 9> in; \(asleep)
            cp a.db before.db; echo '{"answer":"yes"}' | \(seal) pinned > pinned.json
            cp before.db a.db
            echo '{"answer":"no"}' >&9; exec 9>&-
            wait $waiting || echo "exit $?"
            cmp a.db before.db
            """)
        #expect((run.exit, run.text) == (0, "exit 8\n"), "\(run.errors)")
        let relocked = try program.script(
            """
            cp newest.db a.db; closer-keys device show --vault a.db --accept-older > shown
            \(seal) late < in > late.json & waiting=$!
            exec 9> in; \(asleep)
            closer-keys device passphrase --vault a.db --new-key-file new.key
            echo '{"answer":"no"}' >&9; exec 9>&-
            wait $waiting || echo "exit $?"
            closer-keys device show --vault a.db --json | jq -r .keyFile
            """)
        #expect(relocked.exit == 0 && relocked.text.hasSuffix("/new.key\n"), "\(relocked.errors)")
        #expect(relocked.text.contains("exit 8\n"), "what was opened has another lock by then")
    }

    @Test(
        "a memory that is damaged is no reason to trust what is there",
        arguments: ["", "{\"places\":", "x", "{}"])
    func damagedMemory(_ text: String) throws {
        let id = try lines("closer-keys device list | grep -F /a.db | cut -d ' ' -f 1")[0]
        try program.write(Data(text.utf8), to: ".local/state/closer-keys/\(id).json")
        try lines("cp old.db a.db")
        let run = try program("couple list --vault a.db --key-file a.key")
        #expect(run.exit == 74 && run.errors.contains("\(id).json"), "\(run.errors)")
        try lines("closer-keys device forget \(id)")
        #expect(try list("--key-file a.key") == "")
    }

    @Test(
        "what is planted in the state folder is not followed and not waited for",
        arguments: ["ln -s $PWD/precious", "mkfifo", "mkdir"])
    func plantedMemory(_ plant: String) throws {
        try lines(
            """
            echo precious > precious
            state=.local/state/closer-keys; id=$(closer-keys device list | grep -F /a.db | cut -d ' ' -f 1)
            rm $state/$id.json; \(plant) $state/$id.json
            """)
        let run = try program.script("timeout 20 closer-keys couple list --vault a.db --key-file a.key")
        #expect(run.exit == 74, "\(run.errors)")
        #expect(run.errors.contains("error: what this machine remembers of a vault cannot be read: "))
        #expect(try lines("cat precious") == ["precious"])
    }

    @Test("a vault made where another one was known says so, and takes its place")
    func takesPlace() throws {
        let run = try program.script(
            "rm a.db; closer-keys device init --vault a.db --user ann --key-file ann.key")
        #expect(
            run.exit == 0
                && run.errors
                    == "closer-keys: warning: a.db takes the place of another vault that this machine knew there\n"
        )
        #expect(try list() == "")
        let again = try program("device init --vault n.db --user ann --key-file other.key")
        #expect((again.exit, again.errors) == (0, ""))
    }

    @Test(
        "a file that looks like a vault of a former program, in the place of a known one, is not taken for that"
    )
    func formerForm() throws {
        let run = try program.script(
            """
            { printf 'SQLite format 3\\0'; head -c 52 /dev/zero; printf CKv1; } > former
            for vault in former a.db; do
                [ $vault = former ] || cp former a.db
                closer-keys device show --vault $vault || echo $?
                closer-keys device init --vault $vault --user u --key-file u.key || echo $?
            done
            echo text > a.db; closer-keys device show --vault a.db || echo $?
            """)
        #expect(run.exit == 0 && run.text == "5\n5\n5\n5\n5\n", "\(run.errors)")
        let known =
            "a.db is not a vault; this machine knows a vault there\ncloser-keys: hint: bring it back, or make it from an export"
        #expect(run.errors.components(separatedBy: known).count == 4, "\(run.errors)")
        #expect(run.errors.components(separatedBy: "before the first release").count == 3, "\(run.errors)")
    }

    @Test(
        "a passphrase that is asked for, where a key file opened the vault before, comes with a warning, once"
    )
    func anotherLock() throws {
        let run = try program.script(
            """
            printf 'correct horse battery staple' > words
            HOME=$PWD/other closer-keys device passphrase --vault a.db --key-file a.key --new-passphrase-file words
            for again in 1 2; do closer-keys device show --vault a.db --passphrase-file words 2>&1 | grep -c "a key file opened it" || true; done
            """)
        #expect(run.exit == 0 && run.text.hasSuffix("1\n0\n"), "\(run.text)\(run.errors)")
    }

    @Test("the spoilt memory of one vault hides no other: no output replaces that, and its place is told")
    func spoiltMemory() throws {
        let run = try program.script(
            """
            id=$(closer-keys device list | grep -F /a.db | cut -d ' ' -f 1)
            closer-keys device init --vault k.db --user bob --key-file k.key > o
            echo spoilt > ".local/state/closer-keys/$id.json"
            for file in k.db a.db k.key a.key; do closer-keys keyset new --type aes256-gcm --force -o $file || echo $?; done
            echo text > other; closer-keys keyset new --type aes256-gcm --force -o other
            rm k.db; closer-keys device init --vault k.db --user bob --key-file k.key >> o || echo $?
            """)
        // Where the key file of the vault is, nobody knows.
        #expect(run.text == "7\n7\n7\n66\n")
        #expect(
            run.errors.contains(
                "warning: k.db takes the place of another vault that this machine knew there\n"))
        #expect(run.errors.contains("warning: k.db may take the place of another vault: what this machine"))
    }

    @Test(
        "an older copy that is accepted at another place stays a copy, though the newest file lay there once")
    func copyOnce() throws {
        try lines(
            "cp a.db old.db; closer-keys device policy --vault a.db --require-paired; cp a.db newest.db")
        for file in ["old", "newest", "old"] {
            try lines("cp \(file).db copy.db; closer-keys device show --vault copy.db --accept-older")
        }
        let run = try program("device policy --vault a.db")
        #expect(
            run.exit == 0 && run.text == "requirePaired: true\n" && run.errors.isEmpty,
            "\(run.text)\(run.errors)")
        #expect(try program("device list").text.contains("copy.db") == false)
        #expect(try program("device show --vault copy.db").exit == 8)
    }

    @Test(
        "an older copy stays a copy though it is a link to the vault's place, with --quiet, too",
        arguments: ["a.db", "b.db", "up/a.db"], ["", "--quiet"])
    func copyThroughLink(_ place: String, _ quiet: String) throws {
        try lines("closer-keys device show --vault b.db; ln -s . up; cp old.db copy.db; cp \(place) before")
        let show = "closer-keys device show --vault copy.db --key-file a.key --accept-older \(quiet)"
        try lines("\(show); cmp copy.db old.db")
        for file in ["newest", "old"] {
            // The vault's own place has the file, and the copy is a link to it; and then the copy is there again.
            let run = try program.script(
                "cp \(file).db \(place); ln -sf \(place) copy.db; \(show); cp before \(place); rm copy.db; cp old.db copy.db; \(show)"
            )
            #expect(run.exit == 0 && !run.errors.contains("from now on"), "\(file): \(run.errors)")
            #expect(
                quiet.isEmpty == run.errors.contains("warning: copy.db leads to "), "\(file): \(run.errors)")
        }
        #expect(try list() == "c")
        try lines("cp old.db a.db")
        #expect(try list() == "8 vaultRolledBack: \(Self.older)")
        #expect(try program("device list").text.contains("copy.db") == false)
        let taken = try program("couple list --vault a.db --accept-older \(quiet)")
        #expect(taken.exit == 0 && taken.errors.contains("a.db is the vault from now on, and its state with"))
    }

    @Test(
        "by a path that climbs, or by the name to which a new link leads, an older file is the vault from now on",
        arguments: [
            "../a.db", "../sub/../a.db", "$PWD/../a.db", "$(realpath ../a.db)",
            "$(ln -s sub ../in; cd ../in; pwd)/../a.db",
        ])
    func climbing(_ name: String) throws {
        try lines("mkdir sub; cp old.db a.db; ln -s a.db link.db")
        #expect(
            try program("couple list --vault link.db").errors.contains(
                "name it \(program.folder.resolvingSymlinksInPath().path())"))
        let taken = try program.script(
            "cd sub; closer-keys couple list --vault \(name) --accept-older --quiet")
        #expect(taken.exit == 0 && taken.errors.contains(" is the vault from now on, and its state with"))
        let next = try program("couple list --vault a.db")
        #expect(next.exit == 0 && next.errors == "closer-keys: no couples yet\n", "\(next.errors)")
    }

    @Test("what cannot be said is not done, with --quiet, too", arguments: ["", "--quiet"])
    func untold(_ quiet: String) throws {
        try lines("cp old.db a.db")
        let run = try program.script(
            "closer-keys couple list --vault a.db --accept-older \(quiet) 2> /dev/full")
        #expect(run.exit == 74)
        #expect(try list() == "8 vaultRolledBack: \(Self.older)")
        try lines("cp newest.db a.db")
        #expect(try list() == "c")
    }

    @Test(
        "nothing is remembered of which a line is missing, wherever standard error is full",
        arguments: ["", "--quiet"])
    func rationed(_ quiet: String) throws {
        try lines("cp old.db a.db")
        let whole = try program.script(
            "cp -R .local kept; closer-keys device policy --vault a.db --accept-older \(quiet) > /dev/null; rm -rf .local; mv kept .local"
        ).errors.utf8.count
        for room in stride(from: whole - 1, through: 0, by: -40) {
            let run = try program.script(
                """
                head -c \(65536 - room) /dev/zero > log
                (ulimit -f 64; trap '' XFSZ; closer-keys device policy --vault a.db --accept-older \(quiet) 2>> log)
                """)
            #expect(run.exit == 74 && run.text.isEmpty, "room for \(room) of \(whole): \(run.text)")
            #expect(try list() == "8 vaultRolledBack: \(Self.older)", "room for \(room) of \(whole)")
        }
        try lines("head -c \(65536 - whole) /dev/zero > log")
        let run = try program.script(
            "ulimit -f 64; trap '' XFSZ; closer-keys device policy --vault a.db --accept-older \(quiet) 2>> log"
        )
        #expect(run.exit == 0 && whole > 100)
    }

    @Test(
        "nor of a vault that was forgotten, or that the shell calls otherwise",
        arguments: [
            "grep -l 'a[.]db' .local/state/closer-keys/*.json | xargs rm",
            "ln -s . by",
        ])
    func rationedAnew(_ before: String) throws {
        try lines("closer-keys device show --vault b.db; cp old.db a.db; \(before)")
        try lines("cp -R .local/state/closer-keys kept")
        let command =
            "[ ! -d by ] || cd by; closer-keys device policy --vault a.db --key-file a.key --accept-older"
        let whole = try program.script(
            "(\(command)); rm -rf .local/state/closer-keys; cp -R kept .local/state/closer-keys"
        )
        .errors.utf8.count
        for room in stride(from: whole - 1, through: 0, by: -50) {
            try lines("head -c \(65536 - room) /dev/zero > log")
            let run = try program.script(
                "root=$PWD; ulimit -f 64; trap '' XFSZ; code=0; (\(command) 2>> $root/log) || code=$?; cat kept/*.json | md5sum; cat .local/state/closer-keys/*.json | md5sum; exit $code"
            )
            let sums = Set(run.text.split(separator: "\n"))
            #expect(
                run.exit == 74 && sums.count == 1, "room for \(room) of \(whole): \(run.text)\(run.errors)")
        }
        #expect(whole > 150)
    }

    @Test(
        "what is told and cannot be remembered is taken back, with --quiet, too", arguments: ["", "--quiet"])
    func unremembered(_ quiet: String) throws {
        try lines("cp old.db a.db")
        let full = try program.script(
            "(ulimit -f 0; trap '' XFSZ; closer-keys device policy --vault a.db --accept-older \(quiet) 2>&1 > /dev/null; echo $?) | cat"
        ).text
        #expect(full.contains("a.db is the vault from now on"), "\(full)")
        #expect(
            full.hasSuffix("is only read, since this machine cannot remember that it is the vault now\n0\n"),
            "\(full)")
        let next = try program("couple list --vault a.db")
        #expect(next.exit == 8 && next.errors.contains(Self.older), "\(next.exit) \(next.text)\(next.errors)")
    }

    @Test("an older file whose invites cannot be closed, since the disk is full, is read as if they were")
    func unclosable() throws {
        try putOpenInviteBack()
        let run = try program.script(
            "ulimit -f 2; trap '' XFSZ; closer-keys couple list --vault a.db --accept-older")
        #expect(run.exit == 0 && run.text.contains("d\tserverKnown"), "\(run.text)\(run.errors)")
        #expect(run.errors.contains("no invite can be closed at a.db: it is read as if"), "\(run.errors)")
        #expect(try list() == "8 vaultRolledBack: \(Self.older)")
    }

    @Test("a copy's hint names the place at which the file would be the vault, and none that a thief chose")
    func placeInHint() throws {
        try lines(
            "cp old.db copy.db; mkdir evil; cp newest.db evil/a.db; closer-keys device show --vault evil/a.db"
        )
        let run = try program("couple list --vault copy.db")
        #expect(
            run.exit == 8 && run.errors.contains("to make it the vault, move away what is at /"),
            "\(run.errors)")
        #expect(run.errors.contains("/a.db, put it there"), "\(run.errors)")
        #expect(!run.errors.contains("/evil/"), "\(run.errors)")
    }

    @Test("an older file that cannot be remembered as the vault is not changed: there may be a newer one")
    func unrememberedChange() throws {
        let run = try program.script(
            """
            cp old.db a.db; state=.local/state/closer-keys; trap 'chmod -R u+w $state' EXIT; chmod -R a-w $state
            \(ObstructedVaultTests.bound) closer-keys couple create --vault a.db --accept-older --quiet \
                --couple e --phrase-file pe -o invite-e
            """)
        #expect(run.exit == 74 && run.errors.contains("a.db is only read, since this"), "\(run.errors)")
        #expect(run.errors.contains("error: the vault a.db cannot be written: a file that"), "\(run.errors)")
        #expect(try program.content("a.db") == program.content("old.db"))
        #expect(try !program.files().contains("pe"))
    }

    @Test("where the state folder cannot be written, the invites of an older file stay as they are in it")
    func unrememberedInvite() throws {
        try putOpenInviteBack()
        let run = try program.script(
            """
            cp a.db before.db; state=.local/state/closer-keys; trap 'chmod -R u+w $state' EXIT; chmod -R a-w $state
            \(ObstructedVaultTests.bound) closer-keys device policy --vault a.db --accept-older --quiet
            """)
        #expect(run.exit == 0 && run.errors.contains("a.db is only read, since this"), "\(run.errors)")
        #expect(!run.errors.contains("from now on"), "\(run.errors)")
        #expect(try program.content("a.db") == program.content("before.db"))
    }

    @Test("a new vault in a known one's place is not remembered if that cannot be told")
    func newVaultUntold() throws {
        let known = try lines("closer-keys device list; mv a.db away.db")
        let run = try program.script(
            "closer-keys device init --vault a.db --user eve --key-file e.key 2> /dev/full")
        #expect(run.exit == 74)
        #expect(try lines("closer-keys device list") == known)
    }

    @Test(
        "nothing is remembered of a vault by a new name before that is told, with --quiet, too",
        arguments: ["", "--quiet"])
    func newNameUntold(_ quiet: String) throws {
        let remembered = try lines(
            """
            mkdir x; cp a.db x/v.db
            (export XDG_STATE_HOME=$PWD/second
            closer-keys couple create --vault x/v.db --key-file a.key --couple e --phrase-file pe -o invite-e)
            cat .local/state/closer-keys/*.json
            """)
        let run = try program.script("closer-keys device show --vault x/v.db \(quiet) 2> /dev/full")
        #expect(run.exit == 74 && run.text.isEmpty, "\(run.text)")
        #expect(try lines("cat .local/state/closer-keys/*.json") == remembered)
        #expect(try list() == "c")
        let told = try program("device show --vault x/v.db \(quiet)")
        #expect(told.exit == 0 && told.errors.contains("/x/v.db for the first time"), "\(told.errors)")
        #expect(try list() == "8 vaultRolledBack: \(Self.older)")
    }

    @Test("in a folder whose name is not UTF-8, a link is as little a name of the vault as elsewhere")
    func unnamable() throws {
        let run = try program.script(
            #"""
            cp old.db a.db; odd=$(printf 'odd\377'); mkdir "$odd"; cd "$odd"; ln -s ../a.db copy.db
            closer-keys couple list --vault copy.db --accept-older
            closer-keys couple create --vault copy.db --accept-older --couple e --phrase-file pe -o invite-e || echo $?
            """#)
        #expect(run.text == "74\n" && !run.errors.contains("from now on"), "\(run.text)\(run.errors)")
        #expect(try list() == "8 vaultRolledBack: \(Self.older)")
    }

    @Test("an older file that takes its place back from another vault is the vault again, and says so once")
    func placeTakenBack() throws {
        try lines(
            "cp b.db a.db; closer-keys device show --vault a.db --key-file b.key --accept-older; cp old.db a.db"
        )
        let taken = try program("couple list --vault a.db --key-file a.key --accept-older")
        #expect(taken.exit == 0 && taken.errors.contains(Self.another), "\(taken.errors)")
        #expect(taken.errors.contains("a.db is the vault from now on, and its state with"), "\(taken.errors)")
        #expect(!taken.errors.contains("for the first time"), "\(taken.errors)")
        let next = try program("couple list --vault a.db")
        #expect(next.exit == 0 && next.errors == "closer-keys: no couples yet\n", "\(next.errors)")
        try lines("cp newest.db a.db")
        #expect(try list() == "8 vaultRolledBack: \(Self.older)")
    }

    @Test("what is planted beside the vault is not touched, and changes nothing")
    func planted() throws {
        let state = ".local/state/closer-keys"
        try lines(
            """
            echo precious > precious; chmod 600 precious
            rm -f a.db.lock; ln -s precious a.db.lock
            """)
        #expect(try list() == "c")
        #expect(try program("couple forget --vault a.db --couple c --yes").exit == 74)
        for plant in ["ln -s $PWD/precious", "mkfifo", "mkdir"] {
            try lines("rm -rf a.db.lock; \(plant) a.db.lock")
            let run = try program.script(
                "timeout 10 closer-keys couple create --vault a.db --couple e --phrase-file pe -o ie")
            #expect(run.exit == 74, "\(plant): \(run.errors)")
        }
        #expect(try lines("cat precious; ls -d \(state)/*.json | wc -l") == ["precious", "2"])
        #expect(try list() == "c")
    }
}

// MARK: - What this machine remembers, seen and taken back

extension RollbackCommandTests {
    @Test(
        "the list names each vault, where it is and how far it had come; what is forgotten is no longer missed"
    )
    func listed() throws {
        func vaults() throws -> [JSONValue] {
            let run = try program("device list --json")
            return try JSONValue(parsing: run.output.dropLast())["vaults"]?.array ?? []
        }
        let all = try vaults()
        let ours = try #require(all.first { $0["places"]?.array?.first?.string?.hasSuffix("/a.db") == true })
        #expect(all.count == 2)
        #expect(ours["changes"]?.number == 2)
        #expect(ours["keyFile"]?.string?.hasSuffix("/a.key") == true)
        let id = try #require(ours["id"]?.string)
        let text = try program("device list").text
        #expect(text.contains("\(id)  2  ") && text.split(separator: "\n").count == 2)

        #expect(try program("device forget \(id)").text == "forgotten\n")
        #expect(try vaults().count == 1)
        #expect(try program("device forget \(id)").exit == 4)
        try lines("cp old.db a.db")
        #expect(try list("--key-file a.key") == "")
    }

    @Test("check opens all of a vault, or of an export, and says what is in it")
    func checked() throws {
        try program.write(Data("words".utf8), to: "pass")
        try lines("closer-keys device export --vault a.db --export-passphrase-file pass -o export")
        let expected = "userId: alice\ncouples: 1\npartners: 0\nanswers: 0\nchanges: 2\nwhole: true\n"
        #expect(try program("device check --vault a.db").text == expected)
        #expect(try program("device check export --export-passphrase-file pass").text == expected)
        #expect(try program.content("a.db") == program.content("newest.db"))
        for (file, exit) in [("a.db --vault none.db", Int32(64)), ("pass", 5), ("none", 66)] {
            #expect(try program("device check \(file) --export-passphrase-file pass").exit == exit, "\(file)")
        }
        // The last byte is in a record.
        try lines("cp a.db x.db; printf 'x' | dd of=x.db bs=1 seek=$(($(wc -c < x.db) - 1)) conv=notrunc")
        let run = try program("device check --vault x.db --key-file a.key")
        #expect(run.exit == 5 && run.text == "")
    }

    @Test("sixteen processes at once are never told of an older file, and the last state is remembered")
    func crowd() throws {
        let crowd = try (1...16).map { number in
            try program.start(
                number.isMultiple(of: 4)
                    ? "couple list --vault a.db"
                    : "answer seal --vault a.db --couple c --question q_\(number) --place daily:2026-11-20",
                input: #"{"answer":"yes"}"#)
        }
        for run in try crowd.map({ try $0.wait() }) { #expect((run.exit, run.errors) == (0, "")) }
        let text = try program("device list").text
        let changes = try program("device show --vault a.db --json").output
        let count = try #require(JSONValue(parsing: changes.dropLast())["changes"]?.number)
        #expect(count == 14 && text.contains("  14  "))
    }
}
