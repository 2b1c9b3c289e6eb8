# Shared by the scripts that measure the PDF layer: sourced, not run.
. "$(dirname "${BASH_SOURCE[0]}")/../lib.sh"

# Runs a program of this folder in an environment with the reference engines: run NAME.py ARGUMENT...
run() {
    need_shared corpus
    local here=$ROOT/scripts/pdf venv=$CACHE/venv-pdf
    # Made once, and again when what it needs has changed.
    if ! cmp -s "$here/requirements.txt" "$venv/requirements.txt"; then
        need_python
        say "making $venv"
        python3 -m venv --clear "$venv"
        "$venv/bin/pip" install --quiet --disable-pip-version-check -r "$here/requirements.txt" || die "pip could not install $here/requirements.txt"
        cp "$here/requirements.txt" "$venv/requirements.txt"
    fi
    PYTHONDONTWRITEBYTECODE=1 "$venv/bin/python" "$here/$1" "$EVINDEX_SHARED/corpus" "${@:2}"
}
