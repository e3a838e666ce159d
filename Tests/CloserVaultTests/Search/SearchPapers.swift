import CloserPrimitives
import CloserWire
import TestSupport

@testable import CloserKeys

/// All documents of the search, by number, and what the server makes of them: it knows no code, and may try one.
final class SearchPapers {
    private let names: SearchNames
    private var papers: [SearchPaper] = []
    private var numbers: [Int: Int] = [:]
    private var answers: [Int: [Int]] = [:]
    let server: SearchServer

    init(_ names: SearchNames, server: SearchServer) { (self.names, self.server) = (names, server) }

    subscript(number: Int) -> SearchPaper { papers[number] }

    func add(_ offer: PairOffer, by seat: Seat?, code: consuming SecretBytes, trick: String? = nil) -> Int {
        let text = String(decoding: code.testOnlyBytes(), as: UTF8.self)
        return add(.offer(offer), offer.said, offer.lookup, seat, trick, code: text)
    }

    func add(_ reply: PairReply, by seat: Seat?, to offer: Int, trick: String? = nil) -> Int {
        let number = add(.reply(reply), reply.said, reply.lookup, seat, trick, answers: offer)
        if seat != nil, server.hasJudged(reply, papers[offer]) { papers[number].isOpened = true }
        return number
    }

    func add(_ grant: PairGrant, by seat: Seat?, for reply: Int, trick: String? = nil) -> Int {
        let number = add(.grant(grant), grant.said, grant.lookup, seat, trick, answers: reply)
        if seat != nil, server.hasOpened(grant) { papers[number].isOpened = true }
        return number
    }

    private func add(
        _ content: SearchPaper.Content, _ said: [UInt8], _ lookup: PairingCode.Lookup, _ author: Seat?,
        _ trick: String?, code: String? = nil, answers: Int? = nil
    ) -> Int {
        let name = names.of("paper", said)
        if let number = numbers[name] { return number }
        var paper = SearchPaper(
            content: content, author: author, trick: trick,
            lookup: names.of("lookup", Array(lookup.text.utf8)), name: name)
        (paper.code, paper.answers) = (code, answers)
        if let reply = paper.reply, let offer = answers.flatMap({ papers[$0].offer }) {
            paper.transcript = names.of("T", PairingTranscript(offer, reply).digest)
        }
        papers.append(paper)
        numbers[name] = papers.count - 1
        return papers.count - 1
    }

    /// What the server makes of a genuine document: always the same.
    func forged(from number: Int) -> [Int] {
        if let known = answers[number] { return known }
        let forged: [Int]
        switch papers[number].content {
        case .offer(let offer):
            forged =
                server.offers(like: offer, papers[number]).map {
                    add($0.offer, by: nil, code: SecretBytes(testOnly: []), trick: $0.trick)
                }
                + server.guesses(at: offer, papers[number]).map {
                    add($0.reply, by: nil, to: number, trick: $0.trick)
                }
        case .reply(let reply):
            forged = server.replies(like: reply, papers[number]).map {
                add($0.reply, by: nil, to: papers[number].answers ?? 0, trick: $0.trick)
            }
        case .grant(let grant):
            forged = server.grants(like: grant).map {
                add($0.grant, by: nil, for: papers[number].answers ?? 0, trick: $0.trick)
            }
        }
        answers[number] = forged
        return forged
    }
}

// MARK: - What a document says, however it is spelled

extension PairOffer {
    var said: [UInt8] { [1] + Array(lookup.text.utf8) + session + share.bytes + inviter.said }
}

extension PairReply {
    var said: [UInt8] {
        [2] + Array(lookup.text.utf8) + share.bytes + tag + acceptor.said + hold
    }
}

extension PairGrant {
    var said: [UInt8] { [3] + Array(lookup.text.utf8) + tag + sealed }
}

extension PairingParty {
    fileprivate var said: [UInt8] { user.bytes + publicKey.text + x25519PublicKey.bytes }
}
