"""Makes the fonts conform: embeds those that are missing, and writes the widths and Unicode values that are."""

from pikepdf import Array, Dictionary, Name, Pdf, Stream
from cmaps import to_unicode, write_to_unicode
from font_program import Cff, TrueType, Type1
from fonts import BASES, DAMAGED, NONSYMBOLIC, SYMBOLIC, Font
from objects import drop, items_of, name_of
from standard import Standard
from substitute_fonts import embed_substitute


def repair_font(pdf: Pdf, font: Font, standard: Standard, changes: set[str]) -> None:
    try:
        _repair(pdf, font, standard, changes)
    except DAMAGED:
        # A damaged font is not repaired; the check reports it.
        return


def _repair(pdf: Pdf, font: Font, standard: Standard, changes: set[str]) -> None:
    for holder, key in font.names_in_other_encodings():
        holder[key] = Name(name_of(holder[key]))
    if font.kind != "/Type3" and font.stream is None and font.use.drawn:
        embed_substitute(pdf, font)
        changes.add("fonts")
        font = Font(font.use)
    if isinstance(font.program, TrueType):
        if font.is_composite:
            if "/CIDToGIDMap" not in font.descendant:
                font.descendant["/CIDToGIDMap"] = Name.Identity
        else:
            _choose_encoding(font)
            font = Font(font.use)
        _repair_widths(font)
    if font.descriptor is not None:
        _list_glyphs(pdf, font, standard)
    _repair_unicode(pdf, font)


def _choose_encoding(font: Font) -> None:
    """A TrueType font has either one of two encodings or is symbolic, which has none."""
    program, before = font.program, {code: font.glyph(code) for code in font.use.drawn}
    has_unicode = (3, 1) in program.cmaps
    differs = bool(items_of(font.dict.get("/Encoding"), "/Differences")) if "/Encoding" in font.dict else False
    if font.base_encoding in ("/WinAnsiEncoding", "/MacRomanEncoding") and not font.is_symbolic:
        if not differs or has_unicode:
            return
    attempts = [_as_symbolic]
    if has_unicode or (1, 0) in program.cmaps:
        attempts = [_as_nonsymbolic, _as_symbolic]
        if font.is_symbolic and not font.base_encoding:
            attempts.reverse()
    kept = (font.flags, font.dict.get("/Encoding"))
    for attempt in attempts:
        attempt(font)
        changed = Font(font.use)
        if all(changed.glyph(code) == glyph for code, glyph in before.items()) and _fits(changed):
            return
        font.descriptor["/Flags"] = kept[0]
        drop(font.dict, "/Encoding")
        if kept[1] is not None:
            font.dict["/Encoding"] = kept[1]


def _fits(font: Font) -> bool:
    cmaps = font.program.cmaps
    return not font.is_symbolic or len(cmaps) == 1 or (3, 0) in cmaps


def _as_symbolic(font: Font) -> None:
    font.descriptor["/Flags"] = (font.flags & ~NONSYMBOLIC) | SYMBOLIC
    drop(font.dict, "/Encoding")


def _as_nonsymbolic(font: Font) -> None:
    font.descriptor["/Flags"] = (font.flags & ~SYMBOLIC) | NONSYMBOLIC
    base = font.base_encoding if font.base_encoding in ("/WinAnsiEncoding", "/MacRomanEncoding") else "/WinAnsiEncoding"
    names = {code[0]: font.names.get(code[0], "") for code in font.use.codes}
    other = {code: name for code, name in names.items() if name and BASES[base].get(code) != name}
    if not other:
        font.dict["/Encoding"] = Name(base)
        return
    differences: list = []
    for code, name in sorted(other.items()):
        differences += [code, Name(f"/{name}")]
    font.dict["/Encoding"] = Dictionary(Type=Name.Encoding, BaseEncoding=Name(base), Differences=Array(differences))


def _repair_widths(font: Font) -> None:
    program, wrong = font.program, {}
    for code in font.use.drawn:
        glyph, width = font.glyph(code), font.declared_width(code)
        if isinstance(glyph, int) and program.has(glyph) and width is not None:
            if abs(program.width(glyph) - width) > 1:
                wrong[glyph] = width
    if wrong and font.stream is not None:
        data = program.with_widths(wrong)
        font.stream.write(data)
        font.stream["/Length1"] = len(data)
        program.__init__(data)


def _list_glyphs(pdf: Pdf, font: Font, standard: Standard) -> None:
    """PDF/A-1 requires a list of the glyphs of a subset; later parts forbid wrong lists, so they get none."""
    drop(font.descriptor, "/CIDSet", "/CharSet")
    is_subset = len(font.name) > 7 and font.name[6] == "+"
    if standard.part != 1 or not is_subset:
        return
    program = font.program
    if font.is_composite and program is not None:
        if isinstance(program, TrueType):
            mapped = font.gid_map
            count = program.count if mapped is None else len(mapped) // 2
            numbers = range(count)
        else:
            named = [int(name[3:]) for name in program.order if name.startswith("cid")]
            numbers = named if program.is_cid else range(len(program.order))
        bits = bytearray(max([0, *numbers]) // 8 + 1)
        for number in [0, *numbers]:
            bits[number // 8] |= 0x80 >> (number % 8)
        font.descriptor["/CIDSet"] = pdf.make_indirect(Stream(pdf, bytes(bits)))
    elif isinstance(program, (Cff, Type1)):
        names = program.order if isinstance(program, Cff) else program.strings
        font.descriptor["/CharSet"] = "".join(f"/{name}" for name in names if name != ".notdef")


def _repair_unicode(pdf: Pdf, font: Font) -> None:
    known = to_unicode(font.dict)
    if all(code in known for code in font.use.codes):
        return
    texts = {code: text for code in font.use.codes if (text := font.text(code))}
    if texts.keys() <= known.keys():
        return
    font.dict["/ToUnicode"] = pdf.make_indirect(Stream(pdf, write_to_unicode({**known, **texts})))
