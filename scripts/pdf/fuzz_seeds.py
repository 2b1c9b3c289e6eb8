"""Seeds for the fuzz targets: small files, or the content streams of their pages."""

import hashlib
import pathlib
import sys

import pymupdf

MAX_BYTES = 60_000

corpus, root, target, out = sys.argv[1:]
corpus, out = pathlib.Path(corpus), pathlib.Path(out)
files = [*pathlib.Path(root, "fixtures/pdfs").glob("*.pdf")]
# MuPDF may take minutes over a page tree that is made to be hostile.
for folder in ("robust", "korean") if target == "loader" else ("odl", "icdar2013", "korean"):
    files += (corpus / folder).rglob("*.pdf")


def contents(file):
    """The content of the first page of a file; none of one that MuPDF cannot open."""
    try:
        yield pymupdf.open(file)[0].read_contents()
    except Exception:
        return


pymupdf.TOOLS.mupdf_display_errors(False)
count = 0
for file in sorted(files):
    for seed in [file.read_bytes()] if target == "loader" else contents(file):
        if 0 < len(seed) <= MAX_BYTES:
            (out / hashlib.sha256(seed).hexdigest()[:16]).write_bytes(seed)
            count += 1
print(f"{count} seeds for {target}")
