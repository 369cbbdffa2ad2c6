"""Embeds a font in place of one that a PDF names and does not hold: one of the same widths where there is one.

Viewers do the same each time they show the page. Advance widths become those that the PDF declares.
"""

import io
import re
from pathlib import Path

from fontTools.subset import Options, Subsetter
from fontTools.ttLib import TTFont
from pikepdf import Array, Dictionary, Name, Pdf, Stream
from font_program import TrueType, text_of_name, type1_parts
from fonts import BASES, NONSYMBOLIC, SYMBOLIC, Font
from standard import Refused

FOLDERS = [Path("/usr/share/fonts/truetype") / name for name in ("liberation2", "liberation")]
TYPE1_FOLDERS = [Path("/usr/share/fonts/type1/urw-base35"), Path("/usr/share/fonts/X11/Type1")]
FIXED, SERIF, ITALIC, BOLD = 1, 2, 64, 1 << 18
SYMBOL_FONTS = {"Symbol": "StandardSymbolsPS", "ZapfDingbats": "D050000L"}


def _refusal(font: Font) -> Refused:
    return Refused(
        "unsupported",
        f"The PDF does not hold its font {font.name[:60]}, and no font of the service can take its place. "
        "Create the PDF again with embedded fonts.",
    )


def embed_substitute(pdf: Pdf, font: Font) -> None:
    if font.is_composite:
        raise _refusal(font)
    plain = re.sub(r"^[A-Z]{6}\+", "", font.name).split(",")[0]
    if plain in SYMBOL_FONTS:
        _embed_symbols(pdf, font, SYMBOL_FONTS[plain])
    else:
        _embed_letters(pdf, font)


def _embed_symbols(pdf: Pdf, font: Font, name: str) -> None:
    paths = [folder / f"{name}.{end}" for folder in TYPE1_FOLDERS for end in ("t1", "pfb")]
    path = next((each for each in paths if each.exists()), None)
    if path is None:
        raise _refusal(font)
    parts = type1_parts(path.read_bytes())
    stream = pdf.make_indirect(Stream(pdf, b"".join(parts)))
    stream["/Length1"], stream["/Length2"], stream["/Length3"] = len(parts[0]), len(parts[1]), 0
    font.dict["/Subtype"], font.dict["/BaseFont"] = Name.Type1, Name(f"/{name}")
    font.dict["/FontDescriptor"] = pdf.make_indirect(
        Dictionary(
            Type=Name.FontDescriptor, FontName=Name(f"/{name}"), Flags=SYMBOLIC, FontBBox=Array([-200, -300, 1100, 1000]),
            ItalicAngle=0, Ascent=1000, Descent=-300, CapHeight=700, StemV=80, FontFile=stream,
        )
    )
    embedded = Font(font.use)
    names = embedded.names
    codes = sorted(code for code, name in names.items() if embedded.program is not None and embedded.program.has(name))
    if not codes:
        raise _refusal(font)
    _set_widths(font, {code: embedded.program.width(names[code]) for code in codes})


def _set_widths(font: Font, widths: dict[int, float]) -> None:
    first, last = min(widths), max(widths)
    font.dict["/FirstChar"], font.dict["/LastChar"] = first, last
    font.dict["/Widths"] = Array([round(widths.get(code, 0), 3) for code in range(first, last + 1)])


def _file_for(font: Font) -> Path:
    name = font.name.lower()
    is_bold = bool(re.search("bold|black|heavy|demi|semib", name)) or bool(font.flags & BOLD)
    is_italic = bool(re.search("italic|oblique|slanted|kursiv", name)) or bool(font.flags & ITALIC)
    if re.search("cour|mono|consol|typewriter|lettergothic", name) or font.flags & FIXED:
        family = "Mono"
    elif re.search("times|roman|serif|georgia|garamond|book|minion|palat|cambria|century|song|ming", name) and "sans" not in name:
        family = "Serif"
    else:
        family = "Serif" if font.flags & SERIF and "helvet" not in name and "arial" not in name else "Sans"
    style = {(0, 0): "Regular", (1, 0): "Bold", (0, 1): "Italic", (1, 1): "BoldItalic"}[is_bold, is_italic]
    path = next((p for folder in FOLDERS if (p := folder / f"Liberation{family}-{style}.ttf").exists()), None)
    if path is None:
        raise _refusal(font)
    return path


def _embed_letters(pdf: Pdf, font: Font) -> None:
    names = font.names if font.names else BASES["/StandardEncoding"]
    texts = {code[0]: text_of_name(names.get(code[0], "")) or font.text(code) for code in font.use.codes}
    if not all(len(text) == 1 for text in texts.values()):
        raise _refusal(font)
    path = _file_for(font)
    source = TTFont(path, lazy=True)
    letters = source.getBestCmap()
    if not all(ord(text) in letters for text in texts.values()):
        raise _refusal(font)
    declared = {code: font.declared_width(bytes([code])) for code in texts}
    data = _subset(source, {ord(text) for text in texts.values()})
    program = TrueType(data)
    glyphs = {code: program.cmaps[3, 1][ord(text)] for code, text in texts.items()}
    program = TrueType(program.with_widths({glyphs[code]: width for code, width in declared.items() if width}))
    _write(pdf, font, path.stem, program, names, glyphs)


def _subset(source: TTFont, letters: set[int]) -> bytes:
    options = Options(layout_features=[], name_IDs=[], notdef_outline=True, glyph_names=False, hinting=False)
    options.drop_tables += ["GSUB", "GPOS", "GDEF", "OS/2", "post", "name", "FFTM", "kern", "gasp"]
    subsetter = Subsetter(options)
    subsetter.populate(unicodes=letters)
    subsetter.subset(source)
    for table in list(source["cmap"].tables):
        if (table.platformID, table.platEncID) != (3, 1):
            source["cmap"].tables.remove(table)
    out = io.BytesIO()
    source.save(out, reorderTables=False)
    return out.getvalue()


def _write(pdf: Pdf, font: Font, name: str, program: TrueType, names: dict[int, str], glyphs: dict[int, int]) -> None:
    data = bytes(program.font.reader.file.getvalue())
    stream = pdf.make_indirect(Stream(pdf, data))
    stream["/Length1"] = len(data)
    label = Name(f"/{_tag(glyphs)}+{name}")
    head, hhea = program.font.reader["head"], program.font.reader["hhea"]
    scale = 1000 / program.units

    def units(table: bytes, at: int) -> int:
        return round(int.from_bytes(table[at : at + 2], signed=True) * scale)

    font.dict["/Subtype"], font.dict["/BaseFont"] = Name.TrueType, label
    font.dict["/FontDescriptor"] = pdf.make_indirect(
        Dictionary(
            Type=Name.FontDescriptor, FontName=label, Flags=(font.flags & (FIXED | SERIF | ITALIC | BOLD)) | NONSYMBOLIC,
            FontBBox=Array([units(head, at) for at in (36, 38, 40, 42)]), ItalicAngle=-12 if "Italic" in name else 0,
            Ascent=units(hhea, 4), Descent=units(hhea, 6), CapHeight=700, StemV=80, FontFile2=stream,
        )
    )
    _set_widths(font, {code: program.width(glyph) for code, glyph in glyphs.items()})
    base = BASES["/WinAnsiEncoding"]
    differences: list = []
    for code in sorted(glyphs):
        if base.get(code) != names.get(code):
            differences += [code, Name(f"/{names[code]}")]
    encoding = Dictionary(Type=Name.Encoding, BaseEncoding=Name.WinAnsiEncoding, Differences=Array(differences))
    font.dict["/Encoding"] = encoding if differences else Name.WinAnsiEncoding


def _tag(glyphs: dict[int, int]) -> str:
    """Six letters, as a subset has before its name."""
    number = abs(hash(tuple(sorted(glyphs))))
    return "".join(chr(65 + number // 26**place % 26) for place in range(6))
