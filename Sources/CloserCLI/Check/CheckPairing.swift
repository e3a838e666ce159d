internal import ArgumentParser
internal import CloserKeys

// The three documents of a pairing. None of them is secret.

extension CheckCommand {
    struct PairOffer: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "pair-offer", abstract: "Check the document that an inviter gives in a pairing.")

        @OptionGroup var subject: CheckOptions

        func run() throws {
            var inputs = Inputs()
            try subject.judge("pair-offer", &inputs) { (bytes) throws(DocumentError) in
                _ = try CloserKeys.PairOffer(parsing: bytes)
            }
        }
    }

    struct PairReply: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "pair-reply", abstract: "Check the document that an acceptor answers in a pairing.")

        @OptionGroup var subject: CheckOptions

        func run() throws {
            var inputs = Inputs()
            try subject.judge("pair-reply", &inputs) { (bytes) throws(DocumentError) in
                _ = try CloserKeys.PairReply(parsing: bytes)
            }
        }
    }

    struct PairGrant: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "pair-grant", abstract: "Check the document that ends a pairing.")

        @OptionGroup var subject: CheckOptions

        func run() throws {
            var inputs = Inputs()
            try subject.judge("pair-grant", &inputs) { (bytes) throws(DocumentError) in
                _ = try CloserKeys.PairGrant(parsing: bytes)
            }
        }
    }
}
