import Foundation
import TestSupport
import Testing

/// Two machines that share the vault's folder, and somebody who holds the lock beside the vault until the other one has written.
@Suite("A warning that was decided by a look before the change")
struct OthersChangesTests {
    private let program: ClosingProgram

    init() throws {
        program = try ClosingProgram()
        let run = try program.script(
            """
            closer-keys device init --vault a.db --user alice --key-file a.key
            closer-keys couple create --vault a.db --couple c --phrase-file phrase -o invite
            closer-keys couple show --vault a.db --couple c --document -o document
            """)
        try #require(run.exit == 0, "\(run.errors)")
    }

    /// Recovers the couple by its former document. The other machine makes `change` in a copy before, or does not; its file comes while
    /// this command waits for the lock.
    private func recover(after change: String) throws -> ClosingProgram.Run {
        try program.script(
            """
            cp a.db b.db; \(change)
            exec 9> a.db.lock; flock 9
            closer-keys couple recover --vault a.db --couple c --phrase-file phrase document 9>&- & waiting=$!
            until ls -l /proc/$waiting/fd | grep -q a.db.lock; do sleep 0.05; done
            mv b.db a.db; exec 9>&-; wait $waiting
            """)
    }

    @Test("a new phrase of the other machine is given up for the former one, and that is told")
    func told() throws {
        let other =
            "XDG_STATE_HOME=$PWD/two closer-keys couple rewrap --vault b.db --key-file a.key --couple c --phrase-file new > o"
        let run = try recover(after: other)
        #expect(run.exit == 0)
        #expect(
            run.errors.contains(
                "closer-keys: warning: another program changed the vault while this command ran; see how c stands: closer-keys couple show\n"
            ), "\(run.errors)")
        // With nothing between.
        let alone = try recover(after: "")
        #expect(alone.exit == 0 && !alone.errors.contains("another program"), "\(alone.errors)")
    }
}
