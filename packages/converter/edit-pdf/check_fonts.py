"""Clause 6.2.11 of ISO 19005-2: fonts."""

from pikepdf import Name, Stream
from cmaps import is_two_byte_encoding, to_unicode
from content import FontUse
from font_program import Cff, TrueType, text_of_name
from fonts import DAMAGED, Font
from objects import is_dict, items_of, name_of
from standard import Fault, Standard

KINDS = ("/Type0", "/Type1", "/MMType1", "/Type3", "/TrueType")


def font_faults(use: FontUse, standard: Standard) -> list[Fault]:
    font = Font(use)
    label = f"the font {font.name[:60]}"
    try:
        return _faults(font, label, standard)
    except DAMAGED:
        return [Fault("6.2.11.4", f"{label} cannot be read")]


def _faults(font: Font, label: str, standard: Standard) -> list[Fault]:
    use = font.use
    found = []
    if font.names_in_other_encodings():
        found.append(Fault("6.1.8", f"the name of {label} is not UTF-8"))
    if font.kind not in KINDS:
        return [Fault("6.2.11.2", f"{label} is of no known kind")]
    if font.is_composite:
        found += _composite_faults(font, label)
    if font.kind != "/Type3" and use.drawn:
        if font.stream is None:
            return [*found, Fault("6.2.11.4", f"{label} is not embedded")]
        if font.program is None:
            return [*found, Fault("6.2.11.4", f"{label} cannot be read")]
        found += _glyph_faults(font, label)
        if isinstance(font.program, TrueType) and not font.is_composite:
            found += _encoding_faults(font, label)
    if standard.level == "u" and any(not _has_text(font, code) for code in use.codes):
        found.append(Fault("6.2.11.7", f"characters of {label} have no Unicode value"))
    return found


def _composite_faults(font: Font, label: str) -> list[Fault]:
    found = []
    encoding = font.dict.get("/Encoding")
    if not isinstance(encoding, Stream) and not is_two_byte_encoding(encoding):
        found.append(Fault("6.2.11.3", f"the codes of {label} cannot be read"))
    is_true_type = name_of(font.descendant.get("/Subtype")) == "/CIDFontType2"
    mapped = font.descendant.get("/CIDToGIDMap")
    if is_true_type and font.stream is not None and not isinstance(mapped, Stream) and name_of(mapped) != "/Identity":
        found.append(Fault("6.2.11.3", f"{label} does not say which glyphs its codes are"))
    return found


def _glyph_faults(font: Font, label: str) -> list[Fault]:
    """Every glyph that is drawn is there, is not the placeholder of a missing one, and is as wide as the PDF says."""
    missing = replaced = differs = False
    for code in font.use.drawn:
        glyph = font.glyph(code)
        if glyph is None or glyph in (0, ".notdef"):
            replaced = True
        elif not font.program.has(glyph):
            missing = True
        else:
            width = font.declared_width(code)
            differs = differs or width is None or abs(_width(font, glyph) - width) > 1.01
    return [
        *([Fault("6.2.11.8", f"a character of {label} has no glyph")] if replaced else []),
        *([Fault("6.2.11.4", f"a glyph of {label} is not embedded")] if missing else []),
        *([Fault("6.2.11.5", f"widths of {label} differ from those that the PDF declares")] if differs else []),
    ]


def _width(font: Font, glyph: int | str) -> float:
    try:
        return font.program.width(glyph)
    except Exception:  # noqa: BLE001 - a damaged glyph has no width
        return float("inf")


def _encoding_faults(font: Font, label: str) -> list[Fault]:
    cmaps = font.program.cmaps
    encoding = font.dict.get("/Encoding")
    if font.is_symbolic:
        if encoding is not None or not (len(cmaps) == 1 or (3, 0) in cmaps):
            return [Fault("6.2.11.6", f"{label} is symbolic and has an encoding")]
        return []
    if font.base_encoding not in ("/WinAnsiEncoding", "/MacRomanEncoding"):
        return [Fault("6.2.11.6", f"{label} has no encoding of the standard")]
    listed = items_of(encoding, "/Differences") if is_dict(encoding) else []
    differences = [name_of(each)[1:] for each in listed if isinstance(each, Name)]
    is_known = all(text_of_name(name) for name in differences) and (not differences or (3, 1) in cmaps)
    return [] if is_known and cmaps else [Fault("6.2.11.6", f"{label} has names of glyphs that are not of the standard")]


def _has_text(font: Font, code: bytes) -> bool:
    if code in to_unicode(font.dict):
        return True
    # Without a ToUnicode map, the encoding and the standard glyph names determine the text.
    if font.is_composite:
        return False
    is_named = font.base_encoding in ("/WinAnsiEncoding", "/MacRomanEncoding")
    if is_named or isinstance(font.program, Cff) or font.kind != "/TrueType":
        return bool(text_of_name(font.names.get(code[0], "")))
    return False
