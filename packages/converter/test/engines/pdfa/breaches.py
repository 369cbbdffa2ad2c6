"""Breaks a PDF/A file in one way after the other, and prints which clauses the checker finds broken each time.

    breaches.py GOOD PROGRAM    GOOD is a PDF/A-2u file of one page, PROGRAM the folder of the checker
"""

import io
import json
import sys

good, program = sys.argv[1:3]
sys.path.insert(0, program)

import pikepdf  # noqa: E402
from check import find_faults  # noqa: E402
from objects import open_pdf  # noqa: E402
from pikepdf import Array, Dictionary, Name, Stream, String  # noqa: E402
from standard import Standard  # noqa: E402


def font(pdf):
    return next(each for each in pdf.objects if isinstance(each, Dictionary) and each.get("/Type") == "/Font")


def content(pdf, extra):
    page = pdf.pages[0].obj
    page["/Contents"] = Stream(pdf, page["/Contents"].read_bytes() + b"\n" + extra)


def annotate(pdf, **values):
    annotation = Dictionary(Type=Name.Annot, Rect=Array([0, 0, 20, 20]), F=4, **values)
    pdf.pages[0].obj["/Annots"] = Array([pdf.make_indirect(annotation)])


def attach(pdf):
    stream = pdf.make_indirect(Stream(pdf, b"x"))
    spec = pdf.make_indirect(Dictionary(Type=Name.Filespec, F="a.txt", EF=Dictionary(F=stream)))
    pdf.Root["/Names"] = Dictionary(EmbeddedFiles=Dictionary(Names=Array([String("a.txt"), spec])))


def lzw(pdf):
    stream = Stream(pdf, b"\x80\x0b\x60\x50\x22\x0c\x0c\x85\x01")
    stream["/Filter"] = Name.LZWDecode
    pdf.Root["/PieceInfo"] = pdf.make_indirect(stream)


def image(pdf, **values):
    picture = Stream(pdf, b"\0\0\0")
    for key, value in {"Width": 1, "Height": 1, "BitsPerComponent": 8, "ColorSpace": Name.DeviceRGB, **values}.items():
        picture[f"/{key}"] = value
    picture["/Type"], picture["/Subtype"] = Name.XObject, Name.Image
    pdf.pages[0].obj["/Resources"]["/XObject"] = Dictionary(I=pdf.make_indirect(picture))
    content(pdf, b"q 1 0 0 1 0 0 cm /I Do Q")


def state(pdf, **values):
    pdf.pages[0].obj["/Resources"]["/ExtGState"] = Dictionary(G=Dictionary(Type=Name.ExtGState, **values))


def packet(pdf, old, new):
    stream = pdf.Root["/Metadata"]
    stream.write(stream.read_bytes().replace(old, new))


def no_unicode(pdf):
    """Names of glyphs that mean nothing."""
    one = font(pdf)
    if "/ToUnicode" in one:
        del one["/ToUnicode"]
    one["/Encoding"] = Dictionary(BaseEncoding=Name.WinAnsiEncoding, Differences=Array([ord("W"), Name("/g123")]))


def widths(pdf):
    one = font(pdf)
    one["/Widths"] = Array([each + 40 for each in one["/Widths"]])


def drop_font(pdf):
    del font(pdf)["/FontDescriptor"]["/FontFile2"]


def layers(pdf):
    group = pdf.make_indirect(Dictionary(Type=Name.OCG, Name="Layer"))
    pdf.Root["/OCProperties"] = Dictionary(OCGs=Array([group]), D=Dictionary(AS=Array([])))


SCRIPT = Dictionary(S=Name.JavaScript, JS="1")
BREACHES = {
    "6.1.8": lambda pdf: font(pdf).__setitem__("/BaseFont", pikepdf.Object.parse(b"/#82l#82r")),
    "6.1.10": lambda pdf: content(pdf, b"BI /W 1 /H 1 /BPC 8 /CS /G /F /LZW ID \x80\x0b EI"),
    "6.1.13": lambda pdf: content(pdf, b"q " * 30 + b"Q " * 30),
    "6.2.2": lambda pdf: content(pdf, b"1 2 nonsense"),
    "6.2.3": lambda pdf: pdf.Root.__delitem__("/OutputIntents"),
    "6.2.4.2": lambda pdf: pdf.pages[0].obj["/Resources"].__setitem__(
        "/ColorSpace", Dictionary(C=Array([Name.ICCBased, pdf.make_indirect(Stream(pdf, b"none", N=3))]))
    ),
    "6.2.4.3": lambda pdf: content(pdf, b"0 1 0 0 k"),
    "6.2.5": lambda pdf: state(pdf, TR=Name.Identity),
    "6.2.6": lambda pdf: content(pdf, b"/Beautiful ri"),
    "6.2.8": lambda pdf: image(pdf, Interpolate=True),
    "6.2.8.3": lambda pdf: image(pdf, Filter=Name.JPXDecode),
    "6.2.10": lambda pdf: state(pdf, BM=Name("/Sparkle")),
    "6.2.11.4": drop_font,
    "6.2.11.5": widths,
    "6.2.11.6": lambda pdf: font(pdf)["/FontDescriptor"].__setitem__("/Flags", 4),
    "6.2.11.7": no_unicode,
    "6.2.11.8": lambda pdf: content(pdf, b"BT /F 12 Tf (\x01) Tj ET"),
    "6.3.1": lambda pdf: annotate(pdf, Subtype=Name.Movie),
    "6.3.2": lambda pdf: annotate(pdf, Subtype=Name.Link) or pdf.pages[0].obj["/Annots"][0].__setitem__("/F", 2),
    "6.3.3": lambda pdf: annotate(pdf, Subtype=Name.Highlight),
    "6.4.1": lambda pdf: pdf.Root.__setitem__("/AcroForm", Dictionary(Fields=Array([]), NeedAppearances=True)),
    "6.4.2": lambda pdf: pdf.Root.__setitem__("/AcroForm", Dictionary(Fields=Array([]), XFA=Array([]))),
    "6.5.1": lambda pdf: annotate(pdf, Subtype=Name.Link, A=SCRIPT),
    "6.5.2": lambda pdf: pdf.pages[0].obj.__setitem__("/AA", Dictionary(O=SCRIPT)),
    "6.6.2": lambda pdf: packet(pdf, b"</rdf:RDF>", b""),
    "6.6.4": lambda pdf: packet(pdf, b"<pdfaid:part>2", b"<pdfaid:part>1"),
    "6.8": attach,
    "6.9": layers,
    "6.10": lambda pdf: pdf.pages[0].obj.__setitem__("/PresSteps", Dictionary()),
    "6.11": lambda pdf: pdf.Root.__setitem__("/Requirements", Array([])),
}


def clauses(breach, standard=Standard(2, "u"), **options):
    changed = io.BytesIO()
    with pikepdf.open(good) as pdf:
        breach(pdf)
        pdf.save(changed, **{"fix_metadata_version": False, **options})
    with open_pdf(changed) as pdf:
        return sorted({fault.clause for fault in find_faults(pdf, standard)})


found = {clause: clauses(breach) for clause, breach in BREACHES.items()}
found["nothing"] = clauses(lambda pdf: None)
found["6.1.3"] = clauses(lambda pdf: None, encryption=pikepdf.Encryption(owner="x", user=""))
found["6.1.7"] = clauses(lzw, compress_streams=False, stream_decode_level=pikepdf.StreamDecodeLevel.none)
found["6.1.2"] = clauses(lambda pdf: None, force_version="2.0")
print(json.dumps(found))
