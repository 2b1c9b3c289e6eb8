"""Kinds of elements against reference.json: see scripts/score-layout."""

import argparse
import collections
import json
import pathlib
import re

from parsed import parsed, prf

# Boxes of which at least this part of the area both cover is in both are the same.
SAME = 0.5
# Truth and evindex name the kinds differently, and some of them the truth does not tell apart.
TRUTH = {
    "Heading1": "heading",
    "Paragraph": "paragraph",
    "List": "list_item",
    "Table": "table",
    "Caption": "caption",
    "Footnote": "footnote",
    "Equation": "formula",
    "Header": "page_header",
    "Footer": "page_footer",
    "Figure": "picture",
    "Chart": "picture",
    "Index": "contents",
}
OURS = {"title": "heading", "code": "paragraph", "note": "paragraph"}
# The truth takes the numbers of equations, as in "(4)", for captions; they are part of the formula.
EQUATION_NUMBER = re.compile(r"\(?[\dA-Z]+([.-]\d+)*\)?")
# Kinds of which the truth has now one box for each, now one for all that follow each other.
IN_BLOCKS = ("list_item", "footnote")
# The furniture of a page, counted together as well.
RUNNING = ("page_header", "page_footer")


def truth_boxes(elements):
    """(kind, box in page fractions, text) of the elements of the truth."""
    for element in elements:
        xs = [point["x"] for point in element["coordinates"]]
        ys = [point["y"] for point in element["coordinates"]]
        text = element["content"]["text"]
        if element["category"] == "Caption" and EQUATION_NUMBER.fullmatch(text.strip()):
            continue
        yield TRUTH[element["category"]], (min(xs), min(ys), max(xs), max(ys)), text


def our_boxes(document):
    """The same of evindex: one box for each column that an element goes through."""
    sizes = {page["number"]: (page["width"], page["height"]) for page in document["pages"]}
    for element in document["elements"]:
        for region in element["regions"]:
            width, height = sizes[region["page"]]
            box = region["bbox"]
            box = box["x0"] / width, box["y0"] / height, box["x1"] / width, box["y1"] / height
            text = element["text"] or " ".join(cell["text"] for cell in element.get("table", {}).get("cells", []))
            yield OURS.get(element["kind"], element["kind"]), box, text


def area(box):
    return max(0.0, box[2] - box[0]) * max(0.0, box[3] - box[1])


def iou(a, b):
    both = area((max(a[0], b[0]), max(a[1], b[1]), min(a[2], b[2]), min(a[3], b[3])))
    either = area(a) + area(b) - both
    return both / either if either else 0.0


def holds(outer, inner):
    x, y = (inner[0] + inner[2]) / 2, (inner[1] + inner[3]) / 2
    return outer[0] <= x <= outer[2] and outer[1] <= y <= outer[3]


def join_blocks(ours, truth):
    """Joins the boxes that lie in one box of the truth."""
    out = list(ours)
    for box, _ in truth:
        inside = [item for item in out if holds(box, item[0])]
        if len(inside) > 1:
            out = [item for item in out if item not in inside]
            x0, y0, x1, y1 = zip(*(item[0] for item in inside))
            out.append(((min(x0), min(y0), max(x1), max(y1)), " ".join(item[1] for item in inside)))
    return out


def match(ours, truth):
    """Indices of the boxes that have a counterpart, the closest first."""
    pairs = [(iou(a[0], b[0]), i, j) for i, a in enumerate(ours) for j, b in enumerate(truth)]
    of_ours, of_truth = set(), set()
    for share, i, j in sorted(pairs, reverse=True):
        if share >= SAME and i not in of_ours and j not in of_truth:
            of_ours.add(i)
            of_truth.add(j)
    return of_ours, of_truth


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("corpus", type=pathlib.Path)
    parser.add_argument("--show", metavar="KIND")
    args = parser.parse_args()
    reference = json.loads((args.corpus / "odl/reference.json").read_text("utf-8"))
    counts = collections.defaultdict(collections.Counter)
    without, false = 0, []
    for name, page in sorted(reference.items()):
        pdf = args.corpus / "odl/pdf" / f"{name}.pdf"
        by_kind = collections.defaultdict(lambda: ([], []))
        for side, boxes in enumerate((our_boxes(parsed(pdf)), truth_boxes(page["elements"]))):
            for kind, box, text in boxes:
                by_kind[kind][side].append((box, text))
        ours, truth = by_kind["table"]
        without += not truth
        if ours and not truth:
            false.append(name)
        for kind, (ours, truth) in by_kind.items():
            if kind in IN_BLOCKS:
                ours = join_blocks(ours, truth)
            of_ours, of_truth = match(ours, truth)
            for into in (kind, "running") if kind in RUNNING else (kind,):
                counts[into].update(hits=len(of_truth), ours=len(ours), truth=len(truth))
            if kind == args.show:
                show(name, "evindex only", ours, of_ours)
                show(name, "truth only  ", truth, of_truth)
    print(f"false tables: {len(false)} of {without} pages without one ({len(false) / without:.1%})")
    if args.show == "table":
        print("  " + " ".join(false))
    print(f"{'kind':12} {'P':>6} {'R':>6} {'F1':>6} {'hits':>5} {'ours':>5} {'truth':>5}")
    for kind, count in sorted(counts.items(), key=lambda item: -item[1]["truth"]):
        figures = " ".join(f"{figure:6.3f}" for figure in prf(count["hits"], count["ours"], count["truth"]))
        print(f"{kind:12} {figures} {count['hits']:5} {count['ours']:5} {count['truth']:5}")


def show(name, side, boxes, matched):
    for index, (box, text) in enumerate(boxes):
        if index not in matched:
            place = " ".join(f"{edge:.2f}" for edge in box)
            print(f"{name} {side} {place} {' '.join(text.split())[:80]}")


main()
