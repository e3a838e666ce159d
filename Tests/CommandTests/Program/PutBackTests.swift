import CloserWire
import Foundation
import TestSupport
import Testing

/// A virtual machine that is put back to a snapshot while a batch waits for its next line: the memory of then, and another line than then.
///
/// strace keeps the program from denying that its memory is read and written.
@Suite("A batch whose memory is put back")
struct PutBackTests {
    private let program: ClosingProgram

    init() throws {
        program = try ClosingProgram()
        try program.write(Data(TestData.golden.hex("coupleKeyset.binaryHex")), to: "k")
        let key = Base64.standard.encode(TestData.golden.hex("chat.alicePrivateHex"))
        try program.write(Data("\(key)\n".utf8), to: "alice.x25519")
        try program.write(Data(Self.machine.utf8), to: "machine.py")
    }

    private static func canTrace() throws -> Bool {
        try ClosingProgram().script("test -d /proc/self/task; strace -D -qq -o /dev/null true; python3 -c ''")
            .exit == 0
    }

    private static let machine = """
        import json, os, subprocess, sys, threading, time

        class Machine:
            def __init__(self, command):
                tool = "strace -D -qq -o /dev/null -e trace=prctl -e inject=prctl:retval=0 closer-keys "
                self.run = subprocess.Popen((tool + command).split(), stdin=-1, stdout=-1)

            def answers(self, text, count=1):
                lines = ('bad\\n{"plaintext":"%s"}\\n' % text).encode() * count
                writer = threading.Thread(target=lambda: (self.run.stdin.write(lines), self.run.stdin.flush()))
                writer.start()
                answers = [json.loads(self.run.stdout.readline()) for _ in range(2 * count)]
                writer.join()
                return answers

            # What each thread waits for, and where its stack is.
            def waits(self):
                waits, since = None, 0
                while since < 10 or "running" in str(waits):
                    tasks = f"/proc/{self.run.pid}/task"
                    now = {task: open(f"{tasks}/{task}/syscall").read() for task in os.listdir(tasks)}
                    waits, since = now, since + 1 if now == waits else 0
                    time.sleep(0.002)
                return waits

            def memory(self):
                maps = [line.split()[:2] for line in open(f"/proc/{self.run.pid}/maps")]
                pages = [[int(end, 16) for end in ends.split("-")] for ends, access in maps if access == "rw-p"]
                with open(f"/proc/{self.run.pid}/mem", "rb", 0) as file:
                    return {start: os.pread(file.fileno(), end - start, start) for start, end in pages}

            def put_back(self, memory):
                with open(f"/proc/{self.run.pid}/mem", "r+b", 0) as file:
                    for start, content in memory.items(): os.pwrite(file.fileno(), content, start)

        machine = Machine(sys.argv[1])
        machine.answers("so many that there are several threads", int(sys.argv[2]))
        for _ in range(6): machine.answers("text")
        waits, memory = machine.waits(), machine.memory()
        print(json.dumps([len(waits)] + machine.answers("one text")))
        while machine.waits() != waits: machine.answers("text")
        machine.put_back(memory)
        print(json.dumps([len(waits)] + machine.answers("other text")))
        machine.run.kill()
        """

    /// Where the nonce begins in the member.
    private static let batches = [
        ("field seal --keyset-file k --couple couple_1", "token", 14),
        ("chat seal --profile fitlink --chat alice_bob \(keys)", "iv", 0),
        ("chat seal --profile fond \(keys)", "field", 0),
    ]
    private static let keys =
        "--private-key-file alice.x25519 --peer-key \(TestData.golden.text("chat.bobPublic"))"

    @Test(
        "seals the next line under another nonce than before",
        .proves("A batch never uses a nonce twice, on several threads or after a snapshot"),
        .enabled(if: try canTrace()),
        arguments: batches, [1, 2])
    func otherNonce(_ batch: (command: String, member: String, start: Int), _ threads: Int) throws {
        let lines = threads == 1 ? 1 : 4000
        let run = try program.script(
            "timeout -s KILL 50 python3 machine.py '\(batch.command) --jsonl --jobs \(threads)' \(lines)")
        let answers = try run.text.split(separator: "\n").map {
            try JSONValue(parsing: Array($0.utf8)).array ?? []
        }
        try #require(answers.count == 2 && answers.allSatisfy { $0.count == 3 }, "\(run.errors)")
        #expect(answers.map { $0[0] } == [.number(Double(threads)), .number(Double(threads))])
        // The number of the line that fails is in the memory, too, and so it shows that the memory was put back.
        #expect(answers[0][1]["line"] == answers[1][1]["line"])
        let nonces = answers.map { $0[2][batch.member]?.string?.dropFirst(batch.start).prefix(15) }
        #expect(nonces[0]?.count == 15 && nonces[0] != nonces[1])
    }
}
