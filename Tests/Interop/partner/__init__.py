"""A partner whose device is not ours: the v1 formats, written anew on libraries that are not ours either.

Nothing in here runs closer-keys or knows how it is written; that it keeps to the formats is what the golden
values say. Tests/Interop/README.md compares it with the two other implementations in Python.
"""
