"""The fonts of a document: from a character code to its glyph, its widths and its Unicode value."""

import io
import re
import struct
from functools import cached_property

from fontTools.encodings.MacRoman import MacRoman
from fontTools.encodings.StandardEncoding import StandardEncoding
from fontTools import agl
from fontTools.ttLib import TTFont
from pikepdf import Array, Name, Object, Stream
from cmaps import cid_of, to_unicode
from content import FontUse
from font_program import Cff, TrueType, Type1, text_of_name
from objects import bytes_of, cached, is_dict, is_utf8, items_of, name_of, sub

SYMBOLIC = 4
NONSYMBOLIC = 32


def _win_ansi() -> dict[int, str]:
    found = {}
    for code in range(32, 256):
        text = bytes([code]).decode("cp1252", "replace")
        name = "bullet" if text == "\ufffd" or code == 127 else agl.UV2AGL.get(ord(text), "")
        found[code] = {0xA0: "space", 0xAD: "hyphen", 0xB5: "mu"}.get(code, name)
    return found


def _named(names: list[str]) -> dict[int, str]:
    return {code: name for code, name in enumerate(names) if name and name != ".notdef"}


BASES = {
    "/WinAnsiEncoding": _win_ansi(),
    "/MacRomanEncoding": _named(MacRoman),
    "/StandardEncoding": _named(StandardEncoding),
}


# What the readers of damaged fonts raise.
DAMAGED = (LookupError, ValueError, TypeError, AssertionError, struct.error)


class Font:
    def __init__(self, use: FontUse):
        self.use = use
        self.dict = use.font
        self.kind = name_of(self.dict.get("/Subtype"))
        self.is_composite = self.kind == "/Type0"
        descendants = items_of(self.dict, "/DescendantFonts")
        self.descendant = descendants[0] if self.is_composite and descendants and is_dict(descendants[0]) else self.dict
        self.descriptor = sub(self.descendant, "/FontDescriptor")
        self.name = re.sub(r"[^\w .,+-]", "", name_of(self.dict.get("/BaseFont"))) or "without a name"
        flags = self.descriptor.get("/Flags") if self.descriptor is not None else None
        self.flags = int(flags) if flags is not None else 0

    def names_in_other_encodings(self) -> list[tuple[Object, str]]:
        """Dictionaries and keys of the names of the font that are not UTF-8; those of Asian fonts often are not."""
        keys = ((self.dict, "/BaseFont"), (self.descendant, "/BaseFont"), (self.descriptor, "/FontName"))
        holders = [(holder, key) for holder, key in keys if holder is not None]
        return [(holder, key) for holder, key in holders if isinstance(holder.get(key), Name) and not is_utf8(holder[key])]

    @property
    def is_symbolic(self) -> bool:
        return bool(self.flags & SYMBOLIC)

    @cached_property
    def stream(self) -> Stream | None:
        for key in ("/FontFile", "/FontFile2", "/FontFile3"):
            found = sub(self.descriptor, key)
            if isinstance(found, Stream):
                return found
        return None

    @cached_property
    def program(self) -> TrueType | Cff | Type1 | None:
        """None where the program cannot be read."""
        if self.stream is None:
            return None
        return cached("program", self.stream, lambda: _open(self.stream))

    @cached_property
    def names(self) -> dict[int, str]:
        """Names of the glyphs of a simple font, by code."""
        encoding = self.dict.get("/Encoding")
        built_in = {} if self.program is None else getattr(self.program, "encoding", {})
        names = dict(BASES.get(self.base_encoding) or built_in or ({} if self.is_symbolic else BASES["/StandardEncoding"]))
        code = 0
        for each in items_of(encoding, "/Differences") if is_dict(encoding) else []:
            if isinstance(each, Name):
                names[code] = name_of(each)[1:]
                code += 1
            else:
                code = int(each)
        return names

    @cached_property
    def base_encoding(self) -> str:
        encoding = self.dict.get("/Encoding")
        return name_of(encoding) or name_of(encoding.get("/BaseEncoding") if is_dict(encoding) else None)

    @cached_property
    def gid_map(self) -> bytes | None:
        found = self.descendant.get("/CIDToGIDMap")
        return bytes_of(found) if isinstance(found, Stream) else None

    def glyph(self, code: bytes) -> int | str | None:
        """The glyph of the program; None where it is not known."""
        program = self.program
        if self.is_composite:
            cid = cid_of(self.dict, code)
            if cid is None:
                return None
            if isinstance(program, Cff):
                return program.name_of_cid(cid)
            mapped = self.gid_map
            return cid if mapped is None else int.from_bytes(mapped[2 * cid : 2 * cid + 2])
        if isinstance(program, TrueType):
            return self._true_type_glyph(code[0], program)
        return self.names.get(code[0], ".notdef")

    def _true_type_glyph(self, code: int, program: TrueType) -> int:
        cmaps = program.cmaps
        if not self.is_symbolic or (self.base_encoding and (3, 1) in cmaps):
            text = text_of_name(self.names.get(code, ""))
            for place in ((3, 1), (0, 3), (0, 4), (3, 10)):
                if text and (glyph := cmaps.get(place, {}).get(ord(text[0]))):
                    return glyph
            macintosh = _mac_code(self.names.get(code, ""))
            if macintosh is not None and (glyph := cmaps.get((1, 0), {}).get(macintosh)):
                return glyph
        symbols = cmaps.get((3, 0), {})
        for high in (0xF000, 0, 0xF100, 0xF200):
            if glyph := symbols.get(high + code):
                return glyph
        return cmaps.get((1, 0), {}).get(code, 0)

    def declared_width(self, code: bytes) -> float | None:
        """None where the font has none for the code."""
        if self.is_composite:
            cid = cid_of(self.dict, code)
            return None if cid is None else self._cid_widths.get(cid, self._default_width)
        first = int(self.dict.get("/FirstChar", 0))
        widths = items_of(self.dict, "/Widths")
        if not widths:
            return None
        at = code[0] - first
        if 0 <= at < len(widths):
            return float(widths[at])
        missing = self.descriptor.get("/MissingWidth", 0) if self.descriptor is not None else 0
        return float(missing)

    @cached_property
    def _default_width(self) -> float:
        return float(self.descendant.get("/DW", 1000))

    @cached_property
    def _cid_widths(self) -> dict[int, float]:
        found: dict[int, float] = {}
        items = items_of(self.descendant, "/W")
        at = 0
        while at + 1 < len(items):
            first = int(items[at])
            if isinstance(items[at + 1], Array):
                found |= {first + step: float(width) for step, width in enumerate(items[at + 1])}
                at += 2
            elif at + 2 < len(items):
                last = min(int(items[at + 1]), first + 70_000)
                found |= dict.fromkeys(range(first, last + 1), float(items[at + 2]))
                at += 3
            else:
                break
        return found

    def text(self, code: bytes) -> str:
        """The Unicode value that the font gives or implies; empty where there is none."""
        found = to_unicode(self.dict).get(code)
        if found:
            return found
        if not self.is_composite and (text := text_of_name(self.names.get(code[0], ""))):
            return text
        glyph = self.glyph(code)
        if isinstance(self.program, TrueType) and isinstance(glyph, int):
            return self.program.texts.get(glyph, "")
        if isinstance(glyph, str) and not glyph.startswith("cid"):
            return text_of_name(glyph)
        return ""


def _mac_code(name: str) -> int | None:
    return next((code for code, each in BASES["/MacRomanEncoding"].items() if each == name), None)


def _open(stream: Stream) -> TrueType | Cff | Type1 | None:
    try:
        return _read(stream.read_bytes())
    except Exception:  # noqa: BLE001 - the readers of damaged fonts raise anything
        return None


def _read(data: bytes) -> TrueType | Cff | Type1:
    if data[:4] in (b"\0\1\0\0", b"true"):
        return TrueType(data)
    if data[:4] == b"OTTO":
        return Cff(TTFont(io.BytesIO(data)).reader["CFF "])
    if data[:1] == b"\1":
        return Cff(data)
    return Type1(data)
