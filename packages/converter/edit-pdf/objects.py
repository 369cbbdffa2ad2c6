"""Small functions on the objects of a PDF."""

import re
from collections.abc import Callable, Iterator

import pikepdf
from pikepdf import Array, Dictionary, Name, Object, Pdf, Stream
from qpdf import next_path

from standard import Refused


def open_pdf(path: str) -> Pdf:
    _cache.clear()
    try:
        return pikepdf.open(path)
    except pikepdf.PasswordError as error:
        raise Refused("password-protected", "The PDF is protected by a password. Upload it without one.") from error
    except pikepdf.PdfError as error:
        raise Refused("corrupt-input", "The PDF is damaged and cannot be read. Create it again.") from error


def save_step(pdf: Pdf, version: str = "") -> str:
    """The path of the changed file, encrypted like the one before."""
    target = next_path()
    try:
        pdf.save(target, min_version=version, encryption=pdf.is_encrypted, fix_metadata_version=False)
    except pikepdf.PdfError as error:
        raise Refused("corrupt-input", "The PDF is damaged and cannot be read. Create it again.") from error
    return target


def is_dict(value: object) -> bool:
    """A dictionary, or the dictionary of a stream."""
    return isinstance(value, (Dictionary, Stream))


def sub(value: object, key: object) -> Object | None:
    """An entry that is a dictionary or a stream."""
    found = value.get(key) if is_dict(value) and isinstance(key, (str, Name)) else None
    return found if is_dict(found) else None


def entry(value: object, key: str) -> Object:
    """The same; an empty dictionary where there is none."""
    found = sub(value, key)
    return Dictionary() if found is None else found


def items_of(value: object, key: str) -> list:
    """The items of an entry that is an array; none where it is anything else."""
    found = value.get(key) if is_dict(value) else None
    return list(found) if isinstance(found, Array) else []


def entries(value: Object) -> list[tuple[str | bytes, Object]]:
    """Of a dictionary or a stream. A key that is not UTF-8 is bytes: items() fails for the whole dictionary then."""
    try:
        return list(value.items())
    except UnicodeDecodeError:
        source = (value.stream_dict if isinstance(value, Stream) else value).unparse()
        # Too many, as those of parts and texts are among them.
        names = {_unescaped(each) for each in NAME.findall(source)}
        found = [(name, value.get(name)) for name in sorted(names)]
        return [(key, each) for key, each in found if each is not None]


NAME = re.compile(rb"/[^\x00-\x20/()<>[\]{}%]*")


def name_of(value: object) -> str:
    """A name with its slash; empty for anything else. Bytes that are not UTF-8 are read as Latin-1."""
    if not isinstance(value, Name):
        return ""
    try:
        return str(value)
    except UnicodeDecodeError:
        return _unescaped(value.unparse()).decode("latin-1")


def _unescaped(name: bytes) -> bytes:
    return ESCAPED_BYTE.sub(lambda match: bytes([int(match[1], 16)]), name)


ESCAPED_BYTE = re.compile(rb"#([0-9A-Fa-f]{2})")


def names_of(value: object) -> list[str]:
    """Of an entry that is a name or an array of them."""
    return [name_of(each) for each in (value if isinstance(value, Array) else [value])]


def is_utf8(name: Name) -> bool:
    try:
        return bool(str(name))
    except UnicodeDecodeError:
        return False


def drop(value: object, *keys: str) -> None:
    for key in keys:
        if key in value:
            del value[key]


def key_of(value: Object) -> object:
    """The same for two references to one object; an object without a number is known by its content."""
    number = value.objgen
    return number if number != (0, 0) else value.unparse()


def all_dicts(pdf: Pdf) -> Iterator[Object]:
    """Every dictionary and stream of the file, also those inside of others."""
    return (value for value in all_containers(pdf) if is_dict(value))


def all_containers(pdf: Pdf) -> Iterator[Object]:
    """The same, and every array."""
    for top in pdf.objects:
        pending = [top]
        while pending:
            value = pending.pop()
            if is_dict(value):
                yield value
                pending.extend(each for _, each in entries(value) if not _is_reference(each))
            elif isinstance(value, Array):
                yield value
                pending.extend(each for each in value if not _is_reference(each))


def _is_reference(value: object) -> bool:
    """Scalars have no parts; an object with a number is visited by its number."""
    return not isinstance(value, (Dictionary, Stream, Array)) or value.is_indirect


def inherited(page: Object, key: str) -> Object | None:
    """An attribute of a page or of the nodes above it."""
    node, seen = page, 0
    while is_dict(node) and seen < 64:
        if key in node:
            return node[key]
        node, seen = node.get("/Parent"), seen + 1
    return None


def bytes_of(stream: Stream) -> bytes:
    try:
        return stream.read_bytes()
    except Exception:  # noqa: BLE001 - a filter that is damaged or unknown
        return b""


_cache: dict[tuple[str, object], object] = {}


def cached(kind: str, value: Object, make: Callable[[], object]):
    """What was read of an object, once for each file that is open."""
    key = (kind, key_of(value))
    if key not in _cache:
        _cache[key] = make()
    return _cache[key]
