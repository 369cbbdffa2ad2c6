"""PDF/UA: the structure for screen readers. Kiln adds no tags to a PDF: only who wrote the document knows them."""

from pikepdf import Array, Dictionary, Name, Object, Pdf, Stream, String
from content import Usage
from objects import all_dicts, bytes_of, entries, entry, is_dict, items_of, key_of, name_of, sub
from standard import Fault, Refused


def is_tagged(pdf: Pdf) -> bool:
    marks = sub(pdf.Root, "/MarkInfo")
    return sub(pdf.Root, "/StructTreeRoot") is not None and marks is not None and bool(marks.get("/Marked", False))


def prepare_structure(pdf: Pdf) -> None:
    if not is_tagged(pdf):
        raise Refused(
            "unsupported",
            "The PDF has no structure (tags), which PDF/UA needs. Make it out of the source document with tags.",
        )
    preferences = sub(pdf.Root, "/ViewerPreferences")
    if preferences is None:
        preferences = pdf.Root["/ViewerPreferences"] = Dictionary()
    preferences["/DisplayDocTitle"] = True
    for page in pdf.pages:
        _follow_content(pdf, page.obj)
        annotations = [each for each in items_of(page.obj, "/Annots") if is_dict(each)]
        if annotations:
            page.obj["/Tabs"] = Name.S
        for annotation in annotations:
            _describe(annotation)


def _follow_content(pdf: Pdf, page: Object) -> None:
    """A step that put a mark on the page may have moved its content into a form: the structure has to name the form."""
    number = page.get("/StructParents")
    forms = [form for form in _forms_of(page) if "/StructParents" not in form and b"/MCID" in bytes_of(form)]
    if number is None or len(forms) != 1 or any(b"/MCID" in data for data in _contents(page)):
        return
    [form] = forms
    for element in _numbered(entry(pdf.Root.StructTreeRoot, "/ParentTree"), int(number)):
        if is_dict(element) and "/K" in element:
            element["/K"] = _in_form(element["/K"], page, form)
    form["/StructParents"] = number
    del page["/StructParents"]


def _forms_of(page: Object) -> list[Stream]:
    found: dict[object, Stream] = {}
    pending = [page]
    while pending:
        for _, each in entries(entry(entry(pending.pop(), "/Resources"), "/XObject")):
            if isinstance(each, Stream) and name_of(each.get("/Subtype")) == "/Form" and key_of(each) not in found:
                found[key_of(each)] = each
                pending.append(each)
    return list(found.values())


def _contents(page: Object) -> list[bytes]:
    parts = page.get("/Contents")
    return [bytes_of(each) for each in (parts if isinstance(parts, Array) else [parts]) if isinstance(each, Stream)]


def _numbered(node: Object, number: int) -> list:
    """The value of a number in a number tree, which here is a list of elements."""
    numbers = items_of(node, "/Nums")
    for at in range(0, len(numbers) - 1, 2):
        if int(numbers[at]) == number and isinstance(numbers[at + 1], Array):
            return list(numbers[at + 1])
    kids = [each for each in items_of(node, "/Kids") if is_dict(each)]
    return next((found for each in kids if (found := _numbered(each, number))), [])


def _in_form(kids: object, page: Object, form: Stream) -> Object:
    """Numbers of content become references to content of the form."""
    if isinstance(kids, Array):
        return Array([_in_form(each, page, form) for each in kids])
    if isinstance(kids, int):
        return Dictionary(Type=Name.MCR, Pg=page, Stm=form, MCID=kids)
    return kids


def _describe(annotation: Object) -> None:
    """A link says where it goes."""
    action = sub(annotation, "/A")
    if name_of(annotation.get("/Subtype")) == "/Link" and "/Contents" not in annotation:
        target = action.get("/URI") if action is not None else None
        annotation["/Contents"] = String(str(target)[:500] if target is not None else "Link to a place in this document")


def structure_faults(pdf: Pdf, usage: Usage, title: str) -> list[Fault]:
    if not is_tagged(pdf):
        return [Fault("ISO 14289-1, 7.1", "it has no structure (tags)")]
    found = []
    if not str(pdf.Root.get("/Lang", "")):
        found.append(Fault("ISO 14289-1, 7.2", "its language is not declared"))
    if not title:
        found.append(Fault("ISO 14289-1, 7.1", "it has no title"))
    if not bool(entry(pdf.Root, "/ViewerPreferences").get("/DisplayDocTitle", False)):
        found.append(Fault("ISO 14289-1, 7.1", "its title is not shown"))
    if usage.has_untagged:
        found.append(Fault("ISO 14289-1, 7.1", "some of its content has no tag"))
    elements = [each for each in all_dicts(pdf) if _is_element(each)]
    if any(name_of(each.get("/S")) == "/Figure" and "/Alt" not in each and "/ActualText" not in each for each in elements):
        found.append(Fault("ISO 14289-1, 7.3", "a figure has no description"))
    for page in pdf.pages:
        shown = [each for each in items_of(page.obj, "/Annots") if is_dict(each) and name_of(each.get("/Subtype")) != "/Popup"]
        if shown and name_of(page.obj.get("/Tabs")) != "/S":
            found.append(Fault("ISO 14289-1, 7.18.3", "the order of its links and fields is not that of the structure"))
        if any("/StructParent" not in each for each in shown):
            found.append(Fault("ISO 14289-1, 7.18.1", "a link or an annotation has no tag"))
    return list(dict.fromkeys(found))


def _is_element(value: Object) -> bool:
    return "/S" in value and "/P" in value and ("/K" in value or name_of(value.get("/Type")) == "/StructElem")
