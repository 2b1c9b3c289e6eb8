"""Damaged, hostile and odd files: see scripts/check-robust."""

import argparse
import collections
import json
import os
import pathlib
import re
import resource
import subprocess
import sys
import tempfile
import time

from words import EVINDEX, f1, known_words_of, text_of

SECONDS = 20
MEMORY = 1 << 30
# What the address space is held to, so that a runaway does not take the machine with it.
ADDRESS_SPACE = 8 << 30
AGREES = 0.95
# The same for characters, white space aside: the words are the same but for where they part.
SAME_CHARACTERS = 0.99
# A word parted at a line's end, which poppler joins and evindex leaves to the layout.
PARTED = re.compile(r"(?<=\w)-\s+(?=\w)")
HERE = pathlib.Path(__file__).parent
# Per file: who errs, a kind of reason, and what shows it.
REASONS = HERE / "robust_reasons.tsv"


class Run:
    """A process that has ended, or was ended for its time."""

    def __init__(self, command):
        with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as err:
            start = time.monotonic()
            process = subprocess.Popen(command, stdout=out, stderr=err, preexec_fn=limit_address_space)
            self.timed_out = False
            while not (ended := os.wait4(process.pid, os.WNOHANG))[0]:
                if time.monotonic() - start > SECONDS:
                    self.timed_out = True
                    process.kill()
                    ended = os.wait4(process.pid, 0)
                    break
                time.sleep(0.002)
            _, status, usage = ended
            self.code = os.waitstatus_to_exitcode(status)
            process.returncode = self.code
            self.memory = usage.ru_maxrss * 1024
            out.seek(0)
            err.seek(0)
            self.output = out.read().decode(errors="replace")
            self.errors = err.read().decode(errors="replace").strip()

    def fault(self):
        """What must never happen, or None."""
        if self.timed_out:
            return f"still running after {SECONDS} s"
        if "panicked" in self.errors or self.code not in (0, 1):
            return f"ended with {self.code}: {self.errors[-200:]}"
        if self.memory > MEMORY:
            return f"took {self.memory >> 20} MiB"
        return None


def limit_address_space():
    resource.setrlimit(resource.RLIMIT_AS, (ADDRESS_SPACE, ADDRESS_SPACE))


def comparable_words(text):
    return known_words_of(PARTED.sub("", text))


def characters_f1(left, right):
    return f1(list("".join(left)), list("".join(right)))


def poppler_words(file):
    return comparable_words(Run(["pdftotext", "-enc", "UTF-8", "-cropbox", str(file), "-"]).output)


def engine_words(engine, file):
    return comparable_words(Run([sys.executable, str(HERE / "engine_text.py"), engine, str(file)]).output)


def read_reasons():
    """File name to (who errs, kind, evidence)."""
    rows = (line.split("\t") for line in REASONS.read_text().splitlines() if line and not line.startswith("#"))
    return {name: (who, kind, evidence) for name, who, kind, evidence in rows}


class Difference:
    """A file in which evindex and poppler read different words."""

    def __init__(self, file, ours, poppler, score, reason):
        self.name, self.score, self.reason = file.name, score, reason
        self.counts = f"{len(ours)} words, poppler {len(poppler)}"
        self.characters = characters_f1(ours, poppler)
        self.others = {engine: f1(ours, engine_words(engine, file)) for engine in ("pdfium", "mupdf")}

    def same_characters(self):
        return self.characters >= SAME_CHARACTERS

    def explained(self):
        return self.reason is not None or self.same_characters()

    def __str__(self):
        others = ", ".join(f"{engine} {score:.3f}" for engine, score in self.others.items())
        why = "same characters, other word breaks" if self.same_characters() else ""
        if self.reason:
            who, kind, evidence = self.reason
            why += f"{why and '; '}{who}: {kind}; {evidence}"
        scores = f"{self.score:.3f} {self.name}: {self.counts}; characters {self.characters:.3f}; {others}"
        return f"{scores}\n        {why or 'NO REASON NAMED'}"


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("corpus", type=pathlib.Path)
    parser.add_argument("--all", action="store_true")
    args = parser.parse_args()
    files = sorted((args.corpus / "robust").glob("*.pdf"))
    reasons = read_reasons()
    faults, differing, silent = [], [], []
    agreeing = set()
    most = 0
    for file in files:
        run = Run([EVINDEX, "parse", "--format", "words", str(file)])
        most = max(most, run.memory)
        if fault := run.fault():
            faults.append(f"{file.name}: {fault}")
            continue
        ours = comparable_words("\n".join(text_of(json.loads(line)) for line in run.output.splitlines()))
        poppler = poppler_words(file)
        said = run.errors.replace("\n", "; ").replace(str(file), "") or f"{len(ours)} words"
        score = f1(ours, poppler) if poppler else None
        if score is None:
            silent.append((file.name, said))
        elif score >= AGREES:
            agreeing.add(file.name)
        else:
            differing.append(Difference(file, ours, poppler, score, reasons.get(file.name)))
        if args.all:
            print(f"{'  -  ' if score is None else f'{score:.3f}'} {file.name}: {said}")
    print(f"{len(files)} files; {len(faults)} panics, aborts, hangs or over 1 GiB; most memory {most >> 20} MiB")
    for fault in faults:
        print(f"  {fault}")
    print_agreement(len(agreeing), sorted(differing, key=lambda difference: difference.score))
    for name in sorted(agreeing & reasons.keys()):
        print(f"  agrees, and needs no reason in {REASONS.name}: {name}")
    print(f"poppler reads none in {len(silent)}; what evindex says of them:")
    said_of = collections.defaultdict(list)
    for name, said in silent:
        said_of[said].append(name)
    for said, names in sorted(said_of.items(), key=lambda item: -len(item[1])):
        print(f"  {len(names):3} {said[:160]} ({names[0]}{', ...' if len(names) > 1 else ''})")
    unexplained = [difference for difference in differing if not difference.explained()]
    sys.exit(bool(faults or unexplained))


def print_agreement(agreeing, differing):
    readable = agreeing + len(differing)

    def share(part, whole):
        return f"{part} of {whole}, {part / max(whole, 1):.1%}"

    same = [difference for difference in differing if difference.same_characters()]
    named = [difference for difference in differing if difference.reason and not difference.same_characters()]
    errors = collections.Counter(difference.reason[0] for difference in named)
    legible = readable - errors["poppler"]
    others = len(differing) - len(same) - len(named)
    print(f"poppler reads words in {readable}:")
    print(f"  the same words (F1 >= {AGREES}): {share(agreeing, readable)}")
    print(f"  or the same characters, other word breaks: {share(agreeing + len(same), readable)}")
    print(f"  the same, leaving out files that poppler misreads: {share(agreeing + len(same), legible)}")
    print(f"  and files that have lost their text: {share(agreeing + len(same), legible - errors['file'])}")
    print(f"  for a reason named in {REASONS.name}: {len(named)} {dict(errors)}; for none: {others}")
    print("the files whose words differ, with the F1 of ours against poppler, pdfium and MuPDF:")
    for difference in differing:
        print(f"  {difference}")


main()
