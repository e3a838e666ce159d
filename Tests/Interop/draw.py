"""The random choices of a case."""

from collections.abc import Iterable
from random import Random


class Draw(Random):
    """From the seed, the row and the index of a case, so that the case can be run again alone."""

    def __init__(self, seed: int, row: str, index: int) -> None:
        self.origin, self.index = f"{seed} {row}", index
        super().__init__(f"{seed} {row} {index}")

    def turn(self, dimension: str, options: Iterable[str]) -> str:
        """Takes each option once before any comes again, in random order."""
        everything = list(options)
        block, place = divmod(self.index, len(everything))
        return Random(f"{self.origin} {dimension} {block}").sample(everything, len(everything))[place]
