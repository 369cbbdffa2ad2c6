"""What an embedded font program holds: its glyphs, their widths in thousandths of an em, and their names."""

import io
import math
import re
from functools import cached_property

from fontTools import agl
from fontTools.cffLib import CFFFontSet, cffISOAdobeStrings
from fontTools.encodings.StandardEncoding import StandardEncoding
from fontTools.misc.eexec import decrypt
from fontTools.misc.psCharStrings import T2WidthExtractor
from fontTools.ttLib import TTFont


class TrueType:
    """Glyphs are known by their numbers."""

    def __init__(self, data: bytes):
        self.font = TTFont(io.BytesIO(data), lazy=True)
        reader = self.font.reader
        self.count = int.from_bytes(reader["maxp"][4:6])
        self.units = int.from_bytes(reader["head"][18:20]) or 1000
        self.metrics = bytearray(reader["hmtx"])
        self.full = int.from_bytes(reader["hhea"][34:36])
        self.font.setGlyphOrder([f"glyph{number:05d}" for number in range(self.count)])

    @cached_property
    def cmaps(self) -> dict[tuple[int, int], dict[int, int]]:
        if "cmap" not in self.font:
            return {}
        tables = self.font["cmap"].tables
        return {
            (each.platformID, each.platEncID): {code: int(name[5:]) for code, name in each.cmap.items()}
            for each in tables
            if hasattr(each, "cmap")
        }

    @cached_property
    def texts(self) -> dict[int, str]:
        """Unicode values of glyphs."""
        found: dict[int, str] = {}
        for place in ((0, 3), (0, 4), (3, 1), (3, 10)):
            for code, glyph in self.cmaps.get(place, {}).items():
                if not 0xE000 <= code < 0xF900:
                    found.setdefault(glyph, chr(code))
        return found

    def has(self, glyph: int) -> bool:
        return 0 <= glyph < self.count

    def width(self, glyph: int) -> float:
        return self._advance(glyph) * 1000 / self.units

    def _advance(self, glyph: int) -> int:
        at = 4 * min(glyph, self.full - 1)
        return int.from_bytes(self.metrics[at : at + 2])

    def with_widths(self, widths: dict[int, float]) -> bytes:
        """The font with other advance widths. A viewer takes those of the PDF, so no page changes."""
        bearings = [self._bearing(glyph) for glyph in range(self.count)]
        advances = [self._advance(glyph) for glyph in range(self.count)]
        for glyph, width in widths.items():
            advances[glyph] = max(0, min(0xFFFF, round(width * self.units / 1000)))
        table = b"".join(a.to_bytes(2) + b for a, b in zip(advances, bearings))
        header = bytearray(self.font.reader["hhea"])
        header[34:36] = self.count.to_bytes(2)
        header[10:12] = max(advances).to_bytes(2)
        return _with_tables(self.font, {"hmtx": table, "hhea": bytes(header)})

    def _bearing(self, glyph: int) -> bytes:
        at = 4 * glyph + 2 if glyph < self.full else 4 * self.full + 2 * (glyph - self.full)
        return bytes(self.metrics[at : at + 2]).ljust(2, b"\0")


def _with_tables(font: TTFont, changed: dict[str, bytes]) -> bytes:
    tables = {tag: changed.get(tag, font.reader[tag]) for tag in font.reader.keys()}
    parts, directory, at = [], [], 12 + 16 * len(tables)
    for tag, data in sorted(tables.items()):
        padded = data + b"\0" * (-len(data) % 4)
        total = sum(int.from_bytes(padded[i : i + 4]) for i in range(0, len(padded), 4)) & 0xFFFFFFFF
        directory.append(tag.encode("latin-1") + total.to_bytes(4) + at.to_bytes(4) + len(data).to_bytes(4))
        parts.append(padded)
        at += len(padded)
    power = len(tables).bit_length() - 1
    head = [len(tables), 16 << power, power, 16 * len(tables) - (16 << power)]
    start = font.reader.sfntVersion.encode("latin-1") + b"".join(each.to_bytes(2) for each in head)
    return start + b"".join(directory) + b"".join(parts)


class Cff:
    """Glyphs are known by their names; those of a CID font are `cid00001`."""

    def __init__(self, data: bytes):
        fonts = CFFFontSet()
        fonts.decompile(io.BytesIO(data), None)
        self.top = fonts.topDictIndex[0]
        self.is_cid = hasattr(self.top, "ROS")
        if not self.is_cid and "charset" not in self.top.rawDict:
            # The first of the sets that are known by number.
            self.top.charset = cffISOAdobeStrings
        self.strings = self.top.CharStrings
        self.order = self.top.charset

    @cached_property
    def encoding(self) -> dict[int, str]:
        """The built-in one."""
        found = getattr(self.top, "Encoding", None)
        names = StandardEncoding if found in (None, "StandardEncoding") else found
        if not isinstance(names, list):
            return {}
        return {code: name for code, name in enumerate(names) if name != ".notdef"}

    def name_of_cid(self, cid: int) -> str | None:
        """In a font that is no CID font the number is that of the glyph."""
        if self.is_cid:
            return f"cid{cid:05d}" if cid else ".notdef"
        return self.order[cid] if cid < len(self.order) else None

    def has(self, name: str) -> bool:
        return name in self.strings

    def width(self, name: str) -> float:
        string = self.strings[name]
        private = string.private
        extractor = T2WidthExtractor(
            getattr(private, "Subrs", []),
            string.globalSubrs,
            getattr(private, "nominalWidthX", 0),
            getattr(private, "defaultWidthX", 0),
        )
        extractor.execute(string)
        return extractor.width * self._scale_of(name)

    def _scale_of(self, name: str) -> float:
        """The matrix of the font, of the part that the glyph belongs to, or of both."""
        dicts = [self.top]
        if self.is_cid and hasattr(self.top, "FDSelect"):
            dicts.append(self.top.FDArray[self.strings.getItemAndSelector(name)[1] or 0])
        scales = [each.FontMatrix[0] for each in dicts if "FontMatrix" in each.rawDict]
        return 1000 * math.prod(scales) if scales else 1


def type1_parts(data: bytes) -> tuple[bytes, bytes]:
    """The part in plain text, and the encrypted one as bytes. The form for Windows has a head before each part."""
    if data[:1] == b"\x80":
        segments, at = [], 0
        while data[at : at + 1] == b"\x80" and data[at + 1] in (1, 2):
            length = int.from_bytes(data[at + 2 : at + 6], "little")
            segments.append(data[at + 6 : at + 6 + length])
            at += 6 + length
        data = b"".join(segments)
    at = data.find(b"eexec")
    if at < 0:
        raise ValueError("no encrypted part")
    start = at + 5
    while data[start : start + 1] in (b" ", b"\t", b"\r", b"\n"):
        start += 1
    body = data[start:]
    if re.match(rb"[0-9A-Fa-f\s]{8}", body):
        end = body.find(b"0" * 64)
        digits = re.sub(rb"[^0-9A-Fa-f]", b"", body if end < 0 else body[:end])
        body = bytes.fromhex(digits[: len(digits) & ~1].decode("ascii"))
    return data[:start], body


class Type1:
    """Glyphs are known by their names."""

    def __init__(self, data: bytes):
        self.clear, body = type1_parts(data)
        private = decrypt(body, 55665)[0][4:]
        skip = re.search(rb"/lenIV\s+(\d+)", private)
        self.skip = int(skip.group(1)) if skip else 4
        reads = re.search(rb"/(\S{1,10})\s*\{\s*string\s+currentfile", private)
        self.reads = re.escape(reads.group(1)) if reads else rb"RD|-\|"
        self.subroutines = {int(k): v for k, v in self._strings(private, rb"dup\s+(\d+)")}
        at = private.find(b"/CharStrings")
        self.strings = {k.decode("latin-1"): v for k, v in self._strings(private[at + 12 :], rb"/(\S+)")}
        matrix = re.search(rb"/FontMatrix\s*\[\s*([\d.eE+-]+)", self.clear)
        self.scale = 1000 * float(matrix.group(1)) if matrix else 1

    def _strings(self, data: bytes, key: bytes):
        pattern = re.compile(key + rb"\s+(\d+)\s+(?:" + self.reads + rb")[ ]")
        at = 0
        while match := pattern.search(data, at):
            length = int(match.group(2))
            yield match.group(1), decrypt(data[match.end() : match.end() + length], 4330)[0][self.skip :]
            at = match.end() + length

    @cached_property
    def encoding(self) -> dict[int, str]:
        if re.search(rb"/Encoding\s+StandardEncoding", self.clear):
            return {code: name for code, name in enumerate(StandardEncoding) if name != ".notdef"}
        rows = re.findall(rb"dup\s+(\d+)\s*/(\S+)\s+put", self.clear)
        return {int(code): name.decode("latin-1") for code, name in rows}

    def has(self, name: str) -> bool:
        return name in self.strings

    def width(self, name: str) -> float:
        return self._advance(self.strings[name], [], 0) * self.scale

    def _advance(self, string: bytes, stack: list[float], depth: int) -> float:
        """A glyph starts with its side bearing and its width, possibly in a subroutine."""
        at = 0
        while at < len(string) and depth < 10:
            first = string[at]
            at += 1
            if first == 255:
                stack.append(int.from_bytes(string[at : at + 4], signed=True))
                at += 4
            elif first >= 247:
                sign, base = (1, 247) if first < 251 else (-1, 251)
                stack.append(sign * ((first - base) * 256 + string[at] + 108))
                at += 1
            elif first >= 32:
                stack.append(first - 139)
            elif first == 13:
                return stack[1]
            elif first == 10:
                return self._advance(self.subroutines[int(stack.pop())] + string[at:], stack, depth + 1)
            elif first == 11:
                continue
            elif first == 12 and string[at] == 12:
                at += 1
                below = stack.pop()
                stack.append(stack.pop() / below)
            elif first == 12 and string[at] == 7:
                return stack[2]
            else:
                break
        raise ValueError("the glyph has no width")


def text_of_name(name: str) -> str:
    """The Unicode value of the name of a glyph; empty where the name says nothing."""
    text = agl.toUnicode(name) or (agl.toUnicode(name, isZapfDingbats=True) if re.fullmatch(r"a\d{1,3}", name) else "")
    if not text and (match := re.fullmatch(r"(\w+?)(?:display|text|bigg?|Bigg?|ex|tp|bt|mid|big1|upright)", name)):
        text = agl.toUnicode(match.group(1))
    return text or EXTRA_NAMES.get(name, "")


"""Names of TeX's mathematical fonts that Adobe's list of glyphs does not have."""
EXTRA_NAMES = {
    "circlecopyrt": "◯", "hatwide": "̂", "tildewide": "̃", "nequal": "≠",
    "squaresmallsolid": "▪", "mapsto": "↦", "follows": "≻", "precedes": "≺", "star": "⋆", "owner": "∋", "triangle": "△",
    "triangleinv": "▽", "negationslash": "̸", "latticetop": "⊤", "perpendicular": "⊥", "arrowbothv": "↕",
    "arrownortheast": "↗", "arrowsoutheast": "↘", "arrownorthwest": "↖", "arrowsouthwest": "↙", "similarequal": "≃",
    "asymptoticequal": "≍", "equivasymptotic": "≍", "lessmuch": "≪", "greatermuch": "≫", "precedesequal": "⪯",
    "followsequal": "⪰", "arrowdblleft": "⇐", "prime": "′", "element": "∈", "ffi": "ffi", "ffl": "ffl", "ff": "ff",
    "dotlessj": "ȷ", "bardbl": "‖", "radical": "√", "logicaland": "∧", "logicalor": "∨", "floorleft": "⌊",
    "floorright": "⌋", "ceilingleft": "⌈", "ceilingright": "⌉", "angbracketleft": "⟨", "angbracketright": "⟩",
    "epsilon1": "ε", "phi1": "ϕ", "theta1": "ϑ", "omega1": "ϖ", "rho1": "ϱ", "sigma1": "ς", "lscript": "ℓ",
    "weierstrass": "℘", "partialdiff": "∂", "flat": "♭", "natural": "♮", "sharp": "♯", "arrowhookleft": "↩",
    "arrowhookright": "↪", "circleplus": "⊕", "circlemultiply": "⊗", "circledot": "⊙", "circleminus": "⊖",
    "openbullet": "◦", "asteriskmath": "∗", "diamondmath": "⋄", "minusplus": "∓", "plusminus": "±", "visiblespace": "␣",
    "square": "□", "suppress": "̸", "cedilla": "¸", "dieresis": "¨", "coproduct": "∐", "unionsq": "⊔",
    "intersectionsq": "⊓", "unionmulti": "⊎", "turnstileleft": "⊢", "turnstileright": "⊣", "nabla": "∇",
    "contintegral": "∮", "vector": "⃗", "tie": "⁀", "slurbelow": "⌣", "slurabove": "⌢", "arrowlefttophalf": "↼",
    "arrowleftbothalf": "↽", "arrowrighttophalf": "⇀", "arrowrightbothalf": "⇁", "bracehtipdownleft": "⏞",
    "bracehtipdownright": "⏞", "bracehtipupleft": "⏟", "bracehtipupright": "⏟", "vextendsingle": "|", "vextenddouble": "‖",
}
