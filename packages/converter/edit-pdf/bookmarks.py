"""Writes the outline of a PDF."""

from pikepdf import Array, Dictionary, Name, Object, Pdf, String
from objects import open_pdf, save_step


def write_bookmarks(path: str, bookmarks: list[dict]) -> str:
    """Replaces the outline of the document."""
    with open_pdf(path) as pdf:
        outline = pdf.make_indirect(Dictionary(Type=Name.Outlines))
        _place(pdf, bookmarks, outline)
        pdf.Root.Outlines = outline
        return save_step(pdf)


def _place(pdf: Pdf, bookmarks: list[dict], parent: Object) -> None:
    nodes = [pdf.make_indirect(Dictionary(Parent=parent)) for _ in bookmarks]
    for index, (node, bookmark) in enumerate(zip(nodes, bookmarks)):
        page = pdf.pages[min(max(bookmark["page"], 1), len(pdf.pages)) - 1].obj
        node.Title, node.Dest = String(bookmark["title"]), Array([page, Name.Fit])
        if index > 0:
            node.Prev, nodes[index - 1].Next = nodes[index - 1], node
        _place(pdf, bookmark.get("children", []), node)
    if nodes:
        parent.First, parent.Last, parent.Count = nodes[0], nodes[-1], len(nodes)
