"""Applies steps to several files, in the sandbox.

    process_files.py IN OUT   IN is a ZIP archive with steps.json and the files that it names. OUT becomes a ZIP archive
                              with the resulting files, or with result.json

The steps, in their order; the last one opens what came out:

    files        the path of each in the archive, and the name of its result
    read         `metadata`, `bookmarks` or `properties`: reads the files, and changes nothing
    merge        name, indexBookmarks, titleBookmarks
    split        mode `intervals` with span, or mode `pages` with ranges and unify
    rotate       angle, pages
    watermarks   below the pages; stamps: above them. Of each the source (text, image or pdf), text or path, pages,
                 rotation, scale (a part of the page's width), opacity, color, position (such as `tl`, `c` or `br`)
    flatten      draws form fields and annotations into the pages
    bookmarks    title, page, children: for every file, or by the name of the file
    metadata     entries of the information dictionary
    embeds       path, name, mimeType, relationship
    archive      pdfa and pdfua: the standard, which the result is checked for
    encrypt      user, owner, denied
"""

import json
import math
import os
import sys
import zipfile

from document_properties import read_properties
from qpdf import count_pages, next_path, open_ranges, qpdf, read_bookmarks, refuse_wrong_page_count, transform
from standard import Refused, read_standard, reporting

# The modules that edit objects are imported where they are used: pikepdf takes longer to load than most steps, which are
# qpdf's.


def read_information(path: str) -> dict[str, object]:
    import information

    return information.read_information(path)


READERS = {"metadata": read_information, "bookmarks": read_bookmarks, "properties": read_properties}
File = tuple[str, str]
"""Path and name."""


def apply_steps(steps: dict, files: list[File]) -> list[File]:
    for path, _ in files:
        refuse_wrong_page_count(path)
    if "merge" in steps:
        files = [_merge(files, steps["merge"], steps.get("bookmarks"))]
    if "split" in steps:
        files = [part for file in files for part in _split(*file, steps["split"])]
    # An uploaded file to which nothing was done is still read once.
    is_uploaded = "merge" not in steps and "split" not in steps
    results = []
    for path, name in files:
        result = _apply_to_one(path, name, steps)
        result = transform(result) if is_uploaded and result == path else result
        encrypt = steps.get("encrypt")
        qpdf("--check", *([f"--password={encrypt['owner'] or encrypt['user']}"] if encrypt else []), result)
        results.append((result, name))
    return results


def _apply_to_one(path: str, name: str, steps: dict) -> str:
    if rotate := steps.get("rotate"):
        path = transform(path, f"--rotate=+{rotate['angle']}:{rotate['pages'] or '1-z'}")
    for kind, how in (("watermarks", "underlay"), ("stamps", "overlay")):
        if marks := steps.get(kind):
            from marks import add_marks

            path = add_marks(path, marks, how)
    if steps.get("flatten"):
        path = transform(path, "--generate-appearances", "--flatten-annotations=all")
    bookmarks = steps.get("bookmarks")
    own = bookmarks if isinstance(bookmarks, list) else (bookmarks or {}).get(name)
    if own is not None:
        from bookmarks import write_bookmarks

        path = write_bookmarks(path, own)
    if steps.get("metadata") is not None:
        from information import write_information

        path = write_information(path, steps["metadata"])
    if steps.get("embeds"):
        path = _embed(path, steps["embeds"])
    if archive := steps.get("archive"):
        from make_pdfa import make_checked

        source, path = path, next_path()
        make_checked(source, path, read_standard(archive.get("pdfa", ""), archive.get("pdfua", False)))
    if encrypt := steps.get("encrypt"):
        user, owner = encrypt["user"], encrypt["owner"]
        path = transform(path, "--encrypt", user, owner or user, "256", *encrypt["denied"], "--")
    return path


def _merge(files: list[File], how: dict, given: object) -> File:
    """Bookmarks may be given for the whole, or by the name of each file, and then count from its first page."""
    target = next_path()
    qpdf("--empty", "--pages", *(path for path, _ in files), "--", target)
    by_file = given if isinstance(given, dict) else {}
    index, before = [], 0
    for path, name in [] if isinstance(given, list) else files:
        is_read = how["indexBookmarks"] or how["titleBookmarks"]
        own = by_file[name] if name in by_file else read_bookmarks(path) if is_read else []
        moved = shifted(own, before)
        if how["titleBookmarks"]:
            title = read_information(path).get("Title")
            shown = title if isinstance(title, str) and title else _stem(name)
            index.append({"title": shown, "page": before + 1, "children": moved})
        else:
            index += moved
        before += count_pages(path)
    if index:
        from bookmarks import write_bookmarks

        target = write_bookmarks(target, index)
    return target, how["name"]


def shifted(bookmarks: list[dict], pages: int) -> list[dict]:
    return [
        {**each, "page": each["page"] + pages, "children": shifted(each.get("children", []), pages)} for each in bookmarks
    ]


def _split(path: str, name: str, how: dict) -> list[File]:
    def pick(pages: str) -> str:
        return transform(path, "--pages", ".", pages, "--")

    if how["mode"] == "pages" and how["unify"]:
        return [(pick(open_ranges(how["ranges"])), name)]
    pages = count_pages(path)
    if how["mode"] == "intervals":
        span = how["span"]
        starts = [part * span + 1 for part in range(math.ceil(pages / span))]
        parts = [f"{first}-{min(pages, first + span - 1)}" for first in starts]
    else:
        parts = [str(page) for each in how["ranges"].split(",") for page in _pages_in(each, pages)]
    # Each for itself: all at once, with qpdf's --split-pages, they would lose their structure.
    return [(pick(part), f"{_stem(name)}_{index}.pdf") for index, part in enumerate(parts)]


def _pages_in(given: str, pages: int) -> range:
    def page_of(text: str, otherwise: int) -> int:
        return pages if text == "z" else int(text or otherwise)

    first, dash, last = given.partition("-")
    return range(page_of(first, 1), min(page_of(last if dash else first, pages), pages) + 1)


def _embed(path: str, embeds: list[dict]) -> str:
    """A relationship (PDF/A-3) is written where one is given."""
    arguments = []
    for each in embeds:
        kind = [f"--mimetype={each['mimeType']}"] if each.get("mimeType") else []
        name = each["name"]
        arguments += ["--add-attachment", f"work/{each['path']}", f"--filename={name}", f"--key={name}", *kind, "--replace", "--"]
    attached = transform(path, *arguments)
    related = {each["name"]: each["relationship"] for each in embeds if each.get("relationship")}
    if not related:
        return attached
    from pikepdf import Array, Name
    from objects import open_pdf, save_step

    with open_pdf(attached) as pdf:
        associated = []
        for name, file in pdf.attachments.items():
            if name in related:
                file.obj.AFRelationship = Name(f"/{related[name]}")
                associated.append(file.obj)
        pdf.Root.AF = Array(associated)
        return save_step(pdf)


def _stem(name: str) -> str:
    return name[:-4] if name.lower().endswith(".pdf") else name


def main(source: str, target: str) -> None:
    os.mkdir("work")
    with zipfile.ZipFile(source) as archive:
        if "steps.json" not in archive.namelist():
            raise Refused("corrupt-input", "The file set has no list of steps.")
        steps = json.loads(archive.read("steps.json"))
        archive.extractall("work")
    files = [(f"work/{each['path']}", each["name"]) for each in steps["files"]]
    # Stored, so that a single result can be read out of the archive by its place.
    with zipfile.ZipFile(target, "x", zipfile.ZIP_STORED) as archive:
        if steps.get("read"):
            read = READERS[steps["read"]]
            found = {name: read(path) for path, name in files}
            archive.writestr("result.json", json.dumps(found, ensure_ascii=False))
        else:
            for path, name in apply_steps(steps, files):
                archive.write(path, name)


if __name__ == "__main__":
    sys.exit(reporting(lambda: main(*sys.argv[1:])))
