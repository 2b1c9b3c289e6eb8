# Shared by the scripts that measure layout and tables: sourced, not run.
. "$(dirname "${BASH_SOURCE[0]}")/../lib.sh"

export EVINDEX_SHARED=${EVINDEX_SHARED:-$ROOT/../shared}
CORPUS=$EVINDEX_SHARED/corpus

# Runs a program of this folder, which needs nothing beside Python: run NAME.py ARGUMENT...
run() {
    [ -d "$CORPUS" ] || die "no corpus in $EVINDEX_SHARED: set EVINDEX_SHARED to the shared folder"
    [ -x "$EVINDEX_BIN" ] || die "there is no evindex yet: run 'cargo build' first, or name it in EVINDEX_BIN"
    command -v python3 >/dev/null || need_python
    PYTHONDONTWRITEBYTECODE=1 python3 "$ROOT/scripts/layout/$1" "$CORPUS" "${@:2}"
}
