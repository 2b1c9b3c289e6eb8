"""Words of evindex against those of pdfium: see scripts/compare-text."""

import argparse
import collections
import difflib
import pathlib
import unicodedata

import pypdfium2
import pypdfium2.raw as raw

from words import evindex, f1, quantile, text_of, words_of

# Words a side up to which the similarity of their order is measured: difflib is quadratic.
MAX_ORDERED = 20_000


def visible_text(page):
    """The text of what lies on the visible page; pdfium's own text has what is beside it too."""
    text = page.get_textpage()
    left, bottom, right, top = page.get_cropbox()
    whole = text.get_text_range()
    count = text.count_chars()
    outside = 0
    for index in range(count):
        # Spaces and line ends that pdfium has made up have no place of their own.
        if raw.FPDFText_IsGenerated(text, index) == 1:
            continue
        x0, y0, x1, y1 = text.get_charbox(index)
        outside += not (left <= (x0 + x1) / 2 <= right and bottom <= (y0 + y1) / 2 <= top)
    if outside:
        whole = text.get_text_bounded(left, bottom, right, top)
    # The mark of a hyphen at a line's end, which pdfium joins with the next line.
    return whole.replace("\ufffe", "-\n").replace("\x02", "-\n")


def reference(path):
    document = pypdfium2.PdfDocument(path)
    return "\n".join(visible_text(page) for page in document)


def ordered(left, right):
    """Share of the words that are the same in the same order, page order aside."""
    if max(len(left), len(right)) > MAX_ORDERED:
        return None
    return difflib.SequenceMatcher(None, left, right, autojunk=False).ratio()


def few(counter):
    return " ".join(word for word, _ in counter.most_common(12)) or "-"


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("corpus", type=pathlib.Path)
    parser.add_argument("paths", type=pathlib.Path, nargs="*")
    parser.add_argument("--below", type=float, default=0.95)
    args = parser.parse_args()
    folders = args.paths or [args.corpus / name for name in ("odl/pdf", "korean", "icdar2013", "rag-multi-corpus")]
    results = []
    print("| files | number | F1 median | F1 10th percentile | order median | order 10th percentile |")
    print("|---|---|---|---|---|---|")
    for folder in folders:
        files = sorted(folder.rglob("*.pdf")) if folder.is_dir() else [folder]
        ours = collections.defaultdict(list)
        for page in evindex(*files):
            ours[page["file"]].append(text_of(page))
        of_folder = []
        for file in files:
            try:
                right = words_of(reference(str(file)))
            except pypdfium2.PdfiumError:
                continue
            left = words_of("\n".join(ours[str(file)]))
            of_folder.append((f1(left, right), ordered(left, right), file, left, right))
        results += of_folder
        print_row(folder.name, of_folder)
    if len(folders) > 1:
        print_row("all", results)
    print(f"\nBelow {args.below}:")
    for score, order, file, left, right in sorted(results, key=lambda result: result[0]):
        if score >= args.below:
            break
        left, right = collections.Counter(left), collections.Counter(right)
        name = unicodedata.normalize("NFC", file.name)
        print(f"  {score:.3f} {name}\n    evindex only: {few(left - right)}\n    pdfium only:  {few(right - left)}")


def print_row(name, results):
    scores = [result[0] for result in results]
    orders = [result[1] for result in results if result[1] is not None]
    figures = [quantile(values, part) for values in (scores, orders) for part in (0.5, 0.1)]
    print(f"| {name} | {len(results)} | " + " | ".join(f"{figure:.4f}" for figure in figures) + " |", flush=True)


main()
