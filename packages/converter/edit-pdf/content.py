"""Walks all content streams: pages, forms, patterns, glyphs of Type 3 fonts, masks and appearances of annotations.

Collects which character codes of which fonts are shown, whether colours are CMYK, and what the content does that no
part of PDF/A allows.
"""

import re
from dataclasses import dataclass, field

import pikepdf
from pikepdf import Array, Dictionary, Name, Object, Pdf, Stream, String
from cmaps import split_codes
from objects import entries, entry, inherited, is_dict, items_of, key_of, name_of, names_of, sub
from standard import Fault, Refused

KNOWN = frozenset(
    "b B b* B* BDC BI BMC BT BX c cm CS cs d d0 d1 Do DP EI EMC ET EX f F f* G g gs h i ID j J K k l M m MP n q Q re RG rg "
    "ri s S SC sc SCN scn sh T* Tc Td TD Tf Tj TJ TL Tm Tr Ts Tw Tz v w W W* y ' \" INLINE IMAGE".split()
)
SHOWS_TEXT = frozenset(["Tj", "TJ", "'", '"'])
PAINTS = SHOWS_TEXT | frozenset(["f", "F", "f*", "B", "B*", "b", "b*", "s", "S", "sh", "EI", "INLINE IMAGE"])
INTENTS = ("/RelativeColorimetric", "/AbsoluteColorimetric", "/Perceptual", "/Saturation")
DEEPEST_STATE = 28
DEEPEST_FORM = 40


@dataclass
class FontUse:
    font: Object
    codes: set[bytes] = field(default_factory=set)
    """Of these the glyphs are drawn; the text of others is invisible."""
    drawn: set[bytes] = field(default_factory=set)


@dataclass
class Usage:
    fonts: dict[object, FontUse] = field(default_factory=dict)
    uses_cmyk: bool = False
    resources: list[Object] = field(default_factory=list)
    faults: dict[str, Fault] = field(default_factory=dict)
    """Content that is neither tagged nor an artifact."""
    has_untagged: bool = False

    def fault(self, clause: str, text: str) -> None:
        self.faults.setdefault(clause + text, Fault(clause, text))


@dataclass
class _State:
    font: Object | None = None
    mode: int = 0


class _Walk:
    def __init__(self, pdf: Pdf):
        self.pdf = pdf
        self.usage = Usage()
        self.seen: set[object] = set()
        self.seen_resources: set[object] = set()

    def stream(self, content: Object, resources: Object | None, owner: Object, tagged: bool, depth: int) -> None:
        """`owner` is the page or the stream whose resources these are."""
        if depth > DEEPEST_FORM:
            raise Refused("too-complex", "The forms of the PDF are nested too deeply.")
        if resources is None:
            resources = Dictionary()
        self.visit_resources(resources, owner, depth)
        try:
            instructions = pikepdf.parse_content_stream(content)
        except Exception as error:  # noqa: BLE001 - a filter that is damaged or unknown
            raise Refused("corrupt-input", "The content of a page cannot be read. Create the PDF again.") from error
        stack: list[_State] = []
        state, marks = _State(), [tagged]
        for operands, operator in instructions:
            name = str(operator)
            if name == "q":
                stack.append(_State(state.font, state.mode))
                if len(stack) > DEEPEST_STATE:
                    self.usage.fault("6.1.13", "graphics states are nested more than 28 deep")
            elif name == "Q" and stack:
                state = stack.pop()
            elif name in ("BDC", "BMC"):
                # The marked-content ids of a stream count only when the structure tree refers to the stream.
                is_known = "/StructParents" in owner
                marks.append(marks[-1] or _is_marked(operands, resources, is_known))
            elif name == "EMC" and len(marks) > 1:
                marks.pop()
            else:
                self.instruction(name, operands, state, resources, depth, marks[-1])
            if name in PAINTS and not marks[-1]:
                self.usage.has_untagged = True

    def instruction(self, name, operands, state, resources, depth, tagged) -> None:
        usage = self.usage
        if name == "Tf" and operands:
            state.font = sub(sub(resources, "/Font"), operands[0])
        elif name == "Tr" and operands:
            state.mode = int(operands[0])
        elif name in SHOWS_TEXT:
            self.text(operands, state)
        elif name in ("k", "K"):
            usage.uses_cmyk = True
        elif name in ("cs", "CS") and operands and name_of(operands[0]) == "/DeviceCMYK":
            usage.uses_cmyk = True
        elif name == "ri" and operands and name_of(operands[0]) not in INTENTS:
            usage.fault("6.2.6", "a rendering intent is not one of the four of the standard")
        elif name == "Do" and operands:
            form = sub(sub(resources, "/XObject"), operands[0])
            if isinstance(form, Stream) and name_of(form.get("/Subtype")) == "/Form":
                self.form(form, resources, tagged, depth)
        elif name == "INLINE IMAGE" and operands:
            self.inline_image(operands[0])
        elif name not in KNOWN:
            usage.fault("6.2.2", f"the content uses the unknown operator {re.sub(r'[^A-Za-z0-9]', '?', name)[:20]}")

    def inline_image(self, image) -> None:
        values = image.obj if hasattr(image, "obj") else image
        for key in ("/F", "/Filter"):
            names = names_of(values.get(key)) if is_dict(values) else []
            if any(each in ("/LZW", "/LZWDecode", "/Crypt") for each in names):
                self.usage.fault("6.1.10", "an inline image is compressed with LZW")
        for key in ("/CS", "/ColorSpace"):
            if is_dict(values) and name_of(values.get(key)) in ("/CMYK", "/DeviceCMYK"):
                self.usage.uses_cmyk = True

    def text(self, operands, state: _State) -> None:
        if state.font is None:
            return
        key = key_of(state.font)
        use = self.usage.fonts.setdefault(key, FontUse(state.font))
        for operand in operands:
            for each in operand if isinstance(operand, Array) else [operand]:
                if isinstance(each, String):
                    codes = split_codes(state.font, bytes(each))
                    use.codes.update(codes)
                    if state.mode != 3:
                        use.drawn.update(codes)

    def form(self, form: Stream, outer: Object, tagged: bool, depth: int) -> None:
        if "/Resources" not in form and outer is not None:
            # A form without resources uses those of the page, which PDF/A wants to be written out.
            form["/Resources"] = outer
        key = (key_of(form), tagged)
        if key in self.seen:
            return
        self.seen.add(key)
        self.stream(form, sub(form, "/Resources"), form, tagged, depth + 1)

    def visit_resources(self, resources: Object, owner: Object, depth: int) -> None:
        # Two owners may have the same resources, each its own.
        key = key_of(resources if resources.is_indirect else owner)
        if key in self.seen_resources:
            return
        self.seen_resources.add(key)
        self.usage.resources.append(resources)
        for pattern in _values(resources, "/Pattern"):
            if isinstance(pattern, Stream):
                self.form(pattern, resources, True, depth)
        for state in _values(resources, "/ExtGState"):
            group = sub(sub(state, "/SMask"), "/G")
            if isinstance(group, Stream):
                self.form(group, resources, True, depth)
        for font in _values(resources, "/Font"):
            if name_of(font.get("/Subtype")) == "/Type3":
                own = entry(font, "/Resources") if "/Resources" in font else resources
                for glyph in _values(font, "/CharProcs"):
                    if isinstance(glyph, Stream) and (key := (key_of(glyph), True)) not in self.seen:
                        self.seen.add(key)
                        self.stream(glyph, own, font, True, depth + 1)

    def annotation(self, annotation: Object) -> None:
        for appearance in _appearances(annotation):
            self.form(appearance, None, True, 0)


def _is_marked(operands, resources, is_known: bool) -> bool:
    """Is it an artifact, or content with a number in the structure?"""
    if operands and name_of(operands[0]) == "/Artifact":
        return True
    properties = operands[1] if len(operands) > 1 else None
    if isinstance(properties, Name):
        properties = sub(sub(resources, "/Properties"), properties)
    return is_known and is_dict(properties) and "/MCID" in properties


def _values(value: Object | None, key: str) -> list[Object]:
    found = sub(value, key)
    return [each for _, each in entries(found) if is_dict(each)] if found is not None else []


def _appearances(annotation: Object) -> list[Stream]:
    found: list[Stream] = []
    pending = [each for _, each in entries(entry(annotation, "/AP"))]
    while pending:
        each = pending.pop()
        if isinstance(each, Stream):
            found.append(each)
        elif isinstance(each, Dictionary):
            pending.extend(value for _, value in entries(each))
    return found


def walk(pdf: Pdf) -> Usage:
    walk = _Walk(pdf)
    for page in pdf.pages:
        resources = inherited(page.obj, "/Resources")
        if not is_dict(resources):
            resources = Dictionary()
        if "/Resources" not in page.obj:
            page.obj["/Resources"] = resources
        if "/Contents" in page.obj:
            walk.stream(page.obj, page.obj["/Resources"], page.obj, False, 0)
        else:
            walk.visit_resources(page.obj["/Resources"], page.obj, 0)
        for annotation in items_of(page.obj, "/Annots"):
            if is_dict(annotation):
                walk.annotation(annotation)
    return walk.usage
