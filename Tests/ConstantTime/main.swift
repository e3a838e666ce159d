import CMemcheck
import CloserKeys
import CloserPrimitives
import Glibc

// Run by `make check-constant-time` under valgrind, which sees each branch and each index that depends on a hidden byte.

guard memcheck_is_there() else {
    print("constant-time: run this under valgrind")
    exit(1)
}

var failures = 0
for check in Check.all {
    let errors = try check.errors()
    let isFine = check.isPlanted == (errors > 0)
    failures += isFine ? 0 : 1
    let seen = errors == 0 ? "nothing depends on it" : "a branch or an index depends on it"
    print(
        isFine ? "ok " : "not ok ", check.isPlanted ? "planted: " : "", check.name, ": ", seen, separator: "")
}
print("\(Check.all.count - failures) passed, \(failures) failed")
exit(failures == 0 ? 0 : 1)
