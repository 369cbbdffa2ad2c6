"""Adds the recognised text of scanned pages: invisible, under the picture, where its words lie.

The font has one glyph, which is empty and half an em wide; each word is scaled to its width on the page. Every character
of the document has a code of its own, whose Unicode value is in the ToUnicode map.
"""

import io
import json
import math
import re

from fontTools.fontBuilder import FontBuilder
from fontTools.pens.ttGlyphPen import TTGlyphPen
from pikepdf import Array, Dictionary, Name, Object, Pdf, Stream
from cmaps import write_to_unicode
from objects import inherited, is_dict

RIGHT_TO_LEFT = re.compile(r"[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufeff]")
"""What stays together when a word is turned round: digits are read from the left in every script, marks follow letters."""
CLUSTER = re.compile(r"\d[\d.,:/]*|.[\u0591-\u05c7\u064b-\u065f\u0670]*", re.S)
MAX_CODES = 65_000
ADVANCE = 0.5
SPACE = " "
UNITS = 1000
ASCENT, DESCENT = 750, 250


def add_text_layer(pdf: Pdf, path: str) -> None:
    with open(path, encoding="utf-8") as file:
        pages = [each for each in json.load(file)["pages"] if each["page"] < len(pdf.pages)]
    if not pages:
        return
    texts = {word[0] for page in pages for line in page["lines"] for word in line["words"]}
    characters = sorted({SPACE, *"".join(texts)})[:MAX_CODES]
    codes = {character: number for number, character in enumerate(characters, 1)}
    font = _font(pdf, codes)
    for each in pages:
        page = pdf.pages[each["page"]]
        name = _add_font(page.obj, font)
        content = "\n".join(_line(line, codes) for line in each["lines"])
        page.contents_add(f"q BT 3 Tr {name} 1 Tf\n{content}\nET Q".encode("ascii"), prepend=True)


def _add_font(page: Object, font: Object) -> str:
    """Resources may be those of other pages, too."""
    resources = inherited(page, "/Resources")
    own = Dictionary(resources) if is_dict(resources) else Dictionary()
    fonts = own.get("/Font")
    own["/Font"] = Dictionary(fonts) if is_dict(fonts) else Dictionary()
    name = "/Recognised"
    while name in own["/Font"]:
        name += "0"
    own["/Font"][name] = font
    page["/Resources"] = own
    return name


def _line(line: dict, codes: dict[str, int]) -> str:
    (x0, y0), (x1, y1) = line["from"], line["to"]
    length = math.hypot(x1 - x0, y1 - y0) or 1
    across, up = (line["size"] * each / length for each in (x1 - x0, y1 - y0))
    # Distances are those on the straightened picture.
    longest = max(start + width for _, start, width in line["words"]) or 1
    ratio = length / longest / line["size"]
    parts = [f"{across:.4g} {up:.4g} {-up:.4g} {across:.4g} {x0:.2f} {y0:.2f} Tm"]
    pen = 0.0
    words = [(text, start * ratio, width * ratio) for text, start, width in line["words"]]
    for at, (text, start, width) in enumerate(words):
        shown = [character for character in _in_order(text) if character in codes]
        if not shown:
            continue
        scale = max(1, round(100 * width / (ADVANCE * len(shown)), 1))
        step = scale / 100
        moved = _moved(start - pen, step)
        is_last = at + 1 == len(words)
        shown += [] if is_last else [SPACE]
        digits = "".join(f"{codes[character]:04x}" for character in shown)
        parts.append(f"{scale:g} Tz [{moved}<{digits}>] TJ")
        pen = start + ADVANCE * step * len(shown)
    return "\n".join(parts)


def _moved(distance: float, step: float) -> str:
    amount = round(-UNITS * distance / step)
    return f"{amount} " if amount else ""


def _in_order(text: str) -> str:
    """From left to right, as glyphs are placed."""
    return "".join(reversed(CLUSTER.findall(text))) if RIGHT_TO_LEFT.search(text) else text


def _font(pdf: Pdf, codes: dict[str, int]) -> Object:
    data = _program()
    program = Stream(pdf, data, Length1=len(data))
    name = Name("/Recognised")
    descriptor = Dictionary(
        Type=Name.FontDescriptor, FontName=name, Flags=4, ItalicAngle=0, Ascent=ASCENT, Descent=-DESCENT, CapHeight=ASCENT,
        StemV=80, FontBBox=Array([0, -DESCENT, UNITS // 2, ASCENT]), FontFile2=pdf.make_indirect(program),
    )
    # Every code is the one glyph.
    glyphs = Stream(pdf, b"\0\1" * (len(codes) + 1))
    descendant = Dictionary(
        Type=Name.Font, Subtype=Name.CIDFontType2, BaseFont=name, FontDescriptor=pdf.make_indirect(descriptor),
        CIDSystemInfo=Dictionary(Registry="Adobe", Ordering="Identity", Supplement=0), DW=round(ADVANCE * UNITS),
        CIDToGIDMap=pdf.make_indirect(glyphs),
    )
    texts = {number.to_bytes(2): character for character, number in codes.items()}
    return pdf.make_indirect(
        Dictionary(
            Type=Name.Font, Subtype=Name.Type0, BaseFont=name, Encoding=Name("/Identity-H"),
            DescendantFonts=Array([pdf.make_indirect(descendant)]),
            ToUnicode=pdf.make_indirect(Stream(pdf, write_to_unicode(texts))),
        )
    )


def _program() -> bytes:
    empty = TTGlyphPen(None).glyph()
    builder = FontBuilder(UNITS, isTTF=True)
    builder.setupGlyphOrder([".notdef", "empty"])
    builder.setupCharacterMap({})
    builder.setupGlyf({".notdef": empty, "empty": empty})
    builder.setupHorizontalMetrics(dict.fromkeys([".notdef", "empty"], (round(ADVANCE * UNITS), 0)))
    builder.setupHorizontalHeader(ascent=ASCENT, descent=-DESCENT)
    builder.setupPost(keepGlyphNames=False)
    out = io.BytesIO()
    builder.font.save(out)
    return out.getvalue()
