"""Tables of PDFs against those of Docling: see scripts/compare-docling."""

import argparse
import collections
import json
import pathlib
import sys

from parsed import parsed, prf
from score_tables import cells_of, plain

# Boxes that agree by less are of two tables: share of their common area in both areas together.
LEAST_IOU = 0.3
# Per PDF, page and number among the tables of that page here: who is right (evindex, docling, both, neither), and why.
VERDICTS = pathlib.Path(__file__).parent / "docling_verdicts.tsv"


class Table:
    """A table of either side: page, box from the top left in points, grid of comparable texts."""

    def __init__(self, page, box, rows, cols, cells):
        self.page = page
        self.box = box
        self.size = f"{rows}x{cols}"
        grid = [[""] * cols for _ in range(rows)]
        for row, col, rowspan, colspan, text in cells:
            for line in grid[row : row + rowspan]:
                line[col : col + colspan] = [plain(text)] * len(line[col : col + colspan])
        self.cells = collections.Counter(cells_of(grid) if grid else [])


def our_tables(document):
    for element in document["elements"]:
        if element["kind"] == "table":
            table = element["table"]
            cells = [[cell[key] for key in ("row", "col", "rowspan", "colspan", "text")] for cell in table["cells"]]
            region = element["regions"][0]
            box = [region["bbox"][key] for key in ("x0", "y0", "x1", "y1")]
            yield Table(region["page"], box, table["rows"], table["cols"], cells)


def docling_tables(document):
    for table in document["tables"]:
        data, place = table["data"], table["prov"][0]
        if table["label"] == "document_index":
            continue
        box = place["bbox"]
        top, bottom = box["t"], box["b"]
        if box["coord_origin"] == "BOTTOMLEFT":
            height = document["pages"][str(place["page_no"])]["size"]["height"]
            top, bottom = height - top, height - bottom
        keys = ("start_row_offset_idx", "start_col_offset_idx", "row_span", "col_span", "text")
        cells = [[cell[key] for key in keys] for cell in data["table_cells"]]
        yield Table(place["page_no"], [box["l"], top, box["r"], bottom], data["num_rows"], data["num_cols"], cells)


def iou(a, b):
    width = min(a[2], b[2]) - max(a[0], b[0])
    height = min(a[3], b[3]) - max(a[1], b[1])
    common = max(width, 0) * max(height, 0)
    area = lambda box: (box[2] - box[0]) * (box[3] - box[1])
    return common / max(area(a) + area(b) - common, 1e-6)


def matched(ours, theirs):
    """Pairs of tables, one of them None where it stands on one side only, from top to bottom."""
    pairs = sorted(((iou(a.box, b.box), a, b) for a in ours for b in theirs if a.page == b.page), key=lambda pair: -pair[0])
    found = []
    for share, a, b in pairs:
        if share >= LEAST_IOU and not any(a is x or b is y for x, y in found):
            found.append((a, b))
    found += [(a, None) for a in ours if all(a is not x for x, _ in found)]
    found += [(None, b) for b in theirs if all(b is not y for _, y in found)]
    return sorted(found, key=lambda pair: ((pair[0] or pair[1]).page, (pair[0] or pair[1]).box[1]))


def source_of(folder, stem):
    """Docling's document of a PDF: of the same name, or of that of a longer one."""
    exact = folder / f"{stem}.json"
    return exact if exact.exists() else next(iter(sorted(folder.glob(f"{stem}_*.json"))), None)


def read_verdicts():
    """(PDF, page, number of the table on the page) to (who is right, why)."""
    rows = (line.split("\t") for line in VERDICTS.read_text("utf-8").splitlines() if line and not line.startswith("#"))
    return {(stem, int(page), int(number)): (who, why) for stem, page, number, who, why in rows}


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("reference", type=pathlib.Path)
    parser.add_argument("stems", nargs="*")
    parser.add_argument("--show", action="store_true")
    args = parser.parse_args()
    verdicts = read_verdicts()
    scores, right, unjudged = [], collections.Counter(), []
    print(f"{'PDF':<30}{'page':>5}{'table':>6}{'evindex':>9}{'docling':>9}{'cells F1':>10}")
    for pdf in sorted((args.reference / "pdfs").glob("*.pdf")):
        source = source_of(args.reference / "docling_json", pdf.stem)
        if not source or args.stems and pdf.stem not in args.stems:
            continue
        theirs = list(docling_tables(json.loads(source.read_text("utf-8"))))
        numbers = collections.Counter()
        for a, b in matched(list(our_tables(parsed(pdf))), theirs):
            page = (a or b).page
            numbers[page] += 1
            mine, their = a.cells if a else collections.Counter(), b.cells if b else collections.Counter()
            f1 = prf((mine & their).total(), mine.total(), their.total())[2] if a and b else 0.0
            key = (pdf.stem, page, numbers[page])
            who, why = verdicts.get(key, ("", "")) if f1 < 1 else ("", "")
            sizes = f"{a.size if a else '-':>9}{b.size if b else '-':>9}"
            print(f"{pdf.stem[:29]:<30}{page:>5}{numbers[page]:>6}{sizes}{f1:>10.3f}  {who}{': ' * bool(who)}{why}")
            if a and b:
                scores.append(f1)
            if f1 < 1:
                right[who or "not judged"] += 1
                unjudged += [] if who else [key]
            if args.show:
                for side, cells in (("evindex only", mine - their), ("docling only", their - mine)):
                    for cell in cells.elements():
                        print(f"    {side}  {' | '.join(cell)}")
    print(f"tables on both sides {len(scores)}  alike {scores.count(1.0)}  mean F1 {sum(scores) / max(len(scores), 1):.3f}")
    print(f"where they differ, right is: {', '.join(f'{who} {count}' for who, count in right.most_common()) or '-'}")
    sys.exit(bool(unjudged))


main()
