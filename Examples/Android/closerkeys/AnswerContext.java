package closerkeys;

/** What binds an answer to its couple, question and author. The place is in the payload alone. */
final class AnswerContext {
    final String couple;
    final String question;
    final String author;

    AnswerContext(String couple, String question, String author) throws Refused {
        this.couple = Names.id(couple);
        this.question = Names.question(question);
        this.author = Names.id(author);
    }

    byte[] ofPayload() {
        return Names.joined(couple, question, author);
    }

    byte[] ofRelease(String recipient) throws Refused {
        return Names.joined(couple, question, author, Names.id(recipient));
    }
}
