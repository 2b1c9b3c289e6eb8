"""What the measurements share: running evindex, and figures."""

import json
import os
import subprocess

EVINDEX = os.environ["EVINDEX_BIN"]


def parsed(pdf):
    """The document that `evindex parse --format json` prints; one without elements where the file cannot be read."""
    run = subprocess.run([EVINDEX, "parse", "--format", "json", pdf], capture_output=True, text=True)
    return json.loads(run.stdout) if run.returncode == 0 else {"pages": [], "elements": []}


def prf(hits, ours, truth):
    """Precision, recall and F1; 1 where there is nothing to find and nothing found."""
    precision = hits / ours if ours else float(truth == 0)
    recall = hits / truth if truth else float(ours == 0)
    both = precision + recall
    return precision, recall, 2 * precision * recall / both if both else 0.0
