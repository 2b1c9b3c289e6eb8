"""Prints the text that pdfium or MuPDF reads in a file: engine_text.py pdfium|mupdf FILE. A process of its own, as
damaged files may bring an engine down."""

import sys


def pdfium(path):
    import pypdfium2

    return [page.get_textpage().get_text_range() for page in pypdfium2.PdfDocument(path)]


def mupdf(path):
    import pymupdf

    pymupdf.TOOLS.mupdf_display_errors(False)
    return [page.get_text() for page in pymupdf.open(path)]


engine, path = sys.argv[1:]
text = "\n".join({"pdfium": pdfium, "mupdf": mupdf}[engine](path))
sys.stdout.buffer.write(text.encode("utf-8", "replace"))
