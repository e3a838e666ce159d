"""The random choices of a case."""

from collections.abc import Callable, Iterable
from random import Random


class Draw(Random):
    """From the seed, the row and the index of a case, so that the case can be run again alone."""

    def __init__(self, seed: int, row: str, index: int) -> None:
        self.origin, self.index = f"{seed} {row}", index
        self.key_ids: set[int] = set()
        super().__init__(f"{seed} {row} {index}")

    def turn(self, dimension: str, options: Iterable[str]) -> str:
        """Takes each option once before any comes again, in random order."""
        everything = list(options)
        block, place = divmod(self.index, len(everything))
        return Random(f"{self.origin} {dimension} {block}").sample(everything, len(everything))[place]

    def key_id(self, make: Callable[[], int]) -> int:
        """The first that the case has not had: two keysets of one couple must not have two keys by one id."""
        while (key_id := make()) in self.key_ids:
            pass
        self.key_ids.add(key_id)
        return key_id
