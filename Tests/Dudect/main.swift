import Glibc

// Run by `make check-dudect`. It prints how far two classes of secrets differ in time, and fails only if it does not find what is
// planted: on a machine that does other things, too, a number by itself proves nothing.

let measurements = CommandLine.arguments.dropFirst().first.flatMap(Int.init) ?? 100_000
/// What dudect calls certain.
let certain = 10.0
var (found, missed) = (0, 0)

func padded(_ text: String, _ count: Int) -> String {
    String(repeating: " ", count: max(0, count - text.count)) + text
}

/// With one digit behind the point.
func rounded(_ number: Double) -> String { "\((number * 10).rounded() / 10)" }

print("     |t|  of     ticks  \(measurements) measurements of each, two classes of secrets")
for timed in Timed.all {
    let difference = timed.measured(measurements).difference
    let share = "\(Int(difference.share * 100)) %"
    var line = padded(rounded(difference.t), 8) + padded(share, 6) + padded(rounded(difference.ticks), 8)
    line += "  \(timed.name)"
    switch timed.expectation {
    case .planted:
        let isFound = difference.t > certain
        (found, missed) = (found + (isFound ? 1 : 0), missed + (isFound ? 0 : 1))
        line += isFound ? ": planted, and found" : ": planted, AND NOT FOUND"
    case .same: line += ": what chance alone makes"
    case .measured: line += difference.t > certain ? ": LOOK AT THIS" : ""
    }
    print(line)
    fflush(nil)
}
print("\(found) passed, \(missed) failed")
exit(missed == 0 && found > 0 ? 0 : 1)
