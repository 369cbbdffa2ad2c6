"""Checks a PDF against PDF/A, clause by clause. The numbers are those of ISO 19005-2, which part 3 shares but for
attached files; where part 1 asks for more, the text says so.
"""

import re
import xml.etree.ElementTree as xml

from pikepdf import Array, Dictionary, Object, Pdf, Stream, String
from check_fonts import font_faults
from clean import (
    BLEND_MODES, FORBIDDEN_ANNOTATIONS, HIDDEN, INVISIBLE, NO_VIEW, PRINT, TOGGLE, is_allowed, is_transparent,
)
from colour import names_cmyk
from content import Usage, walk
from metadata import NAMESPACES
from objects import all_containers, all_dicts, bytes_of, entries, entry, is_dict, items_of, name_of, names_of, sub
from standard import Fault, Standard
from structure import structure_faults


def find_faults(pdf: Pdf, standard: Standard) -> list[Fault]:
    usage = walk(pdf)
    title, declared = _metadata_faults(pdf, standard)
    found = list(declared)
    if standard.part:
        found += _file_faults(pdf, standard)
        found += usage.faults.values()
        found += _intent_faults(pdf, standard)
        found += _colour_faults(pdf, usage, standard)
        for value in all_dicts(pdf):
            found += _object_faults(value, standard)
        found += _catalog_faults(pdf, standard)
        for page in pdf.pages:
            found += _page_faults(page.obj, standard)
        for use in usage.fonts.values():
            found += font_faults(use, standard)
    if standard.ua:
        found += structure_faults(pdf, usage, title)
    return list(dict.fromkeys(found))


def _file_faults(pdf: Pdf, standard: Standard) -> list[Fault]:
    found = []
    if pdf.pdf_version > ("1.4" if standard.part == 1 else "1.7"):
        found.append(Fault("6.1.2", f"its version is PDF {pdf.pdf_version}"))
    if len(items_of(pdf.trailer, "/ID")) != 2:
        found.append(Fault("6.1.3", "it has no identifier"))
    if "/Encrypt" in pdf.trailer or pdf.is_encrypted:
        found.append(Fault("6.1.3", "it is encrypted"))
    return found


def _icc_fault(stream: object, standard: Standard, classes: tuple[bytes, ...]) -> str | None:
    data = bytes_of(stream) if isinstance(stream, Stream) else b""
    components = {b"GRAY": 1, b"RGB ": 3, b"Lab ": 3, b"CMYK": 4}.get(data[16:20])
    if len(data) < 132 or data[36:40] != b"acsp" or data[12:16] not in classes or components is None:
        return "a colour profile is not valid"
    if data[8] > (2 if standard.part == 1 else 4):
        return "a colour profile is of a newer version"
    return None if int(stream.get("/N", 0)) == components else "a colour profile has another number of colours"


def _intent_faults(pdf: Pdf, standard: Standard) -> list[Fault]:
    intents = [each for each in items_of(pdf.Root, "/OutputIntents") if is_dict(each)]
    own = [each for each in intents if name_of(each.get("/S")) == "/GTS_PDFA1"]
    if len(own) != 1 or not isinstance(own[0].get("/DestOutputProfile"), Stream):
        return [Fault("6.2.3", "it has no output intent that defines its colours")]
    fault = _icc_fault(own[0]["/DestOutputProfile"], standard, (b"prtr", b"mntr"))
    return [Fault("6.2.3", f"of its output intent {fault}")] if fault else []


def _colour_faults(pdf: Pdf, usage: Usage, standard: Standard) -> list[Fault]:
    found = []
    if usage.uses_cmyk or any(names_cmyk(each) for each in all_dicts(pdf)):
        if any("/DefaultCMYK" not in entry(each, "/ColorSpace") for each in usage.resources):
            found.append(Fault("6.2.4.3", "colours are CMYK of no defined device"))
    for value in all_containers(pdf):
        if isinstance(value, Array) and len(value) > 1:
            kind = name_of(value[0])
            if kind == "/ICCBased" and (fault := _icc_fault(value[1], standard, (b"prtr", b"mntr", b"scnr", b"spac"))):
                found.append(Fault("6.2.4.2", fault))
            if kind == "/DeviceN":
                found += _inks_faults(value, standard)
    return found


def _inks_faults(space: Array, standard: Standard) -> list[Fault]:
    inks = [name_of(each) for each in space[1]] if isinstance(space[1], Array) else []
    if len(inks) > (8 if standard.part == 1 else 32):
        return [Fault("6.1.13", "a colour space has too many inks")]
    attributes = space[4] if len(space) > 4 and is_dict(space[4]) else Dictionary()
    described = entry(attributes, "/Colorants")
    process = {f"/{name}" for name in ("Cyan", "Magenta", "Yellow", "Black", "None", "All")}
    missing = [ink for ink in inks if ink not in process and ink not in described]
    return [Fault("6.2.4.4", "the inks of a colour space are not described")] if missing and standard.part > 1 else []


def _object_faults(value: Object, standard: Standard) -> list[Fault]:
    found = []
    kind = name_of(value.get("/Subtype"))
    if isinstance(value, Stream):
        names = names_of(value.get("/Filter"))
        if any(key in value for key in ("/FFilter", "/FDecodeParms")) or "/F" in value and kind != "/Form":
            found.append(Fault("6.1.7", "a part of it is in another file"))
        if "/LZWDecode" in names or "/Crypt" in names:
            found.append(Fault("6.1.7", "a part is compressed with LZW"))
        if kind == "/Image":
            found += _image_faults(value, names, standard)
        if kind == "/PS" or kind == "/Form" and any(key in value for key in ("/OPI", "/PS", "/Ref")):
            found.append(Fault("6.2.9", "a form is PostScript or is in another file"))
    if any(len(key.encode() if isinstance(key, str) else key) > 128 for key, _ in entries(value)):
        found.append(Fault("6.1.13", "a name is too long"))
    if any(isinstance(each, String) and len(bytes(each)) > 32767 for _, each in entries(value)):
        found.append(Fault("6.1.13", "a text is too long"))
    if name_of(value.get("/Type")) == "/ExtGState":
        found += _state_faults(value)
    is_group = name_of(entry(value, "/Group").get("/S")) == "/Transparency"
    if standard.part == 1 and (is_group or is_transparent(value)):
        found.append(Fault("6.2.10", "it is transparent in places, which part 1 forbids"))
    action = value.get("/A")
    if is_dict(action) and "/S" in action and "/O" not in action and not is_allowed(action):
        found.append(Fault("6.5.1", f"an action is {name_of(action['/S'])[1:40]}"))
    if is_dict(value.get("/AA")):
        found.append(Fault("6.5.2", "an action belongs to an event"))
    if sub(value, "/EF") is not None:
        found += _attachment_faults(value, standard)
    return found


def _attachment_faults(value: Object, standard: Standard) -> list[Fault]:
    if standard.part != 3:
        return [Fault("6.8", "a file is attached")]
    streams = [each for _, each in entries(value["/EF"])]
    is_described = "/AFRelationship" in value and "/UF" in value and all("/Subtype" in each for each in streams)
    return [] if is_described else [Fault("ISO 19005-3, 6.8", "an attached file is not described")]


def _image_faults(image: Stream, filters: list[str], standard: Standard) -> list[Fault]:
    found = []
    if any(key in image for key in ("/Alternates", "/OPI")) or bool(image.get("/Interpolate", False)):
        found.append(Fault("6.2.8", "a picture has alternates or is interpolated"))
    if "/JPXDecode" in filters:
        if standard.part == 1:
            found.append(Fault("6.2.8.3", "a picture is JPEG 2000, which part 1 does not know"))
        elif fault := _jpx_fault(image):
            found.append(Fault("6.2.8.3", fault))
    return found


def _jpx_fault(image: Stream) -> str | None:
    """The header has the number of colours and how they are defined."""
    data = image.read_raw_bytes()[:4096]
    header = data.find(b"ihdr")
    if header < 0:
        return "a JPEG 2000 picture has no header"
    if int.from_bytes(data[header + 12 : header + 14]) not in (1, 2, 3, 4, 5):
        return "a JPEG 2000 picture has another number of colours than 1, 3 or 4"
    methods = [data[match.end()] for match in re.finditer(b"colr", data)]
    return None if methods and all(each in (1, 2, 3) for each in methods) else "a JPEG 2000 picture does not define its colours"


def _state_faults(state: Object) -> list[Fault]:
    found = []
    if "/TR" in state or "/HTP" in state or name_of(state.get("/TR2")) not in ("", "/Default"):
        found.append(Fault("6.2.5", "a transfer function or a halftone is set"))
    if any(each and each not in BLEND_MODES for each in names_of(state.get("/BM"))):
        found.append(Fault("6.2.10", "a blend mode is not of the standard"))
    return found


def _catalog_faults(pdf: Pdf, standard: Standard) -> list[Fault]:
    root, found = pdf.Root, []
    names = entry(root, "/Names")
    if "/JavaScript" in names:
        found.append(Fault("6.5.1", "it has scripts"))
    if "/EmbeddedFiles" in names and standard.part != 3:
        found.append(Fault("6.8", "files are attached"))
    if "/AlternatePresentations" in names:
        found.append(Fault("6.10", "it has alternate presentations"))
    if "/Requirements" in root:
        found.append(Fault("6.11", "it has requirements"))
    opening = root.get("/OpenAction")
    if is_dict(opening) and not is_allowed(opening):
        found.append(Fault("6.5.1", "an action runs when it is opened"))
    form = entry(root, "/AcroForm")
    if bool(form.get("/NeedAppearances", False)):
        found.append(Fault("6.4.1", "the looks of its fields are left to the viewer"))
    if "/XFA" in form or "/NeedsRendering" in root:
        found.append(Fault("6.4.2", "it is an XFA form"))
    layers = sub(root, "/OCProperties")
    if layers is not None:
        settings = [each for each in (sub(layers, "/D"), *items_of(layers, "/Configs")) if is_dict(each)]
        if standard.part == 1:
            found.append(Fault("6.9", "it has layers, which part 1 forbids"))
        if any("/AS" in each or not str(each.get("/Name", "")) for each in settings):
            found.append(Fault("6.9", "its layers change by themselves or have no name"))
    return found


def _page_faults(page: Object, standard: Standard) -> list[Fault]:
    found = []
    if "/PresSteps" in page:
        found.append(Fault("6.10", "a page has presentation steps"))
    for key in ("/MediaBox", "/CropBox"):
        box = [float(each) for each in items_of(page, key)]
        sides = (abs(box[2] - box[0]), abs(box[3] - box[1])) if len(box) == 4 else ()
        if any(not 3 <= side <= 14400 for side in sides):
            found.append(Fault("6.1.13", "a page is smaller or larger than the standard allows"))
    for annotation in items_of(page, "/Annots"):
        if is_dict(annotation):
            found += _annotation_faults(annotation, standard)
    return found


def _annotation_faults(annotation: Object, standard: Standard) -> list[Fault]:
    kind, found = name_of(annotation.get("/Subtype")), []
    if kind in FORBIDDEN_ANNOTATIONS or kind == "/FileAttachment" and standard.part == 1:
        found.append(Fault("6.3.1", f"it has an annotation of the kind {kind[1:]}"))
    if kind == "/Popup":
        return found
    flags = int(annotation.get("/F", 0))
    if not flags & PRINT or flags & (INVISIBLE | HIDDEN | NO_VIEW | TOGGLE):
        found.append(Fault("6.3.2", "an annotation is hidden or is not printed"))
    if kind == "/Widget" and "/A" in annotation:
        found.append(Fault("6.4.1", "a field has an action"))
    box = [float(each) for each in items_of(annotation, "/Rect")]
    has_size = len(box) == 4 and (box[0] != box[2] or box[1] != box[3])
    appearance = sub(annotation, "/AP")
    if kind != "/Link" and has_size and (appearance is None or not is_dict(appearance.get("/N"))):
        found.append(Fault("6.3.3", f"an annotation of the kind {kind[1:40]} has no appearance"))
    if appearance is not None and any(key != "/N" for key, _ in entries(appearance)):
        found.append(Fault("6.3.3", "an annotation has several appearances"))
    return found


def _metadata_faults(pdf: Pdf, standard: Standard) -> tuple[str, list[Fault]]:
    """The title, and what is wrong with the packet."""
    stream = pdf.Root.get("/Metadata")
    if not isinstance(stream, Stream):
        return "", [Fault("6.6.2", "it has no metadata")]
    found = []
    if standard.part == 1 and "/Filter" in stream:
        found.append(Fault("6.6.2", "its metadata is compressed, which part 1 forbids"))
    try:
        packet = xml.fromstring(re.sub(rb"<\?xpacket.*?\?>", b"", bytes_of(stream), flags=re.S))
    except xml.ParseError:
        return "", [Fault("6.6.2", "its metadata is not well formed")]
    def value(prefix: str, name: str) -> str:
        key = f"{{{NAMESPACES[prefix]}}}{name}"
        elements = "".join("".join(each.itertext()) for each in packet.iter(key))
        return elements or next((each.attrib[key] for each in packet.iter() if key in each.attrib), "")

    declared = (value("pdfaid", "part"), value("pdfaid", "conformance"))
    if standard.part and declared != (str(standard.part), standard.level.upper()):
        found.append(Fault("6.6.4", f"it does not declare itself PDF/A-{standard.part}{standard.level}"))
    if standard.ua and value("pdfuaid", "part") != "1":
        found.append(Fault("ISO 14289-1, 5", "it does not declare itself PDF/UA"))
    title = value("dc", "title")
    info = entry(pdf.trailer, "/Info")
    if standard.part == 1 and str(info.get("/Title", "")).strip() != title.strip():
        found.append(Fault("6.6.3", "its title differs from that of its metadata"))
    return title, found
