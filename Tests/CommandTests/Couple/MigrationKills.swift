import TestSupport
import Testing

/// A couple that has texts in the clear, on the way from version 0 to 2 (closer-keys-trust(7), ENCRYPTION VERSION).
@Suite("A migration that is killed")
struct MigrationKills {
    @Test("a migration that is killed twenty times on the way ends as one that was not")
    func killed() async throws {
        let count = Effort.count(20_000, full: 100_000)
        // What came out before the end replaces the rows on the server. A signal to a function would end its shell alone.
        let killed = try await ClosingProgram(after: Script(named: "Couple/migrate")).lines(
            """
            seq \(count) | jq -c '{id: ., plaintext: "text \\(.)"}' > server.jsonl
            cp server.jsonl original.jsonl
            for round in $(seq 20); do
                rm -f out.jsonl
                closer-keys field seal --migrate --vault a.db --jsonl --jobs 1 server.jsonl > out.jsonl 2> log & pid=$!
                until [ -s out.jsonl ] || ! kill -0 $pid 2> /dev/null; do :; done
                sleep 0.00$((RANDOM % 10)); kill -9 $pid 2> /dev/null || true
                code=0; wait $pid 2> /dev/null || code=$?; [ $code != 137 ] || echo killed
                whole=$(grep -c '}$' out.jsonl || true)
                head -n "$whole" out.jsonl | jq -c '{id, plaintext: .token}' > next.jsonl
                tail -n +$((whole + 1)) server.jsonl >> next.jsonl
                mv next.jsonl server.jsonl
            done
            alice field seal --migrate --jsonl server.jsonl > sealed.jsonl
            bob field open --jsonl sealed.jsonl | jq -c '{id, plaintext}' > opened.jsonl
            cmp opened.jsonl original.jsonl
            """)
        #expect(killed.contains("killed"))
    }
}
