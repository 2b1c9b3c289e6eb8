"""CPU time of the whole parser beside another one: see scripts/bench-parse."""

import argparse
import pathlib
import sys

from bench_pdf import measure, pages_of
from words import EVINDEX

# One process for all files, as for evindex.
LITEPARSE = """
import sys
import liteparse
parser = liteparse.LiteParse(output_format="markdown", ocr_enabled=False, num_workers=1, quiet=True)
for file in sys.argv[1:]:
    print(parser.parse(file).text)
"""


def commands(files):
    """What is measured, and its command."""
    return {
        "evindex: Markdown": [EVINDEX, "parse", "--format", "md", *files],
        "liteparse: Markdown, without OCR": [sys.executable, "-c", LITEPARSE, *files],
    }


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("corpus", type=pathlib.Path)
    parser.add_argument("--rounds", type=int, default=3)
    args = parser.parse_args()
    files = sorted(map(str, (args.corpus / "odl" / "pdf").glob("*.pdf")))
    pages = pages_of(files)
    best = {}
    # Round by round, so that a machine that slows down does so for all.
    for _ in range(args.rounds):
        for name, command in commands(files).items():
            seconds, memory = measure(command)
            best[name] = min(best.get(name, (seconds, memory)), (seconds, memory))
    print(f"{len(files)} files, {pages} pages, one thread, whole process, best of {args.rounds}:\n")
    print("| parser | CPU ms a page | peak memory in MiB |\n|---|---|---|")
    for name, (seconds, memory) in best.items():
        print(f"| {name} | {seconds * 1000 / pages:.2f} | {memory / 2**20:.0f} |")


main()
