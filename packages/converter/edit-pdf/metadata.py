"""What the document says of itself: the information dictionary, and an XMP packet that says the same."""

import re
from datetime import datetime, timezone
from xml.sax.saxutils import escape

from pikepdf import Dictionary, Name, Pdf, Stream, String
from objects import all_dicts, drop, entries, entry, name_of, sub
from standard import Standard

TEXTS = ("Title", "Author", "Subject", "Keywords", "Creator", "Producer")
_CONTROLS = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f\ufffe\uffff\ud800-\udfff]")
DATE = re.compile(r"D:(\d{4})(\d\d)?(\d\d)?(\d\d)?(\d\d)?(\d\d)?(?:(Z)|([+-]\d\d)'?(\d\d)?)?")


def clean_text(value: object) -> str:
    text = str(value) if isinstance(value, String) else name_of(value)
    return _CONTROLS.sub("", text).strip()[:2000]


def _date(value: object) -> tuple[str, str] | None:
    """In the form of the dictionary and of the packet; None for what is no date."""
    match = DATE.match(clean_text(value))
    if not match:
        return None
    year, month, day, hour, minute, second, _, zone, rest = match.groups()
    parts = [year, month or "01", day or "01", hour or "00", minute or "00", second or "00"]
    try:
        datetime(*map(int, parts))
    except ValueError:
        return None
    offset = f"{zone}:{rest or '00'}" if zone else "Z"
    pdf = f"D:{''.join(parts)}" + (f"{zone}'{rest or '00'}'" if zone else "Z")
    return pdf, f"{'-'.join(parts[:3])}T{':'.join(parts[3:])}{offset}"


def write_metadata(pdf: Pdf, standard: Standard) -> None:
    # Those of pages, pictures and fonts may be anything; PDF/A wants each to be good XMP.
    for value in all_dicts(pdf):
        drop(value, "/Metadata")
    info = entry(pdf.trailer, "/Info")
    texts = {name: clean_text(info.get(f"/{name}")) for name in TEXTS}
    now = datetime.now(timezone.utc).strftime("D:%Y%m%d%H%M%SZ")
    dates = {
        "CreationDate": _date(info.get("/CreationDate")) or _date(String(now)),
        "ModDate": _date(info.get("/ModDate")) or _date(String(now)),
    }
    if standard.ua and not texts["Title"]:
        texts["Title"] = "Untitled"
    known = {f"/{name}": String(text) for name, text in texts.items() if text}
    known |= {f"/{name}": String(pair[0]) for name, pair in dates.items() if pair}
    others = [(key, value) for key, value in entries(info) if isinstance(key, str) and key[1:] not in (*TEXTS, *dates)]
    kept = {key: value for key, value in others if isinstance(value, (String, Name)) and standard.part != 1}
    pdf.trailer["/Info"] = pdf.make_indirect(Dictionary({**kept, **known}))
    declared = {
        "pdfaid:part": str(standard.part or ""),
        "pdfaid:conformance": standard.level.upper(),
        "pdfuaid:part": "1" if standard.ua else "",
    }
    schema = UA_SCHEMA if standard.ua and standard.part else ""
    xmp = packet(texts, {name: pair[1] for name, pair in dates.items() if pair}, declared, schema)
    stream = Stream(pdf, xmp.encode("utf-8"))
    stream["/Type"], stream["/Subtype"] = Name.Metadata, Name.XML
    pdf.Root["/Metadata"] = pdf.make_indirect(stream)


def packet(texts: dict[str, str], dates: dict[str, str], declared: dict[str, str], schema: str = "") -> str:
    """An XMP packet; what is empty is left out."""
    def element(name: str, text: str) -> str:
        return f"<{name}>{escape(text)}</{name}>" if text else ""

    def listed(name: str, kind: str, text: str, attribute: str = "") -> str:
        return f"<{name}><rdf:{kind}><rdf:li{attribute}>{escape(text)}</rdf:li></rdf:{kind}></{name}>" if text else ""

    any_language = ' xml:lang="x-default"'
    marked = {"true": "True", "false": "False"}.get(texts.get("Marked", ""), "")
    properties = [
        listed("dc:title", "Alt", texts.get("Title", ""), any_language),
        listed("dc:creator", "Seq", texts.get("Author", "")),
        listed("dc:description", "Alt", texts.get("Subject", ""), any_language),
        listed("dc:rights", "Alt", texts.get("Copyright", ""), any_language),
        element("pdf:Keywords", texts.get("Keywords", "")),
        element("pdf:Producer", texts.get("Producer", "")),
        element("xmp:CreatorTool", texts.get("Creator", "")),
        element("xmp:CreateDate", dates.get("CreationDate", "")),
        element("xmp:ModifyDate", dates.get("ModDate", "")),
        f'<xmpRights:Marked xmlns:xmpRights="http://ns.adobe.com/xap/1.0/rights/">{marked}</xmpRights:Marked>' if marked else "",
        *(element(name, value) for name, value in declared.items()),
        schema,
    ]
    spaces = " ".join(f'xmlns:{prefix}="{uri}"' for prefix, uri in NAMESPACES.items())
    return (
        '<?xpacket begin="\ufeff" id="W5M0MpCehiHzreSzNTczkc9d"?><x:xmpmeta xmlns:x="adobe:ns:meta/">'
        '<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">'
        f'<rdf:Description rdf:about="" {spaces}>{"".join(properties)}</rdf:Description>'
        '</rdf:RDF></x:xmpmeta><?xpacket end="w"?>'
    )


NAMESPACES = {
    "dc": "http://purl.org/dc/elements/1.1/",
    "pdf": "http://ns.adobe.com/pdf/1.3/",
    "xmp": "http://ns.adobe.com/xap/1.0/",
    "pdfaid": "http://www.aiim.org/pdfa/ns/id/",
    "pdfuaid": "http://www.aiim.org/pdfua/ns/id/",
    "pdfaExtension": "http://www.aiim.org/pdfa/ns/extension/",
    "pdfaSchema": "http://www.aiim.org/pdfa/ns/schema#",
    "pdfaProperty": "http://www.aiim.org/pdfa/ns/property#",
}
"""PDF/A knows its own properties; those of PDF/UA have to be described."""
UA_SCHEMA = (
    '<pdfaExtension:schemas><rdf:Bag><rdf:li rdf:parseType="Resource">'
    "<pdfaSchema:schema>PDF/UA Universal Accessibility Schema</pdfaSchema:schema>"
    "<pdfaSchema:namespaceURI>http://www.aiim.org/pdfua/ns/id/</pdfaSchema:namespaceURI>"
    "<pdfaSchema:prefix>pdfuaid</pdfaSchema:prefix><pdfaSchema:property><rdf:Seq>"
    '<rdf:li rdf:parseType="Resource"><pdfaProperty:name>part</pdfaProperty:name>'
    "<pdfaProperty:valueType>Integer</pdfaProperty:valueType><pdfaProperty:category>internal</pdfaProperty:category>"
    "<pdfaProperty:description>Part of PDF/UA</pdfaProperty:description></rdf:li>"
    "</rdf:Seq></pdfaSchema:property></rdf:li></rdf:Bag></pdfaExtension:schemas>"
)
