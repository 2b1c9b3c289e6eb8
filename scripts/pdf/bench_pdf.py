"""CPU seconds and memory of the PDF layer beside other engines: see scripts/bench-pdf."""

import argparse
import os
import pathlib
import subprocess
import sys
import tempfile

from words import EVINDEX

FOLDERS = ("odl/pdf", "icdar2013", "korean")
LONG_PAGES = 1000

# Each reference engine is a program of its own: whole process, start included, as for evindex.
PDFIUM = """
import ctypes, sys
import pypdfium2, pypdfium2.raw as raw
for file in sys.argv[1:]:
    document = pypdfium2.PdfDocument(file)
    for page in document:
        text = page.get_textpage()
        text.get_text_range()
        box = [ctypes.c_double() for _ in range(4)]
        for index in range(text.count_chars()):
            raw.FPDFText_GetCharBox(text, index, *box)
        text.close()
        page.close()
    document.close()
"""
# The same in pdfium's own rectangles, one a run of text: no call into pdfium for each character.
PDFIUM_RUNS = """
import ctypes, sys
import pypdfium2, pypdfium2.raw as raw
for file in sys.argv[1:]:
    document = pypdfium2.PdfDocument(file)
    for page in document:
        text = page.get_textpage()
        text.get_text_range()
        box = [ctypes.c_double() for _ in range(4)]
        for index in range(text.count_rects()):
            raw.FPDFText_GetRect(text, index, *box)
        text.close()
        page.close()
    document.close()
"""
MUPDF_WORDS = """
import sys, pymupdf
for file in sys.argv[1:]:
    for page in pymupdf.open(file):
        page.get_text("words")
"""
MUPDF_DRAWINGS = MUPDF_WORDS + "        page.get_drawings()\n"

ENGINES = {
    "evindex: words, boxes, rules, fills, as JSON": None,
    "pdfium (pypdfium2): text, a box for each character": PDFIUM,
    "pdfium (pypdfium2): text, a box for each run": PDFIUM_RUNS,
    "MuPDF (PyMuPDF): words with boxes": MUPDF_WORDS,
    "MuPDF (PyMuPDF): words with boxes, drawings": MUPDF_DRAWINGS,
}


def measure(command):
    """CPU seconds and peak memory in bytes of a command."""
    environment = os.environ | {"RAYON_NUM_THREADS": "1"}
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, env=environment)
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode not in (0, 3):
        sys.exit(f"{command[0]} ended with {process.returncode}")
    return usage.ru_utime + usage.ru_stime, usage.ru_maxrss * 1024


def command_of(program, files):
    if program is None:
        return [EVINDEX, "parse", "--format", "words", *files]
    return [sys.executable, "-c", program, *files]


def pages_of(files):
    import pypdfium2

    return sum(len(pypdfium2.PdfDocument(file)) for file in files)


def make_long_pdf(path):
    """A PDF of running text and ruled tables, each page its own."""
    import pymupdf

    document = pymupdf.open()
    for number in range(LONG_PAGES):
        page = document.new_page()
        lines = [f"Line {line} of page {number}: throughput {number * line % 997} thousand tonnes" for line in range(45)]
        page.insert_text((50, 50), lines, fontsize=9)
        for row in range(12):
            page.draw_line((50, 620 + row * 12), (550, 620 + row * 12))
            page.insert_text((55, 629 + row * 12), f"row {row}    {number + row}    {number * row}", fontsize=8)
    document.save(path)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("corpus", type=pathlib.Path)
    parser.add_argument("--rounds", type=int, default=3)
    args = parser.parse_args()
    files = sorted(str(file) for folder in FOLDERS for file in (args.corpus / folder).rglob("*.pdf"))
    pages = pages_of(files)
    best = {name: float("inf") for name in ENGINES}
    # Round by round, so that a machine that slows down does so for all.
    for _ in range(args.rounds):
        for name, program in ENGINES.items():
            best[name] = min(best[name], measure(command_of(program, files))[0])
    print(f"{len(files)} files, {pages} pages, one thread, whole process, best of {args.rounds}:\n")
    print("| engine | CPU seconds | pages a second |\n|---|---|---|")
    for name, seconds in best.items():
        print(f"| {name} | {seconds:.2f} | {pages / seconds:.0f} |")
    with tempfile.TemporaryDirectory() as folder:
        path = f"{folder}/long.pdf"
        make_long_pdf(path)
        size = os.path.getsize(path)
        print(f"\nA PDF of {LONG_PAGES} pages ({size / 2**20:.1f} MiB):\n")
        print("| command | CPU seconds | peak memory in MiB |\n|---|---|---|")
        for form in ("words", "json"):
            seconds, memory = measure([EVINDEX, "parse", path, "--format", form])
            print(f"| `evindex parse --format {form}` | {seconds:.2f} | {memory / 2**20:.0f} |")


if __name__ == "__main__":
    main()
