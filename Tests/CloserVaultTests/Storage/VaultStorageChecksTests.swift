import CloserPrimitives
import Testing

@testable import CloserVault

/// A server with one fault.
private final class FaultyServer: VaultServer {
    enum Fault: String, CaseIterable {
        case none
        case storesOverAnything, storesOverNothing, keepsItsTag, weakensTheTag, changesTheTag, forgets,
            cutsText
        case sendsAgain, takesAllWriters, saysOtherwise, isEmpty
    }

    let name = "the server"
    private let fault: Fault
    private let server = StandInServer()

    init(_ fault: Fault) { self.fault = fault }

    func fetch(unless tag: String?) throws(VaultError) -> (bytes: [UInt8], tag: String)? {
        let bare = fault == .weakensTheTag ? tag.map { String($0.dropFirst(2)) } : tag
        let answer: (bytes: [UInt8], tag: String)?
        do { answer = try server.fetch(unless: fault == .sendsAgain ? nil : bare) } catch {
            if fault == .isEmpty { return ([], "0") }
            throw error
        }
        guard let (bytes, tag) = answer else { return nil }
        switch fault {
        case .weakensTheTag: return (bytes, "W/\(tag)")
        case .changesTheTag: return (bytes, "\(tag)-gzip")
        case .cutsText: return (Array(bytes.prefix { $0 != 0 }), tag)
        case .forgets: throw .missing(path: name)
        default: return (bytes, tag)
        }
    }

    func store(_ bytes: [UInt8], over tag: String?) throws(VaultError) -> String {
        switch fault {
        case .storesOverAnything where tag != nil, .takesAllWriters where tag == "1",
            .storesOverNothing where tag == nil:
            return try server.store(bytes, over: server.states.last?.tag)
        case .weakensTheTag:
            return "W/" + (try server.store(bytes, over: tag.map { String($0.dropFirst(2)) }))
        case .keepsItsTag where tag != nil:
            _ = try server.store(bytes, over: tag)
            return tag ?? ""
        case .saysOtherwise:
            do { return try server.store(bytes, over: tag) } catch {
                throw .cannotWrite(path: name, reason: "412")
            }
        default: return try server.store(bytes, over: tag)
        }
    }
}

@Suite("Checks of an app's own server")
struct VaultStorageChecksTests {
    @Test("find nothing in a server that compares before it replaces") func sound() {
        #expect(VaultStorageChecks.faults(of: StandInServer()) == [])
        #expect(VaultStorageChecks.faults(of: FaultyServer(.none)) == [])
    }

    @Test(
        "find each fault, in its own words",
        arguments: [
            (FaultyServer.Fault.storesOverAnything, "an object over a tag that has changed is not .outdated"),
            (.storesOverNothing, "a new object over one that is there is not .outdated"),
            (.keepsItsTag, "another object has the same tag"),
            (.weakensTheTag, "the tag is a weak one: a proxy may have changed it"),
            (.changesTheTag, "fetch returns another tag than store did: a proxy may have changed it"),
            (.forgets, "an object that was stored is not there"),
            (.cutsText, "fetch returns other bytes than were stored last"),
            (.sendsAgain, "fetch returns an object again whose tag is known"),
            (.takesAllWriters, "of 8 writers at once, 8 replaced one object"),
            (.saysOtherwise, "an object over a tag that has changed is not .outdated"),
            (.isEmpty, "fetch does not say .missing where nothing is"),
        ])
    fileprivate func faulty(_ fault: FaultyServer.Fault, _ words: String) {
        let faults = VaultStorageChecks.faults(of: FaultyServer(fault))
        #expect(faults.contains(words), "\(faults)")
    }
}
