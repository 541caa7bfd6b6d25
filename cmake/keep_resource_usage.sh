#!/bin/sh
# Usage: keep_resource_usage.sh FILE COMMAND...
# Runs a compiler that was told to be verbose about resources (ptxas -v). What ptxas says of
# registers, stack and spills goes to FILE; everything else to standard error, as it would.

kept=$1
shift
"$@" 2>"$kept.all"
status=$?
grep -E '^ptxas info|bytes stack frame' "$kept.all" >"$kept"
grep -vE '^ptxas info|bytes stack frame' "$kept.all" >&2
rm -f "$kept.all"
exit $status
