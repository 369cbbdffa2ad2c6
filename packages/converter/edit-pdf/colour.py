"""Colour profiles, made here because they are then a few hundred bytes: sRGB for the output intent, and one for CMYK.

PDF/A wants device colours to be defined. RGB and grey are defined by the output intent. CMYK gets a profile as its
default in the resources, which says what viewers show for CMYK without one: the pages look as before.
"""

import math
import zlib
from itertools import product

from pikepdf import Array, Dictionary, Name, Object, Pdf, Stream
from content import Usage
from objects import all_dicts, bytes_of, entries, name_of

WHITE = (0.9642, 1.0, 0.8249)
"""Of sRGB, adapted to the white of profiles."""
PRIMARIES = ((0.4361, 0.2225, 0.0139), (0.3851, 0.7169, 0.0971), (0.1431, 0.0606, 0.7141))
CURVE_STEPS = 256
GRID = 5
"""What viewers show for each of the 16 mixtures of full inks, in the order of C, M, Y, K; measured with poppler."""
FULL_INKS = (
    "ffffff 231f20 fff200 1c1a00 ec008c 240000 ed1c24 220000 00adef 000f24 00a650 001300 2e3192 000002 363639 000000"
).split()


def _fixed(value: float) -> bytes:
    return round(value * 65536).to_bytes(4, signed=True)


def _xyz(values) -> bytes:
    return b"XYZ \0\0\0\0" + b"".join(map(_fixed, values))


def _text(value: str) -> bytes:
    return b"text\0\0\0\0" + value.encode("ascii") + b"\0"


def _description(value: str) -> bytes:
    text = value.encode("ascii") + b"\0"
    return b"desc\0\0\0\0" + len(text).to_bytes(4) + text + bytes(4 + 4 + 2 + 1 + 67)


def _linear(value: float) -> float:
    return value / 12.92 if value <= 0.04045 else ((value + 0.055) / 1.055) ** 2.4


def _curve() -> bytes:
    values = [round(65535 * _linear(step / (CURVE_STEPS - 1))) for step in range(CURVE_STEPS)]
    return b"curv\0\0\0\0" + CURVE_STEPS.to_bytes(4) + b"".join(each.to_bytes(2) for each in values)


def _profile(kind: bytes, colours: bytes, space: bytes, tags: dict[bytes, bytes]) -> bytes:
    """A profile of version 2, which every part of PDF/A knows."""
    common = {b"cprt": _text("No copyright, use freely"), b"wtpt": _xyz(WHITE)}
    directory, body, places = [], b"", {}
    tags = {**tags, **common}
    start = 128 + 4 + 12 * len(tags)
    for tag, data in tags.items():
        if data not in places:
            places[data] = start + len(body)
            body += data + b"\0" * (-len(data) % 4)
        directory.append(tag + places[data].to_bytes(4) + len(data).to_bytes(4))
    header = bytearray(128)
    header[0:4] = (start + len(body)).to_bytes(4)
    header[8:12] = bytes([2, 0x10, 0, 0])
    header[12:24] = kind + colours + space
    header[24:36] = b"".join(each.to_bytes(2) for each in (2026, 1, 1, 0, 0, 0))
    header[36:40] = b"acsp"
    header[68:80] = b"".join(map(_fixed, WHITE))
    return bytes(header) + len(tags).to_bytes(4) + b"".join(directory) + body


def srgb_profile() -> bytes:
    curve = _curve()
    names = (b"rXYZ", b"gXYZ", b"bXYZ")
    tags = {b"desc": _description("sRGB IEC61966-2.1")}
    tags |= {name: _xyz(values) for name, values in zip(names, PRIMARIES)}
    return _profile(b"mntr", b"RGB ", b"XYZ ", tags | {b"rTRC": curve, b"gTRC": curve, b"bTRC": curve})


def cmyk_profile() -> bytes:
    steps = [step / (GRID - 1) for step in range(GRID)]
    rows = b"".join(_lab([_linear(each / 255) for each in _shown(inks)]) for inks in product(steps, repeat=4))
    straight = bytes(range(256))
    table = b"mft1\0\0\0\0" + bytes([4, 3, GRID, 0])
    table += b"".join(_fixed(1 if at % 4 == 0 else 0) for at in range(9))
    tags = {b"desc": _description("CMYK of screens"), b"A2B0": table + straight * 4 + rows + straight * 3}
    return _profile(b"scnr", b"CMYK", b"Lab ", tags)


def _shown(inks: tuple[float, ...]) -> list[float]:
    """Between the colours of full inks, in proportion."""
    found = [0.0, 0.0, 0.0]
    for corner, colour in zip(product((0, 1), repeat=4), FULL_INKS):
        weight = math.prod(ink if is_full else 1 - ink for ink, is_full in zip(inks, corner))
        found = [sum_ + weight * each for sum_, each in zip(found, bytes.fromhex(colour))]
    return found


def _lab(light) -> bytes:
    """Eight bits for each, as profiles of version 2 keep them."""
    def root(value: float) -> float:
        return value ** (1 / 3) if value > 0.008856 else 7.787 * value + 16 / 116

    x, y, z = (root(sum(p[i] * each for p, each in zip(PRIMARIES, light)) / WHITE[i]) for i in range(3))
    values = ((116 * y - 16) * 2.55, 500 * (x - y) + 128, 200 * (y - z) + 128)
    return bytes(max(0, min(255, round(each))) for each in values)


def _stream(pdf: Pdf, data: bytes, components: int) -> Object:
    stream = Stream(pdf, zlib.compress(data, 9), N=components)
    stream["/Filter"] = Name.FlateDecode
    return pdf.make_indirect(stream)


def set_output_intent(pdf: Pdf) -> None:
    name = "sRGB IEC61966-2.1"
    intent = Dictionary(
        Type=Name.OutputIntent,
        S=Name("/GTS_PDFA1"),
        OutputConditionIdentifier=name,
        Info=name,
        DestOutputProfile=_stream(pdf, srgb_profile(), 3),
    )
    pdf.Root["/OutputIntents"] = Array([pdf.make_indirect(intent)])


def replace_newer_profiles(pdf: Pdf) -> None:
    """PDF/A-1 knows profiles of version 2 only. Of newer ones those of sRGB are replaced; the check refuses others."""
    own = None
    for value in pdf.objects:
        if not isinstance(value, Stream) or value.get("/N") != 3 or "/Type" in value or "/Subtype" in value:
            continue
        data = bytes_of(value)
        if data[36:40] == b"acsp" and data[8] > 2 and _is_srgb(data):
            own = own or srgb_profile()
            value.write(own)


def _is_srgb(data: bytes) -> bool:
    """By its primaries."""
    for at in range(132, 132 + 12 * int.from_bytes(data[128:132]), 12):
        if data[at : at + 4] in (b"rXYZ", b"gXYZ", b"bXYZ"):
            place = int.from_bytes(data[at + 4 : at + 8]) + 8
            values = [int.from_bytes(data[place + i : place + i + 4], signed=True) / 65536 for i in (0, 4, 8)]
            wanted = PRIMARIES[(b"rXYZ", b"gXYZ", b"bXYZ").index(data[at : at + 4])]
            if any(abs(a - b) > 0.005 for a, b in zip(values, wanted)):
                return False
    return data[16:20] == b"RGB "


def define_cmyk(pdf: Pdf, usage: Usage) -> None:
    if not usage.uses_cmyk and not any(names_cmyk(each) for each in all_dicts(pdf)):
        return
    space = pdf.make_indirect(Array([Name.ICCBased, _stream(pdf, cmyk_profile(), 4)]))
    for resources in usage.resources:
        spaces = resources.get("/ColorSpace")
        if not isinstance(spaces, Dictionary):
            spaces = resources["/ColorSpace"] = Dictionary()
        if "/DefaultCMYK" not in spaces:
            spaces["/DefaultCMYK"] = space
    for value in all_dicts(pdf):
        group = value.get("/Group")
        if isinstance(group, Dictionary) and name_of(group.get("/CS")) == "/DeviceCMYK":
            group["/CS"] = space
        # With a profile, a mode that mixes inks means nothing, and PDF/A forbids it.
        if value.get("/OPM") == 1:
            value["/OPM"] = 0


def names_cmyk(value: Object) -> bool:
    for _, each in entries(value):
        pending, left = [each], 200
        while pending and left:
            found, left = pending.pop(), left - 1
            if name_of(found) == "/DeviceCMYK":
                return True
            if isinstance(found, Array) and len(found) < 40:
                pending.extend(found)
    return False
