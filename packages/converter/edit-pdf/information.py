"""The information dictionary of a PDF, with ExifTool's names for its entries, and the XMP packet with the same values.

The packet keeps the declared conformance (PDF/A, PDF/UA).
"""

import re

from pikepdf import Name, Object, Pdf, Stream, String
from metadata import DATE, clean_text, packet
from objects import bytes_of, entries, entry, name_of, open_pdf, save_step

# What the dictionary calls otherwise.
NAMES = {"CreateDate": "CreationDate", "ModifyDate": "ModDate"}
DATES = ("CreationDate", "ModDate")
DECLARATIONS = ("pdfaid:part", "pdfaid:conformance", "pdfuaid:part")


def read_information(path: str) -> dict[str, object]:
    with open_pdf(path) as pdf:
        version = float(pdf.pdf_version)
        found: dict[str, object] = {"PDFVersion": int(version) if version.is_integer() else version}
        for key, value in entries(entry(pdf.trailer, "/Info")):
            name = "CreateDate" if key == "/CreationDate" else str(key)[1:]
            if name != "PDFVersion":
                found[name] = _value(str(key)[1:], value)
        return found


def _value(name: str, value: object) -> object:
    if isinstance(value, (bool, int)):
        return value
    if not isinstance(value, String):
        return name_of(value)[1:] or str(value)
    text = str(value)
    if name in DATES:
        return _read_date(text)
    if name == "Keywords" and ", " in text:
        return text.split(", ")
    return {"true": True, "false": False}.get(text, text)


def _read_date(text: str) -> str:
    """`D:20060918162750-04'00'` as `2006:09:18 16:27:50-04:00`."""
    match = DATE.match(text)
    if not match:
        return text
    year, month, day, hour, minute, second, utc, zone, rest = match.groups()
    offset = "Z" if utc else f"{zone}:{rest or '00'}" if zone else ""
    return f"{year}:{month or '01'}:{day or '01'} {hour or '00'}:{minute or '00'}:{second or '00'}{offset}"


GIVEN_DATE = re.compile(
    r"(\d{4})[-:](\d\d)[-:](\d\d)(?:[T ](\d\d):(\d\d)(?::(\d\d))?(?:\.\d+)?)?(?:(Z)|([+-]\d\d):?(\d\d))?$"
)


def _write_date(text: str) -> str:
    match = GIVEN_DATE.match(text)
    if not match:
        return text
    year, month, day, hour, minute, second, utc, zone, rest = match.groups()
    offset = "Z" if utc else f"{zone}'{rest}'" if zone else ""
    return f"D:{year}{month}{day}{hour or '00'}{minute or '00'}{second or '00'}{offset}"


def write_information(path: str, given: dict[str, object]) -> str:
    """Adds or replaces entries."""
    with open_pdf(path) as pdf:
        info = pdf.docinfo
        for key, value in given.items():
            # The version is that of the file itself.
            if key != "PDFVersion":
                name, text = NAMES.get(key, key), _text(value)
                info[f"/{name}"] = (
                    Name(f"/{text}") if name == "Trapped" else String(_write_date(text) if name in DATES else text)
                )
        stream = Stream(pdf, _packet(pdf, info).encode("utf-8"))
        stream["/Type"], stream["/Subtype"] = Name.Metadata, Name.XML
        pdf.Root.Metadata = pdf.make_indirect(stream)
        version = given.get("PDFVersion")
        is_version = isinstance(version, (int, float)) and 1.4 <= version <= 2
        return save_step(pdf, f"{version:.1f}" if is_version else "")


def _text(value: object) -> str:
    """As JSON writes it."""
    if isinstance(value, list):
        return ", ".join(map(_text, value))
    if isinstance(value, bool) or value is None:
        return str(value).lower().replace("none", "null")
    return str(int(value)) if isinstance(value, float) and value.is_integer() else str(value)


def _packet(pdf: Pdf, info: Object) -> str:
    texts = {str(key)[1:]: clean_text(value) for key, value in entries(info)}
    dates = {name: re.sub(r"^(\d{4}):(\d\d):(\d\d) ", r"\1-\2-\3T", _read_date(texts.get(name, ""))) for name in DATES}
    before = bytes_of(pdf.Root.Metadata).decode("utf-8", "replace") if "/Metadata" in pdf.Root else ""
    declared = {}
    for name in DECLARATIONS:
        match = re.search(f"{name}(?:>|=[\"'])([0-9A-Za-z]{{1,4}})[<\"']", before)
        declared[name] = match[1] if match else ""
    return packet(texts, dates, declared)
