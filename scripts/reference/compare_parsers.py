"""Evidence units by evindex's own parser against those by Docling's: see scripts/compare-parsers."""

import argparse
import collections
import html
import json
import os
import pathlib
import re
import subprocess
import unicodedata

# Least share of the common area in the area of both boxes for them to be of one table.
SAME_TABLE = 0.5
NOTE = re.compile(r"\s*(\(?(note|source|unit|주|자료|출처|단위)s?\s*[):：]|\(단위|[*†‡※])", re.IGNORECASE)


def squeezed(text):
    return "".join(unicodedata.normalize("NFKC", text or "").split())


def words(markup):
    text = html.unescape(re.sub(r"<[^>]*>", " ", markup))
    return collections.Counter(re.findall(r"[^\W_]+", unicodedata.normalize("NFKC", text)))


def units(source):
    command = [os.environ["EVINDEX_BIN"], "chunk", str(source)]
    done = subprocess.run(command, capture_output=True, text=True)
    whole = {}
    for unit in map(json.loads, done.stdout.splitlines()):
        if unit["kind"] != "eu":
            continue
        known = whole.setdefault(unit["original_eu_id"], {**unit, "words": collections.Counter(), "notes": set()})
        known["words"] |= words(unit["table_html"] or "")
        known["notes"] |= {" ".join(words(line)) for line in unit["text"].splitlines() if NOTE.match(line)}
    return list(whole.values())


def overlap(a, b):
    """Common area of the boxes as a share of the area of both; 0 on different pages."""
    if a["page"] != b["page"] or not (a["bbox"] and b["bbox"]):
        return 0
    (ax0, ay0, ax1, ay1), (bx0, by0, bx1, by1) = a["bbox"], b["bbox"]
    common = max(0, min(ax1, bx1) - max(ax0, bx0)) * max(0, min(ay1, by1) - max(ay0, by0))
    return common / max((ax1 - ax0) * (ay1 - ay0) + (bx1 - bx0) * (by1 - by0) - common, 1e-9)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--show", action="store_true")
    args = parser.parse_args()
    columns = ["docling", "own", "same", "captions", "common", "cells", "notes", "of"]
    total = collections.Counter()

    def line(name, figures):
        f1 = 2 * figures["common"] / max(figures["cells"], 1)
        same = figures["same"]
        print(
            f"{name:32} {figures['docling']:7} {figures['own']:4} {same:5} {figures['captions']:6}/{same:<3}"
            f" {f1 if figures['cells'] else 1:7.3f} {figures['notes']:4}/{figures['of']}"
        )

    print(f"{'document':32} {'docling':>7} {'own':>4} {'same':>5} {'captions':>10} {'cells':>7} {'notes':>6}")
    for pdf in sorted((args.folder / "pdfs").glob("*.pdf")):
        twins = sorted((args.folder / "docling_json").glob(f"{pdf.stem}*.json"))
        if not twins or pdf.stem not in (twins[0].stem, twins[0].stem.split("_enriched")[0]):
            continue
        theirs, ours = units(twins[0]), units(pdf)
        figures = collections.Counter(docling=len(theirs), own=len(ours))
        left = list(ours)
        for unit in theirs:
            best = max(left, key=lambda other: overlap(unit, other), default=None)
            figures["of"] += len(unit["notes"])
            if best is None or overlap(unit, best) < SAME_TABLE:
                if args.show:
                    print(f"  only Docling: page {unit['page']} {unit['caption']}")
                continue
            left.remove(best)
            figures["same"] += 1
            figures["captions"] += squeezed(unit["caption"]) == squeezed(best["caption"])
            figures["common"] += (unit["words"] & best["words"]).total()
            figures["cells"] += unit["words"].total() + best["words"].total()
            figures["notes"] += len(unit["notes"] & best["notes"])
            if args.show and squeezed(unit["caption"]) != squeezed(best["caption"]):
                print(f"  captions: {unit['caption']!r} | {best['caption']!r}")
            if args.show and unit["notes"] - best["notes"]:
                print(f"  notes: {unit['notes'] - best['notes']} | {best['notes']}")
        for unit in left if args.show else []:
            print(f"  only own: page {unit['page']} {unit['caption']}")
        line(pdf.stem, figures)
        total.update(figures)
    line("all", collections.Counter({name: total[name] for name in columns}))


main()
