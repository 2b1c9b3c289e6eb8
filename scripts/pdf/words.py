"""What the measurements share: running evindex, and text to comparable words."""

import collections
import json
import os
import re
import subprocess
import unicodedata

EVINDEX = os.environ["EVINDEX_BIN"]

# What two engines may well write differently for the same mark: bullets and private-use glyphs, and unknown glyphs.
BULLET = re.compile("[\ue000-\uf8ff•●■▪◦○□◆◇▶►·∙⋅・ㆍ‧]")
UNKNOWN = re.compile("[\x00-\x08\x0e-\x1f\x7f-\x9f\ufffd]")
# The same, bullets, and the marks of direction.
NO_TEXT = re.compile("[\ufffd•\u200e\u200f\u202a-\u202e\u2066-\u2069]")
# Dot leaders: how many dots stand together says nothing.
LEADER = re.compile(r"(?:[.…‥•_]\s*){4,}")


def evindex(*files):
    """The pages of files as `evindex parse --format words` prints them; what it says on stderr is left out."""
    command = [EVINDEX, "parse", "--format", "words", *files]
    run = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    for line in run.stdout:
        yield json.loads(line)
    run.wait()


def text_of(page):
    """A page's words, with white space where there is some on the page."""
    return "".join((" " if word["space_before"] else "") + word["text"] for word in page["words"])


def words_of(text):
    """The words of a text in comparable form."""
    text = unicodedata.normalize("NFKC", text.replace("\u00ad", "-").replace("\u200b", ""))
    text = UNKNOWN.sub("\ufffd", BULLET.sub("•", text))
    return LEADER.sub(" ", text).split()


def known_words_of(text):
    """The words without the glyphs that nobody knows, which engines leave out, number or mark as they like."""
    return [word for word in (NO_TEXT.sub("", word) for word in words_of(text)) if word]


def f1(left, right):
    """F1 of two multisets of words; 1 where both are empty."""
    left, right = collections.Counter(left), collections.Counter(right)
    total = left.total() + right.total()
    return 2 * (left & right).total() / total if total else 1.0


def quantile(values, part):
    values = sorted(values)
    return values[min(len(values) - 1, int(len(values) * part))]
