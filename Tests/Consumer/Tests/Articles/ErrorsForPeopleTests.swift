import CloserKeys
import CloserPrimitives
import CloserTink
import CloserVault
import Foundation
import Testing

// doc: ErrorsForPeople
/// What an alert says in the person's language; nil where there is nothing to say.
nonisolated func alertText(for error: any Error, in bundle: Bundle = .main) -> String? {
    if error is CancellationError { return nil }
    guard let error = error as? any CloserError else { return error.localizedDescription }
    return bundle.localizedString(forKey: "closer.\(error.id)", value: error.summary, table: nil)
}
// doc: end

@Suite("The article: Errors for people")
struct ErrorsForPeopleTests {
    @Test("the app's words come first, then the library's") func words() throws {
        let folder = try TemporaryFolder()
        try Data(#""closer.authFailed" = "Das passt nicht.";"#.utf8)
            .write(to: URL(fileURLWithPath: folder.path("Localizable.strings")))
        let bundle = try #require(Bundle(path: folder.path(".")))
        let (wrong, missing) = (VaultError.unwrap(.wrongCode), VaultError.couple(.missing))
        #expect(alertText(for: wrong, in: bundle) == "Das passt nicht.")
        #expect(alertText(for: missing, in: bundle) == "This device has no such couple.")
        #expect(alertText(for: CancellationError()) == nil)
    }

    @Test("a stranger reads the id, the number and the sentences of each module's errors") func texts() {
        let errors: [any CloserError] = [
            VaultError.busy(path: "a vault"), FieldError.unbound, OpenError.contextTooLong,
        ]
        #expect(errors.map(\.id) == ["ioError", "unbound", "limit"])
        #expect(errors.map(\.code) == [13, 37, 6])
        #expect(errors[0].summary == "Your data is in use." && errors[0].remedy == "Try again.")
    }
}
