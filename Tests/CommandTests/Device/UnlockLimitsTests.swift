import Foundation
import Testing

extension UnlockTests {
    @Suite("What ends an unlock, and what is none")
    struct UnlockLimitsTests {
        private let scene: UnlockScene
        private let unlock = UnlockScene.unlock
        private let ask = UnlockScene.ask

        init() throws { scene = try UnlockScene() }

        @Test("its time is over")
        func over() throws {
            let printed = try scene.prints(
                "\(unlock) --for 3s; \(ask); sleep 4; \(ask); closer-keys device lock")
            #expect(printed == "unlocked for 3s, for this login\n0\n7\nno vault was unlocked\n")
        }

        /// From 60 seconds on the kernel tells whole minutes only.
        @Test("nobody can prolong it, write over it or give it other rights", arguments: ["login()", "user"])
        func rights(_ ring: String) throws {
            try scene.program.write(
                Data(
                    """
                    from keys import *
                    key = find(NAME, \(ring))
                    print(40 <= seconds(\(ring)) <= 59)
                    for change in (lambda: call(250, 15, key, 0), lambda: put(NAME, b"x" * 32, \(ring)), lambda: call(250, 5, key, 0x3F3F0000),
                                   lambda: call(250, 2, key, b"x" * 32, 32), lambda: call(250, 3, key)):
                        try:
                            change()
                            print("done")
                        except AssertionError as error:
                            print(error)
                    """.utf8), to: "change.py")
            let option = ring == "user" ? "--for-user" : ""
            let printed = try scene.prints(
                "\(unlock) --for 59s \(option) > o; python3 change.py; \(ask); closer-keys device lock > o")
            #expect(printed == "True\n" + String(repeating: "Permission denied\n", count: 5) + "0\n")
        }

        @Test("whoever is not told, since the output takes nothing, has it for ten seconds at most")
        func untold() throws {
            try scene.program.write(
                Data(
                    """
                    from keys import *
                    output, input = os.pipe()
                    os.set_blocking(input, False)
                    try:
                        while True: os.write(input, b"x" * 4096)
                    except BlockingIOError: pass
                    os.set_blocking(input, True)
                    process = subprocess.Popen("exec \(unlock) --for 1h", shell=True, stdout=input)
                    for _ in range(300):
                        time.sleep(0.1)
                        try: left = seconds(login())
                        except (AssertionError, StopIteration): continue
                        break
                    process.terminate()
                    print(process.wait() != 0, left <= 10)
                    """.utf8), to: "untold.py")
            #expect(try scene.prints("python3 untold.py") == "True True\n")
        }

        @Test("a new lock, also one that was made on another machine")
        func otherMachine() throws {
            let lock =
                "XDG_STATE_HOME=$PWD/elsewhere closer-keys device passphrase --vault v.db --passphrase-file pass --new-passphrase-file new"
            #expect(try scene.prints("\(unlock) > o; \(lock) > o; \(ask)") == "7\n")
        }

        @Test("an unlock beside a new lock fails, and unlocks nothing")
        func beside() throws {
            try scene.program.write(
                Data(
                    """
                    from keys import *
                    print(at(248, lambda: os.rename("new.db", "v.db"), "\(unlock)"))
                    """.utf8), to: "beside.py")
            let run = try scene.login(
                """
                cp v.db old
                XDG_STATE_HOME=$PWD/elsewhere closer-keys device passphrase --vault v.db --passphrase-file pass --new-passphrase-file new > o
                mv v.db new.db; mv old v.db
                python3 beside.py; \(ask)
                """)
            #expect(
                run.text == "3\n7\n" && run.errors.contains("another lock meanwhile"),
                "\(run.text) \(run.errors)"
            )
        }

        @Test(
            "what somebody put into the keyring opens nothing, shows nothing, and hinders nothing",
            arguments: [31, 32, 33])
        func planted(_ count: Int) throws {
            let printed = try scene.prints(
                """
                python3 -c 'from keys import *; put(NAME, b"x" * \(count), login())'
                \(ask)
                closer-keys device show --vault v.db --passphrase-file pass | grep -c unlocked
                \(unlock) > o; \(ask)
                """)
            #expect(printed == "7\n0\n0\n")
        }

        @Test("a key that belongs to another user is none", .enabled(if: geteuid() == 0))
        func foreign() throws {
            let printed = try scene.prints(
                """
                \(unlock) > o
                python3 -c 'from keys import *; key = find(NAME, login()); secret = read(key); take(key, login()); put(NAME, secret, login())'
                \(ask)
                python3 -c 'from keys import *; call(250, 4, find(NAME, login()), 65534, -1)'
                \(ask)
                """)
            #expect(printed == "0\n7\n")
        }

        @Test(
            "where the system keeps no keys, the commands say so and change nothing", arguments: [248, 250])
        func noKeyring(_ call: Int) throws {
            let denied = "python3 -c 'from keys import *; deny(\(call), 1); shell(\"sh denied.sh\")'"
            try scene.program.write(Data("\(unlock); echo $?; \(ask)\n".utf8), to: "denied.sh")
            let run = try scene.login(denied)
            #expect(run.text == "74\n7\n" && run.errors.contains("operation not permitted"), "\(run.errors)")
            guard call == 250 else { return }
            try scene.program.write(Data("closer-keys device lock; echo $?\n".utf8), to: "denied.sh")
            let lock = try scene.login("\(unlock) > o; \(denied); \(ask)")
            #expect(lock.text == "74\n0\n" && lock.errors.contains("stays unlocked"), "\(lock.errors)")
        }

        @Test("a login whose keyring was taken back unlocks nothing")
        func revoked() throws {
            let run = try scene.login(
                "python3 -c 'from keys import *; call(250, 3, login()); shell(\"\(unlock); echo $?\")'")
            #expect(run.text == "74\n" && run.errors.contains("revoked"), "\(run.errors)")
        }
    }
}
