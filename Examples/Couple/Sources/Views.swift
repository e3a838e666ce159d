// Never compiled: Linux has no SwiftUI. `make check-example` parses it, checks its types with a stand-in, and refuses a word that decides.
#if canImport(SwiftUI)
import SwiftUI

struct PhoneView: View {
    let model: CoupleModel

    var body: some View {
        VStack(spacing: 24) {
            switch model.screen {
            case .apart:
                Button("Invite your partner") { Task { await model.invite() } }
                Typed(title: "The code that your partner reads to you", act: model.accept)
            case .phrase(let words):
                Text("Write these ten words on paper. They bring your data back.")
                Text(words).font(.title2).privacySensitive()
                Button("I have written them down") { Task { await model.written() } }
            case .code(let code):
                Text("Read this code to your partner, at the table or on the telephone. Do not send it.")
                Text(code).font(.largeTitle.monospaced()).privacySensitive()
            case .waiting:
                Text("Waiting for your partner's phone. If the code was wrong, type the new one.")
                Typed(title: "The code that your partner reads to you", act: model.accept)
            case .together(let day):
                Text(day.note).font(.title)
                Typed(title: "A note for your partner", act: model.write)
                Text("Tea or coffee? \(day.line)").font(.headline)
                Text(day.answer).font(.title2)
                Typed(title: "Your answer", act: model.answer).disabled(day.isAnswered)
            }
            Text(model.notice).foregroundStyle(.red)
            Button("Refresh") { Task { await model.refresh() } }
        }
        .padding().disabled(model.isBusy).task { await model.refresh() }
    }
}

struct Typed: View {
    let title: String
    let act: @MainActor (String) async -> Void
    @State private var text = ""

    var body: some View {
        TextField(title, text: $text).autocorrectionDisabled().onSubmit { Task { await act(text) } }
    }
}
#endif
