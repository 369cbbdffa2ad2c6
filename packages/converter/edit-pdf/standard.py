"""The parts and levels of PDF/A and PDF/UA, and how a document that cannot conform is reported."""

import json
import sys
from collections.abc import Callable
from dataclasses import dataclass


@dataclass(frozen=True)
class Standard:
    """`part` is 1, 2 or 3 of PDF/A, or 0; `level` is `b` or `u`."""

    part: int
    level: str
    ua: bool = False

    @property
    def name(self) -> str:
        names = [f"PDF/A-{self.part}{self.level}"] if self.part else []
        return " and ".join([*names, *(["PDF/UA-1"] if self.ua else [])])


@dataclass(frozen=True)
class Fault:
    """What keeps a document from conforming: a clause of the standard, and a sentence for the owner of the file."""

    clause: str
    text: str


class Refused(Exception):
    """The document cannot be converted. `word` is one of the failure words of the service."""

    def __init__(self, word: str, sentence: str):
        super().__init__(sentence)
        self.word = word
        self.sentence = sentence


def read_standard(text: str, ua: bool) -> Standard:
    if text not in ("", "1b", "2b", "2u", "3b", "3u"):
        raise ValueError(f"unknown standard {text!r}")
    return Standard(int(text[0]) if text else 0, text[1:], ua)


def reporting(work: Callable[[], None]) -> int:
    """The exit status of the program. A refusal is one line of JSON on stderr."""
    try:
        work()
    except Refused as refused:
        print(json.dumps({"failure": refused.word, "sentence": refused.sentence}), file=sys.stderr)
        return 3
    return 0
