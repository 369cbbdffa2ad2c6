"""Takes away what an archive may not hold: scripts, other actions, attached files, hidden annotations, and the like."""

import re

from pikepdf import Array, Dictionary, Name, Object, Pdf, Stream
from content import INTENTS
from objects import all_dicts, drop, entries, entry, is_dict, items_of, key_of, name_of, names_of, sub
from standard import Standard

ALLOWED_ACTIONS = ("/GoTo", "/GoToR", "/GoToE", "/Thread", "/URI", "/Named", "/SubmitForm")
NAMED_ACTIONS = ("/NextPage", "/PrevPage", "/FirstPage", "/LastPage")
FORBIDDEN_ANNOTATIONS = ("/3D", "/Sound", "/Screen", "/Movie", "/RichMedia", "/TrapNet")
INVISIBLE, HIDDEN, PRINT, NO_VIEW, TOGGLE = 1, 2, 4, 32, 256
BLEND_MODES = frozenset(
    f"/{name}"
    for name in "Normal Compatible Multiply Screen Overlay Darken Lighten ColorDodge ColorBurn HardLight SoftLight "
    "Difference Exclusion Hue Saturation Color Luminosity".split()
)


def clean(pdf: Pdf, standard: Standard, changes: set[str]) -> None:
    """Adds to `changes` what a person should know of: `scripts`, `attachments`, `signatures`."""
    root = pdf.Root
    drop(root, "/AA", "/Perms", "/Requirements", "/Collection", "/NeedsRendering", "/Legal", "/SpiderInfo", "/Extensions")
    names = sub(root, "/Names")
    if names is not None:
        changes |= {"scripts"} if "/JavaScript" in names else set()
        drop(names, "/JavaScript", "/AlternatePresentations")
        if standard.part != 3:
            changes |= {"attachments"} if "/EmbeddedFiles" in names else set()
            drop(names, "/EmbeddedFiles")
    if standard.part != 3:
        drop(root, "/AF")
    if is_dict(root.get("/OpenAction")) and not is_allowed(root["/OpenAction"]):
        changes.add("scripts")
        del root["/OpenAction"]
    _clean_form(root, changes)
    _clean_layers(pdf)
    for value in all_dicts(pdf):
        _clean_dict(value, changes)
    for page in pdf.pages:
        drop(page.obj, "/AA", "/PresSteps")
        _clean_annotations(pdf, page.obj, standard)
    _remove_unused_transparency(pdf)
    if standard.part == 3:
        _describe_files(pdf)


def is_allowed(action: Object) -> bool:
    kind = name_of(action.get("/S"))
    return kind in ALLOWED_ACTIONS and (kind != "/Named" or name_of(action.get("/N")) in NAMED_ACTIONS)


def _clean_dict(value: Object, changes: set[str]) -> None:
    action = value.get("/A")
    if is_dict(action) and "/S" in action and name_of(value.get("/Type")) != "/StructElem":
        if not is_allowed(action):
            changes.add("scripts")
            del value["/A"]
    if is_dict(value.get("/AA")):
        del value["/AA"]
    next_action = value.get("/Next")
    is_action = name_of(value.get("/S")) in ALLOWED_ACTIONS and name_of(value.get("/Type")) in ("", "/Action")
    if is_action and next_action is not None:
        following = list(next_action) if isinstance(next_action, Array) else [next_action]
        if not all(is_dict(each) and is_allowed(each) for each in following):
            del value["/Next"]
    kind = name_of(value.get("/Subtype"))
    if isinstance(value, Stream):
        if kind == "/Image":
            drop(value, "/Alternates", "/OPI", "/Interpolate")
        elif kind == "/Form":
            drop(value, "/OPI", "/Subtype2", "/PS", "/Ref")
        if kind == "/Image" and name_of(value.get("/Intent")) not in ("", *INTENTS):
            del value["/Intent"]
    elif name_of(value.get("/Type")) == "/ExtGState" or "/TR2" in value or "/HTP" in value:
        drop(value, "/TR", "/TR2", "/HTP", "/HT")


def _clean_form(root: Object, changes: set[str]) -> None:
    form = sub(root, "/AcroForm")
    if form is None:
        return
    drop(form, "/XFA", "/NeedAppearances", "/SigFlags")
    pending, left = items_of(form, "/Fields"), 100_000
    while pending and left:
        field, left = pending.pop(), left - 1
        if not is_dict(field):
            continue
        drop(field, "/AA")
        # A signature covers the bytes of the file, which are others now.
        if name_of(field.get("/FT")) == "/Sig":
            changes |= {"signatures"} if "/V" in field else set()
            drop(field, "/V", "/Lock")
        pending.extend(items_of(field, "/Kids"))


def _clean_layers(pdf: Pdf) -> None:
    layers = sub(pdf.Root, "/OCProperties")
    if layers is None:
        return
    groups = items_of(layers, "/OCGs")
    configurations = [sub(layers, "/D"), *items_of(layers, "/Configs")]
    for number, each in enumerate(configurations):
        if not is_dict(each):
            continue
        drop(each, "/AS")
        if "/Name" not in each:
            each["/Name"] = f"Layers {number + 1}"
        order = items_of(each, "/Order")
        listed = {key_of(found) for found in _flattened(order)}
        missing = [group for group in groups if is_dict(group) and key_of(group) not in listed]
        if missing and order:
            each["/Order"] = Array([*order, *missing])


def _flattened(order: list) -> list[Object]:
    found, pending = [], list(order)
    while pending:
        each = pending.pop()
        if isinstance(each, Array):
            pending.extend(each)
        elif is_dict(each):
            found.append(each)
    return found


def _clean_annotations(pdf: Pdf, page: Object, standard: Standard) -> None:
    annotations = [each for each in items_of(page, "/Annots") if is_dict(each)]
    forbidden = (*FORBIDDEN_ANNOTATIONS, *(() if standard.part == 3 else ("/FileAttachment",)))
    kept = [each for each in annotations if name_of(each.get("/Subtype")) not in forbidden]
    for annotation in kept:
        _clean_annotation(pdf, annotation, standard)
    if "/Annots" in page:
        page["/Annots"] = Array([each if each.is_indirect else pdf.make_indirect(each) for each in kept])


def _clean_annotation(pdf: Pdf, annotation: Object, standard: Standard) -> None:
    kind = name_of(annotation.get("/Subtype"))
    drop(annotation, "/AA")
    if kind == "/Widget":
        drop(annotation, "/A", "/MK" if standard.part == 1 else "/AA")
    if kind == "/Popup":
        return
    flags = int(annotation.get("/F", 0))
    is_hidden = bool(flags & (INVISIBLE | HIDDEN | NO_VIEW))
    if is_hidden and "/AP" in annotation:
        # It was not shown, and must not be hidden: it shows nothing.
        del annotation["/AP"]
    annotation["/F"] = (flags | PRINT) & ~(INVISIBLE | HIDDEN | NO_VIEW | TOGGLE)
    appearance = sub(annotation, "/AP")
    if appearance is not None:
        for key in [key for key, _ in entries(appearance) if key != "/N"]:
            del appearance[key]
        normal = appearance.get("/N")
        is_button = name_of(annotation.get("/FT", entry(annotation, "/Parent").get("/FT"))) == "/Btn"
        if isinstance(normal, Dictionary) and not is_button and len(normal) > 0:
            state = annotation.get("/AS")
            chosen = normal.get(state) if isinstance(state, Name) else None
            appearance["/N"] = chosen if isinstance(chosen, Stream) else _nothing(pdf, annotation)
        elif isinstance(normal, Stream) and kind == "/Widget" and is_button and "/AS" not in annotation:
            state = Name("/Off")
            appearance["/N"] = Dictionary({"/Off": normal if normal.is_indirect else pdf.make_indirect(normal)})
            annotation["/AS"] = state
    elif kind == "/Widget" or is_hidden:
        annotation["/AP"] = Dictionary(N=_nothing(pdf, annotation))
    if standard.part == 1:
        drop(annotation, "/CA", "/C" if kind not in ("/Link",) else "/CA", "/IC")


def _nothing(pdf: Pdf, annotation: Object) -> Object:
    box = [float(each) for each in items_of(annotation, "/Rect")] or [0, 0, 0, 0]
    form = Stream(pdf, b"")
    form["/Type"], form["/Subtype"] = Name.XObject, Name.Form
    form["/BBox"] = Array([0, 0, abs(box[2] - box[0]), abs(box[3] - box[1])])
    form["/Resources"] = Dictionary()
    return pdf.make_indirect(form)


def _remove_unused_transparency(pdf: Pdf) -> None:
    """A transparency group on a page where nothing is transparent says nothing; PDF/A-1 allows none."""
    if any(is_transparent(each) for each in all_dicts(pdf)):
        return
    for value in all_dicts(pdf):
        if name_of(entry(value, "/Group").get("/S")) == "/Transparency":
            del value["/Group"]
        if name_of(value.get("/SMask")) == "/None":
            del value["/SMask"]
        if "/BM" in value and "/Type" in value and name_of(value["/Type"]) == "/ExtGState":
            value["/BM"] = Name.Normal


def is_transparent(value: Object) -> bool:
    """Does the state, the image or the annotation let shine through what is below?"""
    if is_dict(value.get("/SMask")) or value.get("/SMaskInData") in (1, 2):
        return True
    if any(each not in ("", "/Normal", "/Compatible") for each in names_of(value.get("/BM"))):
        return True
    is_state = name_of(value.get("/Type")) == "/ExtGState" or not any(k in value for k in ("/Type", "/Subtype", "/S"))
    is_annotation = "/Subtype" in value and "/Rect" in value
    amounts = [value.get(key) for key in ("/CA", "/ca")] if is_state or is_annotation else []
    return any(each is not None and not is_dict(each) and _number(each) < 1 for each in amounts)


def _number(value: object) -> float:
    try:
        return float(value)
    except (TypeError, ValueError):
        return 1.0


def _describe_files(pdf: Pdf) -> None:
    """PDF/A-3 wants a name, a type and a relationship of each file."""
    files = []
    for value in all_dicts(pdf):
        if sub(value, "/EF") is None:
            continue
        name = str(value.get("/UF", value.get("/F", "attachment")))
        value["/F"] = value["/UF"] = name
        value["/Type"] = Name.Filespec
        if "/AFRelationship" not in value:
            value["/AFRelationship"] = Name.Unspecified
        for _, stream in entries(value["/EF"]):
            if isinstance(stream, Stream) and not re.match(r"/[\w.+-]+/[\w.+-]+$", name_of(stream.get("/Subtype"))):
                stream["/Subtype"] = Name("/application/octet-stream")
            if isinstance(stream, Stream):
                stream["/Type"] = Name.EmbeddedFile
        files.append(value if value.is_indirect else pdf.make_indirect(value))
    if files:
        known = {key_of(each) for each in items_of(pdf.Root, "/AF") if is_dict(each)}
        missing = [each for each in files if key_of(each) not in known]
        pdf.Root["/AF"] = Array([*items_of(pdf.Root, "/AF"), *missing])
