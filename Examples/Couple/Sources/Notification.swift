import CloserKeys
import CloserPrimitives
import CloserTink
import Foundation

/// What the notification extension shows of a note that the server pushed, with the path where the note is kept. This file belongs to
/// the extension's target, and `keys` is what the app kept for it.
nonisolated func notificationText(of note: Data, at path: String, keys: Data) -> String {
    do {
        let keys = try OpeningKeys(parsing: SecretBytes(copying: keys))
        let opened = try keys.open(FieldToken(parsing: note), place: FieldPlace(parsing: path))
        let isProven = keys.origin(ofKey: opened.keyID)?.isPrivate == true
        return String(decoding: opened.plaintext, as: UTF8.self) + (isProven ? "" : " (not proven)")
    } catch FieldError.opening(.noMatchingKey) {
        return "Open the app to read it"
    } catch { return "A new note" }
}
