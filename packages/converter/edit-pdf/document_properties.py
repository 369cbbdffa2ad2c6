"""The metadata of a document: title, author, dates, pages, language. With Dublin Core names, as in Tika."""

import re
import zipfile
from datetime import datetime, timezone
from html import unescape

from qpdf import count_pages
from standard import Refused

LARGEST_PART = 4 * 1024 * 1024
OF_PDF = {
    "dc:title": "Title",
    "dc:creator": "Author",
    "dc:subject": "Keywords",
    "dc:description": "Subject",
    "dcterms:created": "CreateDate",
    "dcterms:modified": "ModDate",
    "xmp:CreatorTool": "Creator",
    "pdf:docinfo:producer": "Producer",
    "pdf:PDFVersion": "PDFVersion",
}
# Open XML has them in docProps, OpenDocument in meta.xml.
OF_PACKAGES = {
    "dc:title": ("dc:title",),
    "dc:creator": ("dc:creator", "meta:initial-creator"),
    "dc:subject": ("cp:keywords", "meta:keyword", "dc:subject"),
    "dc:description": ("dc:description",),
    "dc:language": ("dc:language",),
    "dcterms:created": ("dcterms:created", "meta:creation-date"),
    "dcterms:modified": ("dcterms:modified", "dc:date"),
    "xmpTPg:NPages": ("Pages", "Slides"),
    "extended-properties:Application": ("Application", "meta:generator"),
}


def read_properties(path: str) -> dict[str, str]:
    with open(path, "rb") as file:
        start = file.read(1024)
    try:
        if b"%PDF-" in start:
            from information import read_information

            information = read_information(path)
            found = {name: information.get(key) for name, key in OF_PDF.items()}
            return _present({**found, "xmpTPg:NPages": count_pages(path)})
        return _present(_of_package(path)) if start[:2] == b"PK" else {}
    except (Refused, zipfile.BadZipFile, NotImplementedError, RuntimeError):
        # Properties that cannot be read count as missing; the text is extracted separately.
        return {}


def _of_package(path: str) -> dict[str, object]:
    text = ""
    with zipfile.ZipFile(path) as archive:
        for name in ("docProps/core.xml", "docProps/app.xml", "meta.xml"):
            if name in archive.namelist():
                with archive.open(name) as part:
                    text += part.read(LARGEST_PART).decode("utf-8", "replace") + "\n"
    found: dict[str, object] = {name: _first(text, elements) for name, elements in OF_PACKAGES.items()}
    pages = re.search(r'meta:page-count="(\d{1,6})"', text)
    return {**found, "xmpTPg:NPages": pages[1]} if pages else found


def _first(text: str, elements: tuple[str, ...]) -> str | None:
    for element in elements:
        if match := re.search(rf"<{element}(?:\s[^<>]{{0,300}})?>([^<>]{{1,2000}})</{element}>", text):
            return unescape(match[1])
    return None


def _iso_date(value: object) -> str | None:
    """`2006:09:18 16:27:50-04:00` as `2006-09-18T20:27:50Z`."""
    text = re.sub(r"^(\d{4}):(\d\d):(\d\d) ", r"\1-\2-\3T", str(value))
    try:
        time = datetime.fromisoformat(text).astimezone(timezone.utc)
    except ValueError:
        return None
    return time.isoformat(timespec="milliseconds" if time.microsecond else "seconds").replace("+00:00", "Z")


def _present(all_values: dict[str, object]) -> dict[str, str]:
    found = {name: _iso_date(value) if name.startswith("dcterms:") else value for name, value in all_values.items()}
    return {
        name: ", ".join(value) if isinstance(value, list) else str(value)
        for name, value in found.items()
        if value not in (None, "")
    }
