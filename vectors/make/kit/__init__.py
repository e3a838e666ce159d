"""What the makers share: the frame of a file, keys, and readers that are not closer-keys.

The partner of `make check-interop`, written on Tink, pyca/cryptography, argon2-cffi and rfc8785, is read from here, too.
Tests/Interop/README.md says which of the implementations in Python answers which question.
"""

import sys
from pathlib import Path

FOLDER = Path(__file__).parents[2]

# First, for a maker and a module of the partner may bear the same name.
for folder in ("Tests/Interop/tink", "Tests/Interop"):
    sys.path.insert(0, str(FOLDER.parent / folder))
