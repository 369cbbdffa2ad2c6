"""Makes an archival PDF out of a PDF, in the sandbox.

    make_pdfa.py IN OUT STANDARD [--ua] [--text=LAYER]
                                           STANDARD is 1b, 2b, 2u, 3b or 3u; empty for PDF/UA alone. LAYER has the
                                           recognised text of scanned pages (text_layer.py)
    make_pdfa.py --check FILE STANDARD     prints the clauses that the file does not meet

The pages stay as they are: objects are changed, nothing is redrawn. The result is checked clause by clause before it
is left under its name, so no file carries a label that it does not deserve.
"""

import json
import os
import sys
import traceback

import pikepdf
from check import find_faults
from clean import clean
from colour import define_cmyk, replace_newer_profiles, set_output_intent
from content import walk
from fonts import Font
from metadata import write_metadata
from objects import open_pdf
from repair_fonts import repair_font
from standard import Fault, Refused, Standard, read_standard, reporting
from structure import prepare_structure
from text_layer import add_text_layer

MOST_SHOWN = 3


def make(source: str, target: str, standard: Standard, layer: str) -> None:
    with open_pdf(source) as pdf:
        # A damaged PDF may have no page that a viewer could show.
        if len(pdf.pages) == 0:
            raise Refused("corrupt-input", "The PDF has no pages, or is damaged. Create it again.")
        correct_page_count(pdf)
        changes: set[str] = set()
        if layer:
            add_text_layer(pdf, layer)
        if standard.part:
            convert(pdf, standard, changes)
        if standard.ua:
            prepare_structure(pdf)
        write_metadata(pdf, standard)
        save(pdf, target, standard)
    with open_pdf(target) as pdf:
        faults = find_faults(pdf, standard)
    if faults:
        os.unlink(target)
        raise Refused("unsupported", sentence_of(faults, standard))
    print(json.dumps({"changes": sorted(changes)}, separators=(",", ":")))


def correct_page_count(pdf: pikepdf.Pdf) -> None:
    """Viewers trust the number that the page tree declares: with a wrong one they show some of the pages, or none."""
    tree, count = pdf.Root.Pages, len(pdf.pages)
    if tree.get("/Count") != count:
        tree.Count = count
        # A change of the list makes qpdf write a flat page tree, so that no other node has a wrong count.
        pdf.pages.append(pdf.pages[0])
        del pdf.pages[-1]


def convert(pdf: pikepdf.Pdf, standard: Standard, changes: set[str]) -> None:
    clean(pdf, standard, changes)
    usage = walk(pdf)
    for use in usage.fonts.values():
        repair_font(pdf, Font(use), standard, changes)
    if standard.part == 1:
        replace_newer_profiles(pdf)
    define_cmyk(pdf, usage)
    set_output_intent(pdf)


def save(pdf: pikepdf.Pdf, target: str, standard: Standard) -> None:
    modern = pikepdf.ObjectStreamMode.generate
    pdf.save(
        target,
        encryption=False,
        # Without them a viewer of PDF 1.4 reads the file.
        object_stream_mode=pikepdf.ObjectStreamMode.disable if standard.part == 1 else modern,
        force_version="1.4" if standard.part == 1 else "1.7",
        stream_decode_level=pikepdf.StreamDecodeLevel.generalized,
        fix_metadata_version=False,
    )


def sentence_of(faults: list[Fault], standard: Standard) -> str:
    shown = "; ".join(f"{fault.text} ({fault.clause})" for fault in faults[:MOST_SHOWN])
    more = f"; and {len(faults) - MOST_SHOWN} more" if len(faults) > MOST_SHOWN else ""
    lacks_text = standard.level == "u" and all(fault.clause == "6.2.11.7" for fault in faults)
    lower = " PDF/A-2b does not ask for that." if lacks_text else ""
    return f"The PDF cannot become {standard.name}: {shown}{more}.{lower}"


def make_checked(source: str, target: str, standard: Standard, layer: str = "") -> None:
    try:
        make(source, target, standard, layer)
    except Refused:
        raise
    except Exception as error:  # noqa: BLE001 - what a damaged file leads to is not known; the log gets the trace
        traceback.print_exc()
        sentence = "The PDF is damaged, or uses something that the service does not know. Create it again."
        raise Refused("corrupt-input", sentence) from error


def main(arguments: list[str]) -> None:
    if arguments[0] == "--check":
        with open_pdf(arguments[1]) as pdf:
            for fault in find_faults(pdf, read_standard(arguments[2], "--ua" in arguments)):
                print(f"{fault.clause}\t{fault.text}")
    else:
        layer = next((each[7:] for each in arguments[3:] if each.startswith("--text=")), "")
        make_checked(arguments[0], arguments[1], read_standard(arguments[2], "--ua" in arguments), layer)


if __name__ == "__main__":
    sys.exit(reporting(lambda: main(sys.argv[1:])))
