"""Character codes of composite fonts, and their Unicode values."""

import re

from pikepdf import Name, Object, Stream
from objects import bytes_of, cached, name_of

Ranges = tuple[tuple[bytes, bytes], ...]
TWO_BYTES: Ranges = ((b"\0\0", b"\xff\xff"),)

def split_codes(font: Object, text: bytes) -> list[bytes]:
    if name_of(font.get("/Subtype")) != "/Type0":
        return [bytes([each]) for each in text]
    ranges = code_ranges(font)
    codes, at = [], 0
    while at < len(text):
        length = next((len(low) for low, high in ranges if _holds(low, high, text[at : at + len(low)])), 0)
        length = length or min((len(low) for low, _ in ranges), default=2)
        codes.append(text[at : at + length])
        at += length
    return codes


def _holds(low: bytes, high: bytes, code: bytes) -> bool:
    return len(code) == len(low) and all(a <= b <= c for a, b, c in zip(low, code, high))


def code_ranges(font: Object) -> Ranges:
    encoding = font.get("/Encoding")
    if isinstance(encoding, Stream):
        return cached("ranges", encoding, lambda: _parse_ranges(bytes_of(encoding))) or TWO_BYTES
    # The predefined ones of which anything is known here are those of two bytes.
    return TWO_BYTES


def is_two_byte_encoding(encoding: object) -> bool:
    text = name_of(encoding)
    return isinstance(encoding, Name) and ("Identity" in text or "UCS2" in text or "UTF16" in text)


_SECTION = re.compile(rb"begin(codespacerange|bfchar|bfrange|cidchar|cidrange)(.*?)end\1", re.S)
_HEX = re.compile(rb"<([0-9A-Fa-f\s]*)>|\[|\]|(\d+)")


def _parse_ranges(data: bytes) -> Ranges:
    found = []
    for kind, body in _SECTION.findall(data):
        if kind == b"codespacerange":
            codes = [_unhex(each[0]) for each in _HEX.findall(body)]
            found += [(low, high) for low, high in zip(codes[::2], codes[1::2]) if len(low) == len(high) and low]
    return tuple(sorted(found, key=lambda each: len(each[0])))


def _unhex(text: bytes) -> bytes:
    digits = re.sub(rb"\s", b"", text)
    return bytes.fromhex((digits + b"0" * (len(digits) % 2)).decode("ascii"))


def to_unicode(font: Object) -> dict[bytes, str]:
    """What the ToUnicode map of the font says; values that mean nothing are left out."""
    stream = font.get("/ToUnicode")
    if not isinstance(stream, Stream):
        return {}
    return cached("unicode", stream, lambda: _parse_unicode(bytes_of(stream)))


MAX_CODES = 70_000


def _parse_unicode(data: bytes) -> dict[bytes, str]:
    found: dict[bytes, str] = {}
    for kind, body in _SECTION.findall(data):
        tokens = [match.group(0) for match in _HEX.finditer(body)]
        if kind == b"bfchar":
            values = [_unhex(each[1:-1]) for each in tokens if each.startswith(b"<")]
            for code, text in zip(values[::2], values[1::2]):
                _put(found, code, text)
        elif kind == b"bfrange":
            _parse_bfrange(found, tokens)
    return found


def _parse_bfrange(found: dict[bytes, str], tokens: list[bytes]) -> None:
    at = 0
    while at + 2 < len(tokens):
        low, high = _unhex(tokens[at][1:-1]), _unhex(tokens[at + 1][1:-1])
        first, count = int.from_bytes(low), int.from_bytes(high) - int.from_bytes(low) + 1
        at += 2
        if tokens[at] == b"[":
            end = tokens.index(b"]", at) if b"]" in tokens[at:] else len(tokens)
            texts = [_unhex(each[1:-1]) for each in tokens[at + 1 : end]]
            at = end + 1
        else:
            start = _unhex(tokens[at][1:-1])
            at += 1
            texts = [_raised(start, step) for step in range(min(max(count, 0), MAX_CODES))]
        for step, text in enumerate(texts):
            if len(found) < MAX_CODES and first + step < 256 ** len(low):
                _put(found, (first + step).to_bytes(len(low)), text)


def _raised(text: bytes, step: int) -> bytes:
    """The last UTF-16 unit counts up."""
    if len(text) < 2:
        return text
    return text[:-2] + ((int.from_bytes(text[-2:]) + step) & 0xFFFF).to_bytes(2)


def _put(found: dict[bytes, str], code: bytes, text: bytes) -> None:
    value = text.decode("utf-16-be", "ignore")
    if value and not set(value) & {"\0", "\ufeff", "\ufffe", "\uffff"}:
        found[code] = value


def cid_of(font: Object, code: bytes) -> int | None:
    """The glyph number of a code in its character collection; None where the map is not known here."""
    encoding = font.get("/Encoding")
    if isinstance(encoding, Stream):
        chars = cached("cids", encoding, lambda: _parse_cids(bytes_of(encoding)))
        if not chars and name_of(encoding.get("/UseCMap")).startswith("/Identity"):
            return int.from_bytes(code)
        return chars.get(code, 0)
    return int.from_bytes(code) if name_of(encoding).startswith("/Identity") else None


def _parse_cids(data: bytes) -> dict[bytes, int]:
    found: dict[bytes, int] = {}
    for kind, body in _SECTION.findall(data):
        tokens = [match.group(0) for match in _HEX.finditer(body)]
        if kind == b"cidchar":
            for code, cid in zip(tokens[::2], tokens[1::2]):
                found[_unhex(code[1:-1])] = int(cid)
        elif kind == b"cidrange":
            for low, high, cid in zip(tokens[::3], tokens[1::3], tokens[2::3]):
                start, end = _unhex(low[1:-1]), _unhex(high[1:-1])
                first = int.from_bytes(start)
                for step in range(min(int.from_bytes(end) - first + 1, MAX_CODES)):
                    found[(first + step).to_bytes(len(start))] = int(cid) + step
    return found


def write_to_unicode(texts: dict[bytes, str]) -> bytes:
    length = max(map(len, texts), default=1)
    lines = [
        "/CIDInit /ProcSet findresource begin 12 dict begin begincmap",
        "/CIDSystemInfo << /Registry (Adobe) /Ordering (UCS) /Supplement 0 >> def",
        "/CMapName /Adobe-Identity-UCS def /CMapType 2 def",
        f"1 begincodespacerange <{'00' * length}> <{'FF' * length}> endcodespacerange",
    ]
    rows = [f"<{code.hex()}> <{text.encode('utf-16-be').hex()}>" for code, text in sorted(texts.items())]
    for at in range(0, len(rows), 100):
        part = rows[at : at + 100]
        lines += [f"{len(part)} beginbfchar", *part, "endbfchar"]
    lines.append("endcmap CMapName currentdict /CMap defineresource pop end end")
    return "\n".join(lines).encode("ascii")
