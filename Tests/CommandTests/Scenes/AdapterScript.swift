import Foundation
import TestSupport

extension ClosingProgram {
    /// Writes `child.sh`, a program that speaks the line protocol and has these operations. `sh child.sh MEMBER` answers
    /// every case with that one member.
    func writeAdapterScript(features: String) throws {
        try write(
            Data(
                #"""
                read start
                echo '{"seq":0,"features":[\#(features)]}'
                n=1
                while read line; do
                    case $line in *'"stop"'*) exit 0 ;; esac
                    echo "{\"seq\":$n,$1}"
                    n=$((n + 1))
                done
                """#.utf8), to: "child.sh")
    }
}
