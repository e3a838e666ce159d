import Foundation
import Testing

@Suite("closer-keys check: its memory")
struct CheckWriteTests {
    private let scene: CoupleScene

    init() async throws { scene = try await CoupleScene() }

    @Test(
        "1 MiB of hostile JSON takes at most 16 MiB",
        arguments: [
            ("couple", "{", "\"%05x\":0", "}"), ("couple", "{", "\"%016x\":{}", "}"),
            ("couple", "{\"x\":[", "{\"\":0}", "]}"), ("couple", "{\"userIds\":[", "[]", "]}"),
            ("couple", "{\"userIds\":[", "\"a\"", "]}"),
            ("couple", "{\"encryptionMigrationUsers\":{", "\"%06x\":true", "}}"),
            ("game-slot", "{\"answers\":{", "\"%016x\":\"\"", "}}"),
            ("legacy-answer", "{", "\"%05x\":\"\"", "}"), ("answer", "{", "\"%05x\":\"\"", "}"),
            ("answer", "{\"x\":[", "\"\"", "]}"),
        ])
    func memory(_ kind: String, _ first: String, _ item: String, _ last: String) throws {
        let run = try scene.run(
            """
            awk -v a='\(first)' -v f='\(item)' -v z='\(last)' 'BEGIN {
                printf "{\"document\":%s", a
                for (i = 0; n < 1048000; i++) { s = (i ? "," : "") sprintf(f, i); printf "%s", s; n += length(s) }
                print z "}" }' > hostile
            mkfifo in out
            closer-keys check --jsonl --kind \(kind) < in > out 2> errors & pid=$!
            exec 3> in 4< out
            peak() { read -r line <&4; awk '/VmHWM/ { print $2 }' /proc/$pid/status; }
            echo '{"document":{}}' >&3; peak
            cat hostile >&3; peak
            exec 3>&-; wait $pid || true
            """)
        let peaks = run.text.split(separator: "\n").compactMap { Int($0) }
        try #require(peaks.count == 2, "\(run.errors)")
        #expect(peaks[1] - peaks[0] <= 16 * 1024, "\(item): \(peaks) KiB")
    }
}
