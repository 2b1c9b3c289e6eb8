"""Cells of tables in PDFs against those in their Markdown originals: see scripts/score-tables."""

import argparse
import collections
import pathlib
import re
import unicodedata

from parsed import parsed, prf

LINK = re.compile(r"\[([^\]]*)\]\([^)]*\)")
# Emphasis, code, escapes, and line breaks within cells.
MARKUP = re.compile(r"\*+|`|\\(?=\W)|<br\s*/?>")
RULE = re.compile(r"[-:\s]+")
# What the fonts of the PDFs lack: pictures, the signs of a currency and of a limit; and stars, which may be markup or none.
LACKING = re.compile("[*\ufffd₹≤\u200d\ufe0f\u2600-\u27bf\u2b00-\u2bff\U0001f000-\U0001faff]")
# Nothing in a PDF tells whether a hyphen between letters at the end of a line is the word's own: "over-" above "ear".
# So no hyphen between letters counts, wherever it stands.
HYPHEN = re.compile(r"(?<=[^\W\d_])-\s*(?=[^\W\d_])")
ALIKE = str.maketrans("’‘“”–—−‑", "''\"\"----")


def plain(text):
    """A cell's text in comparable form: without white space, which a line break may add or take away."""
    text = unicodedata.normalize("NFKC", LACKING.sub("", text)).translate(ALIKE)
    text = HYPHEN.sub("", text)
    return "".join(text.split()).lower()


def cells_of(rows):
    """Every cell with text: the name of its column, the name of its row, its text."""
    names = rows[0]
    for number, row in enumerate(rows):
        for column, text in enumerate(row):
            if text:
                yield (names[column], row[0], text) if number else ("", "", text)


def markdown_cells(markdown):
    """The cells of the pipe tables."""
    rows = []
    for line in [*markdown.splitlines(), ""]:
        line = line.strip()
        if line.startswith("|"):
            parts = re.split(r"(?<!\\)\|", line.removeprefix("|").removesuffix("|"))
            rows.append([plain(MARKUP.sub("", LINK.sub(r"\1", part))) for part in parts])
        elif rows:
            width = max(map(len, rows))
            body = [row for row in rows if not all(RULE.fullmatch(text) for text in row if text)]
            yield from cells_of([row + [""] * (width - len(row)) for row in body])
            rows = []


def our_cells(document):
    """The cells of the tables; one over several places counts in each."""
    for element in document["elements"]:
        if element["kind"] == "table":
            table = element["table"]
            grid = [[""] * table["cols"] for _ in range(table["rows"])]
            for cell in table["cells"]:
                for row in range(cell["row"], cell["row"] + cell["rowspan"]):
                    for column in range(cell["col"], cell["col"] + cell["colspan"]):
                        grid[row][column] = plain(cell["text"])
            yield from cells_of(grid)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("corpus", type=pathlib.Path)
    parser.add_argument("--below", type=float, default=0.97)
    parser.add_argument("--show", metavar="NAME")
    args = parser.parse_args()
    results = []
    for original in sorted((args.corpus / "rag-multi-corpus").glob("*/md/*.md")):
        truth = collections.Counter(markdown_cells(original.read_text("utf-8")))
        pdf = original.parent.parent / "pdf" / f"{original.stem}.pdf"
        if not pdf.exists():
            continue
        ours = collections.Counter(our_cells(parsed(pdf)))
        if not truth and not ours:
            continue
        results.append(((truth & ours).total(), ours.total(), truth.total(), original.stem))
        if original.stem == args.show:
            for side, cells in (("evindex only", ours - truth), ("truth only  ", truth - ours)):
                for cell in cells.elements():
                    print(side, " | ".join(cell))
    for hits, ours, truth, name in sorted(results, key=lambda result: prf(*result[:3])[2]):
        precision, recall, f1 = prf(hits, ours, truth)
        if f1 < args.below:
            print(f"  {f1:.3f}  P {precision:.3f} R {recall:.3f}  {name}")
    totals = [sum(column) for column in list(zip(*results))[:3]]
    scores = [prf(*result[:3])[2] for result in results]
    precision, recall, f1 = prf(*totals)
    print(f"documents {len(results)}  cells P {precision:.4f} R {recall:.4f} F1 {f1:.4f}  mean F1 {sum(scores) / len(scores):.4f}")


if __name__ == "__main__":
    main()
