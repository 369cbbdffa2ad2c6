"""Text, a picture or a page of another PDF under or over every page.

Text and pictures become a PDF of one page, of the size of the document's first page; qpdf fits it to the others.
"""

import math
import re

import pikepdf
from pikepdf import Array, Dictionary, Name, Object, Pdf, Stream
from objects import inherited, open_pdf
from qpdf import next_path, open_ranges, transform
from standard import Refused

EDGE = 12
"""Between a mark and the edge of the page, in points."""
LARGEST_PICTURE = 50_000_000


def add_marks(path: str, marks: list[dict], how: str) -> str:
    """`how` is `underlay` or `overlay`."""
    for mark in marks:
        source = f"work/{mark['path']}" if mark["source"] == "pdf" else _page_of(mark, _size_of(path))
        pages = [f"--to={open_ranges(mark['pages'])}"] if mark.get("pages") else []
        path = transform(path, f"--{how}", source, *pages, "--from=1", "--repeat=1", "--")
    return path


def _size_of(path: str) -> tuple[float, float]:
    with open_pdf(path) as pdf:
        box = inherited(pdf.pages[0].obj, "/MediaBox")
        left, bottom, right, top = map(float, box if isinstance(box, Array) else (0, 0, 612, 792))
        return right - left, top - bottom


def _page_of(mark: dict, size: tuple[float, float]) -> str:
    with pikepdf.new() as pdf:
        opacity = mark.get("opacity", 0.5)
        font = Dictionary(Type=Name.Font, Subtype=Name.Type1, BaseFont=Name.Helvetica, Encoding=Name.WinAnsiEncoding)
        resources = Dictionary(
            Font=Dictionary(F=font), ExtGState=Dictionary(G=Dictionary(Type=Name.ExtGState, ca=opacity, CA=opacity))
        )
        if mark["source"] == "image":
            picture = _picture(pdf, f"work/{mark['path']}")
            resources.XObject = Dictionary(P=picture)
            content = _draw_picture(mark, int(picture.Width), int(picture.Height), size)
        else:
            content = _draw_text(mark, size)
        stream = Stream(pdf, f"/Artifact BMC q /G gs {content} Q EMC".encode("ascii"))
        page = Dictionary(
            Type=Name.Page, MediaBox=Array([0, 0, *size]), Contents=pdf.make_indirect(stream), Resources=resources
        )
        pdf.pages.append(pikepdf.Page(pdf.make_indirect(page)))
        target = next_path()
        pdf.save(target, force_version="1.7")
        return target


def _width_of(letter: str) -> float:
    """How wide the characters of Helvetica are at most, by their kind, for a size of one."""
    if letter in "ijl.,:;'|!":
        return 0.3
    if letter in "mwMW@%":
        return 0.95
    return 0.78 if "A" <= letter <= "Z" else 0.56


def _draw_text(mark: dict, page: tuple[float, float]) -> str:
    text, rotation = mark.get("text", ""), mark.get("rotation", 45)
    try:
        shown = text.encode("latin-1").hex()
    except UnicodeEncodeError as error:
        sentence = "A text mark takes Latin letters only. Use an image or a PDF for other letters."
        raise Refused("unsupported", sentence) from error
    units = sum(map(_width_of, text))
    size = page[0] * mark.get("scale", 0.6) / max(1, units)
    length = units * size
    cos, sin = math.cos(math.radians(rotation)), math.sin(math.radians(rotation))
    x, y = _place_of(mark, page, (length, size), rotation != 0)
    numbers = " ".join(f"{each:.3f}" for each in (cos, sin, -sin, cos, x - length / 2 * cos, y - length / 2 * sin))
    return f"{_rgb(mark.get('color', ''))} rg BT /F {size:.2f} Tf {numbers} Tm <{shown}> Tj ET"


def _draw_picture(mark: dict, width: int, height: int, page: tuple[float, float]) -> str:
    drawn = page[0] * mark.get("scale", 0.5)
    own = (drawn, drawn * height / width)
    x, y = _place_of(mark, page, own, False)
    return f"{own[0]:.2f} 0 0 {own[1]:.2f} {x - own[0] / 2:.2f} {y - own[1] / 2:.2f} cm /P Do"


def _place_of(mark: dict, page: tuple[float, float], own: tuple[float, float], is_turned: bool) -> tuple[float, float]:
    """The centre of the mark, whose position is such as `tl`, `c` or `br`."""
    position = "c" if is_turned else mark.get("position", "c")
    x, y = EDGE + own[0] / 2, EDGE + own[1] / 2
    return (
        {"l": x, "r": page[0] - x}.get(position[-1:], page[0] / 2),
        {"t": page[1] - y, "b": y}.get(position[:1], page[1] / 2),
    )


def _rgb(color: str) -> str:
    match = re.fullmatch("#?([0-9a-f]{2})([0-9a-f]{2})([0-9a-f]{2})", color, re.I)
    return " ".join(f"{int(part, 16) / 255:.3f}" for part in (match.groups() if match else ("80", "80", "80")))


def _picture(pdf: Pdf, path: str) -> Object:
    """A JPEG is embedded as it is; the transparency of a PNG becomes a mask."""
    from PIL import Image

    try:
        with Image.open(path, formats=["JPEG", "PNG"]) as image:
            if image.width * image.height > LARGEST_PICTURE:
                raise ValueError("too many pixels")
            if image.format == "JPEG":
                with open(path, "rb") as file:
                    return _image(pdf, file.read(), image.size, image.mode, Name.DCTDecode)
            has_mask = image.mode in ("LA", "RGBA", "PA") or "transparency" in image.info
            whole = image.convert("RGBA" if has_mask else "RGB")
            picture = _image(pdf, whole.convert("RGB").tobytes(), image.size, "RGB")
            if has_mask:
                picture.SMask = _image(pdf, whole.getchannel("A").tobytes(), image.size, "L")
            return picture
    except (OSError, ValueError, SyntaxError) as error:
        raise Refused("unsupported", "The picture is neither a JPEG nor a PNG. Save it as one.") from error


def _image(pdf: Pdf, data: bytes, size: tuple[int, int], mode: str, encoding: Name | None = None) -> Object:
    space = {"L": Name.DeviceGray, "CMYK": Name.DeviceCMYK}.get(mode, Name.DeviceRGB)
    stream = Stream(
        pdf, data, Type=Name.XObject, Subtype=Name.Image, Width=size[0], Height=size[1], ColorSpace=space, BitsPerComponent=8
    )
    if encoding is not None:
        stream.Filter = encoding
    return pdf.make_indirect(stream)
