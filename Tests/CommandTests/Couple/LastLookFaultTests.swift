import Foundation
import Testing

/// What happens while a command waits for its turn to look at the vault once more, for its result. strace holds it there.
@Suite("Before a command's last look at the vault", .enabled(if: Fault.wanted > 0))
struct LastLookFaultTests {
    /// Runs a command twice, and holds it the second time, for four seconds, before it takes its last turn. `$run` is the number of the run.
    private static let lastLook = """
        counting="strace -f -qq -y -o looks -e trace=flock"
        last_look() {
            run=1; eval "$counting closer-keys $1" > /dev/null 2>&1
            turn=$(grep -n '\\.turn>' looks | tail -n 1 | cut -d : -f 1)
            : > looks; run=2; eval "exec $counting -e inject=flock:delay_enter=4000000:when=$turn closer-keys $1" & looking=$!
            while kill -0 $looking && [ "$(grep -c ' = 0' looks)" -lt $((turn - 1)) ]; do sleep 0.05; done
            sleep 0.3
        }
        another_machine() {
            cp a.db other.db
            XDG_STATE_HOME=$PWD/two closer-keys "$@" --vault other.db --key-file a.key > /dev/null 2>&1
        }

        """

    @Test("one that shows a couple says if another program changed the vault, and only then")
    func shown() throws {
        for isChanged in [true, false] {
            let run = try CoupleScene().run(
                Self.lastLook + """
                    another_machine couple create --couple other --phrase-file new
                    last_look "couple show --vault a.db --couple couple_1"
                    if \(isChanged); then mv other.db a.db; fi
                    wait $looking
                    """)
            let isTold = run.errors.contains("another program changed the vault while this command ran")
            #expect(run.exit == 0 && isTold == isChanged, "\(run.errors)")
        }
    }

    @Test("a policy that another program takes back is not shown as the result")
    func policy() throws {
        let run = try CoupleScene().run(
            Self.lastLook + """
                closer-keys device policy --vault a.db --require-paired > /dev/null
                another_machine device policy --no-require-paired
                last_look "device policy --vault a.db --require-paired"
                mv other.db a.db; wait $looking
                """)
        #expect((run.exit, run.text) == (8, ""))
        #expect(run.errors.contains("another program has changed the policy"), "\(run.errors)")
    }

    @Test("memory that is short after a change: what ends the run says that the change was made")
    func shortage() throws {
        let run = try CoupleScene().run(
            Self.lastLook + """
                last_look "couple rewrap --vault a.db --couple couple_1 --phrase-file phrase-\\$run"
                truncate -s 200M a.db; prlimit --as=4096 --pid "$(pgrep -P $looking)"
                wait $looking
                """)
        #expect(run.exit == 6, "\(run.errors)")
        #expect(run.errors.contains("the vault was changed before that"), "\(run.errors)")
    }
}
