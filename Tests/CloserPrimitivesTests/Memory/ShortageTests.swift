import Foundation
import TestSupport
import Testing

@testable import CloserPrimitives

@Suite("Memory that the system does not give")
struct ShortageTests {
    /// From here on this process gets 16 MiB more, and has at most 64 MiB that are set aside. That is too little for Argon2id and enough for all else.
    private static func leaveLittleMemory() throws {
        let pages = try String(contentsOfFile: "/proc/self/statm", encoding: .utf8).prefix { $0 != " " }
        let bytes = (rlim_t(pages) ?? 0) * rlim_t(sysconf(Int32(_SC_PAGESIZE))) + (16 << 20)
        var limit = rlimit(rlim_cur: bytes, rlim_max: bytes)
        precondition(unsafe setrlimit(.init(RLIMIT_AS.rawValue), &limit) == 0)
    }

    @Test("Argon2id throws what it needed, with either library")
    func argon2id() async {
        await #expect(processExitsWith: .success) {
            let argon2id = try Argon2id(memoryKiB: 262_144, passes: 3, lanes: 1)
            let password = SecretBytes(testOnly: Array("password".utf8))
            let salt = [UInt8](repeating: 2, count: 16)
            let expected = MemoryShortage(.argon2id, byteCount: 262_144 * 1024)
            try ShortageTests.leaveLittleMemory()
            var errors: [MemoryShortage] = []
            do throws(MemoryShortage) { _ = try argon2id.derive(from: password, salt: salt.span) } catch {
                errors.append(error)
            }
            #if CLOSER_LIBARGON2
            do throws(MemoryShortage) {
                _ = try argon2id.deriveWithReference(from: password, salt: salt.span, count: 32)
            } catch { errors.append(error) }
            #else
            errors.append(expected)
            #endif
            precondition(errors == [expected, expected])
        }
    }

    @Test("a secret without memory ends the process as the program says")
    func secret() async {
        await #expect(processExitsWith: .exitCode(77)) {
            MemoryShortage.endsProcess { shortage in
                exit(shortage == MemoryShortage(.secret, byteCount: 1 << 46) ? 77 : 78)
            }
            _ = SecretBytes(capacity: 1 << 46) { _ in }
        }
    }

    @Test("a secret without memory ends the process, if no program says how")
    func trap() async {
        await #expect(processExitsWith: .failure) { _ = SecretBytes(capacity: 1 << 46) { _ in } }
    }

    @Test("how much was missing is said in MiB where it is much")
    func words() {
        let shortage = MemoryShortage(.argon2id, byteCount: 45 << 20)
        #expect("\(shortage)".contains(" 45 MiB "))
    }

    @Test("pieces of memory for secrets are counted")
    func counts() async {
        await #expect(processExitsWith: .success) {
            let before = SelfTest.memory.taken
            _ = SecretBytes.random(count: 40).count
            precondition(SelfTest.memory.taken == before + 1)
        }
    }
}
