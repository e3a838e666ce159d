"""Rewrites the interface of Swift's library for a watch, whose pointers have 32 bits (arm64_32). scripts/apple.py calls it.

The toolchain of Linux has the interface of systems with 64 bits. What differs is here: the size of Int and UInt, the conversions from
and to them, and what is in a String, whose 64-bit form packs a pointer and its flags into one word. Vectors of Int and UInt lose their
fast ways. The layout is a stand-in, as Tests/Apple is: what is compiled with it was checked, and is not to be run.
"""

import re

# A constant for a type or a function of the builtin module, after which the 64-bit name stands.
BUILTIN = r"(?<=_)|(?<=Builtin\.)"
FIELDS = """  @usableFromInline
  @frozen internal enum Variant {
    case immortal(Swift.UInt)
    case native(Swift.AnyObject)
  }
  @usableFromInline
  internal var _count: Swift.Int
  @usableFromInline
  internal var _variant: Swift._StringObject.Variant
  @usableFromInline
  internal var _discriminator: Swift.UInt8
  @usableFromInline
  internal var _flags: Swift.UInt16
  @inlinable @inline(__always) internal var _countAndFlagsBits: Swift.UInt64 {
    get { return UInt64(truncatingIfNeeded: _flags) &<< 48 | UInt64(truncatingIfNeeded: UInt(bitPattern: _count)) }
    set {
      _count = Int(truncatingIfNeeded: newValue)
      _flags = UInt16(truncatingIfNeeded: newValue &>> 48)
    }
  }
  @inlinable @inline(__always) internal init(_ bits: Swift.UInt64, _ variant: Swift._StringObject.Variant, _ top: Swift.UInt64) {
    self._count = Int(truncatingIfNeeded: bits)
    self._flags = UInt16(truncatingIfNeeded: bits &>> 48)
    self._variant = variant
    self._discriminator = UInt8(truncatingIfNeeded: top &>> 56)
  }
"""
RAW_BITS = """    let top = UInt64(truncatingIfNeeded: _discriminator) &<< 56
    switch _variant {
    case .immortal(let bits): return top | UInt64(truncatingIfNeeded: bits)
    case .native(let object):
      return top | UInt64(truncatingIfNeeded: UInt(Builtin.ptrtoint_Word(Builtin.bridgeToRawPointer(object))))
    }
"""


def narrowed(text: str) -> str:
    """The interface with 32 bits in a word."""
    return string(conversions(vectors(words(text))))


def between(text: str, first: str, last: str, rewrite) -> str:
    start = text.index(first)
    end = text.index(last, start)
    return text[:start] + rewrite(text[start:end]) + text[end:]


def words(text: str) -> str:
    """Int and UInt themselves."""
    for word, extended in [("UInt", "z"), ("Int", "s")]:
        def rewrite(part: str, extended: str = extended) -> str:
            part = re.sub(rf"({BUILTIN})Int64", "Int32", part)
            part = re.sub(rf"({BUILTIN})Int128", "Int64", part)
            part = re.sub(r"\b64\b", "32", part)
            part = re.sub(r"\b63\b", "31", part)
            part = part.replace("9223372036854775808.0", "2147483648.0").replace("18446744073709551616.0", "4294967296.0")
            # The compiler takes a Word for 32 or 64 bits.
            part = re.sub(r"[sz]extOrBitCast_Word_Int32", "truncOrBitCast_Word_Int32", part)
            part = part.replace("truncOrBitCast_Int32_Word", f"{extended}extOrBitCast_Int32_Word")
            return part.replace("UInt64(_value)", "UInt64(truncatingIfNeeded: self)")
        text = between(text, f"@frozen public struct {word} :", f"extension Swift.{word} : Swift.Sendable", rewrite)
    return text


def vectors(text: str) -> str:
    fast = r"(?m)^extension Swift\.SIMD(?:\d+ where Scalar == Swift\.U?Int|Mask where Storage == Swift\.SIMD\d+<Swift\.Int>) {\n[\s\S]*?^}\n"
    storage = r"(?m)^extension Swift\.U?Int : Swift\.SIMDScalar {\n[\s\S]*?^}\n"
    text = re.sub(fast, "", text)
    return re.sub(storage, lambda match: match[0].replace("xInt64", "xInt32").replace("_Int64", "_Int32"), text)


def conversions(text: str) -> str:
    """Other integers and floats, from and to a word."""
    text = re.sub(r"(return UInt\(\s*Builtin\.)[sz]ext(OrBitCast_Int64_)Int64\(_value\)", r"\1trunc\2Int32(_value)", text)
    text = re.sub(r"(return UInt\(\s*Builtin\.[sz]extOrBitCast_Int\d+_)Int64\(_value\)", r"\1Int32(_value)", text)
    text = text.replace("truncOrBitCast_Int64_Int64(bits._value)", "zextOrBitCast_Int32_Int64(bits._value)")
    text = re.sub(r"truncOrBitCast_Int64_(Int\d+\(bits\._value\))", r"truncOrBitCast_Int32_\1", text)
    text = re.sub(r"( UInt\(Builtin\.trunc_Int128_)Int64\(_value\)", r"\1Int32(_value)", text)
    text = re.sub(r"([su]itofp_)Int64(_FPIEEE\d+\((?:v|extended)\._value\))", r"\1Int32\2", text)
    return text.replace("return Int(Builtin.assumeNonNegative_Int64(x._value))", "return Int(Builtin.assumeNonNegative_Int32(x._value))")


def string(text: str) -> str:
    """The object of a String: a count, a pointer, and beside them what the upper bits of two words hold on 64 bits."""
    bits = "Swift.UInt64\n  @usableFromInline\n  internal var _object: Builtin.BridgeObject\n"
    text = text.replace(f"  @usableFromInline\n  internal var _countAndFlagsBits: {bits}", FIELDS)
    text = text.replace("    return Builtin.reinterpretCast(_object)\n", RAW_BITS)
    text = re.sub(r"  @inlinable @inline\(__always\) internal init\(bridgeObject: Builtin[\s\S]*?\n  }\n", "", text)
    for start, made in {
        "zero: ())": "0, .immortal(0), 0",
        "empty: ())": "0, .immortal(0), 0xE000_0000_0000_0000",
        "rawUncheckedValue bits: ": "bits.0, .immortal(UInt(truncatingIfNeeded: bits.1)), bits.1",
        "object: Swift.AnyObject, ": "countAndFlags._storage, .native(object), discriminator",
        "pointerBits: ": "countAndFlags._storage, .immortal(UInt(truncatingIfNeeded: pointerBits)), discriminator",
    }.items():
        # The first of these is an initialiser of _StringObject, whose text follows the one of its fields.
        start = text.index(f"internal init({start}", text.index("internal var _discriminator"))
        body = text.index("{\n", start) + 2
        text = text[:body] + f"    self.init({made})\n" + text[text.index("\n  }\n", body) + 1 :]
    return text.replace("return 0x4000_0000_0000_0000\n", "return 0x4000_0000\n")
