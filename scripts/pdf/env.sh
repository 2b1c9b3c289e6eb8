# Shared by the scripts that measure the PDF layer: sourced, not run.
. "$(dirname "${BASH_SOURCE[0]}")/../lib.sh"

export EVINDEX_SHARED=${EVINDEX_SHARED:-$ROOT/../shared}
CORPUS=$EVINDEX_SHARED/corpus

# Runs a program of this folder in an environment with the reference engines: run NAME.py ARGUMENT...
run() {
    [ -d "$CORPUS" ] || die "no corpus in $EVINDEX_SHARED: set EVINDEX_SHARED to the shared folder"
    [ -x "$EVINDEX_BIN" ] || die "there is no evindex yet: run 'cargo build' first, or name it in EVINDEX_BIN"
    local here=$ROOT/scripts/pdf venv=$CACHE/venv-pdf
    # Made once, and again when what it needs has changed.
    if ! cmp -s "$here/requirements.txt" "$venv/requirements.txt"; then
        need_python
        say "making $venv"
        python3 -m venv --clear "$venv"
        "$venv/bin/pip" install --quiet --disable-pip-version-check -r "$here/requirements.txt" || die "pip could not install $here/requirements.txt"
        cp "$here/requirements.txt" "$venv/requirements.txt"
    fi
    PYTHONDONTWRITEBYTECODE=1 "$venv/bin/python" "$here/$1" "$CORPUS" "${@:2}"
}
