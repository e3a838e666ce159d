"""What binds an answer to where it belongs: a question as both partners know it, and an answer's author."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Question:
    """The place is `daily:YYYY-MM-DD` or `thread:ID`; questions repeat, places tell them apart."""

    couple: str
    id: str
    place: str


@dataclass(frozen=True)
class Context:
    """The author's answer to a question. The place is not in it: only `_c` knows it."""

    couple: str
    question: str
    author: str

    def of_payload(self) -> bytes:
        """The sealed payload's associated data."""
        return f"{self.couple}|{self.question}|{self.author}".encode()

    def of_release(self, recipient: str) -> bytes:
        """The keybox's context."""
        return f"{self.couple}|{self.question}|{self.author}|{recipient}".encode()
