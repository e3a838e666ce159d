import CloserKeys
import Foundation

/// JSON read strictly and written in canonical form, as a chat message takes its payload: ours, and Foundation with sorted names.
enum JSONRows {
    static func all() throws -> [Row] {
        let (payload, text) = (JSONText.payload, JSONText.answers(5000))
        return [
            try Row(
                "canonical JSON, \(payload.count) bytes", OurJSON(text: payload), .time(8),
                against: [(FoundationJSON(text: payload), nil)]),
            try Row(
                "canonical JSON, \(text.count / 1000) kB", OurJSON(text: text),
                .time((Double(text.count) / 60).rounded()),
                against: [(FoundationJSON(text: text), nil)]
            ).noting(["Of canonical JSON, the goal of the large text is 60 MB a second."]),
        ]
    }
}

/// Answers as an app might write them: names not in order, a few escapes, and letters beyond ASCII.
private enum JSONText {
    static let payload = answer(4711)

    static func answers(_ count: Int) -> [UInt8] {
        Array(#"{"answers":["#.utf8) + (0..<count).map(answer).joined(separator: [UInt8(ascii: ",")])
            + Array("]}".utf8)
    }

    private static func answer(_ number: Int) -> [UInt8] {
        Array(
            """
            {"text": "By the sea.\\nBreakfast is on me: two \\"café au lait\\", and the river path at dusk – nº \(number)", \
            "mood": 4.5, "answeredAt": 17734\(number % 90000 + 10000)00, "tags": ["slow", "outdoors", "breakfast"], \
            "place": {"city": "Łódź", "isHome": false, "note": null}}
            """.utf8)
    }
}

private struct OurJSON: Contestant {
    let name = "closer-keys"
    let text: [UInt8]

    func run(_ times: Int) throws {
        for _ in 0..<times { keep(try ChatMessage(.file, number: 1, sentAt: 0, body: "", payload: text)) }
    }
}

/// It does not refuse what ours refuses, and its numbers are not ECMAScript's.
private struct FoundationJSON: Contestant {
    let name = "Foundation JSONSerialization"
    let text: [UInt8]

    func run(_ times: Int) throws {
        let data = Data(text)
        for _ in 0..<times {
            let value = try JSONSerialization.jsonObject(with: data)
            keep(try JSONSerialization.data(withJSONObject: value, options: .sortedKeys))
        }
    }
}
