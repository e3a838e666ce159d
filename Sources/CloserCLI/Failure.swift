/// What a run says when it fails: the exit code for scripts, the words for people.
///
/// Lower case, no full stop. The message says what, the hint says what to type next. Neither quotes input.
struct Failure: Error {
    let status: ExitStatus
    let message: String
    let hint: String?

    init(_ status: ExitStatus, _ message: String, hint: String? = nil) {
        (self.status, self.message, self.hint) = (status, message, hint)
    }
}
