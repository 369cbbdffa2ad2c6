"""Runs qpdf. Each step makes a new version of a file in the folder `work`."""

import json
import os
import re
import subprocess
from itertools import count

from standard import Refused

_numbers = count(1)


def next_path(kind: str = "step", ending: str = ".pdf") -> str:
    return f"work/{kind}-{next(_numbers)}{ending}"


def qpdf(*arguments: str) -> str:
    """Warnings are no failure. The arguments go through a file: other users could read a password on the command line."""
    path = next_path("arguments", "")
    with open(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w", encoding="utf-8") as file:
        file.writelines(f"{each}\n" for each in arguments)
    done = subprocess.run(["qpdf", "--warning-exit-0", f"@{path}"], capture_output=True)
    if done.returncode != 0:
        raise _refusal(done.stderr.decode("utf-8", "replace"))
    return done.stdout.decode("utf-8", "replace")


def _refusal(said: str) -> Refused:
    if re.search("invalid password", said, re.I):
        return Refused("password-protected", "The PDF is protected by a password. Upload it without one.")
    if re.search("page range|out of range|pages? numbers?", said, re.I):
        return Refused("unsupported", "The page ranges do not fit the number of pages of the PDF.")
    return Refused("corrupt-input", "The PDF is damaged: qpdf cannot process it. Create it again.")


def transform(path: str, *arguments: str) -> str:
    """Applies arguments to a file and returns the path of the result."""
    target = next_path()
    qpdf(path, *arguments, target)
    return target


def refuse_wrong_page_count(path: str) -> None:
    """A damaged PDF may declare any number of pages. Steps count on it, and viewers show no page of some such files.
    Only when it selects pages does qpdf compare the declared number with the page tree."""
    qpdf(path, "--pages", ".", "1", "--", "/dev/null")


def count_pages(path: str) -> int:
    """The number that the PDF declares."""
    return int(qpdf("--show-npages", path))


def read_bookmarks(path: str) -> list[dict]:
    """`title`, `page` (from 1) and `children` of each."""
    return _bookmarks(json.loads(qpdf("--json=2", "--json-key=outlines", path))["outlines"])


def _bookmarks(items: list[dict]) -> list[dict]:
    return [
        {
            "title": each["title"],
            "page": each["destpageposfrom1"] or 0,
            **({"children": _bookmarks(each["kids"])} if each["kids"] else {}),
        }
        for each in items
    ]


def open_ranges(ranges: str) -> str:
    """`7-` goes to the last page."""
    return re.sub(r"-(?=,|$)", "-z", ranges)
