#!/bin/sh
# check_symbols.sh FOLDER BINARY...: every function of the CUDA libraries that a binary needs is one
# that the stand-ins in FOLDER have. Missing ones would end a program in the middle of its run.
set -eu
folder=$1
shift
names() { sed 's/@.*//' | grep -E '^(__)?(cuda|cublas|nccl|nvml)' | sort -u; }
have=$(mktemp)
need=$(mktemp)
trap 'rm -f "$have" "$need"' EXIT
for library in "$folder"/*.so*; do nm -D --defined-only "$library"; done | awk '{print $3}' | names >"$have"
for binary in "$@"; do nm -D --undefined-only "$binary"; done | awk '{print $2}' | names >"$need"
[ -s "$need" ] || { echo "none of these needs a CUDA library: $*"; exit 1; }
missing=$(comm -13 "$have" "$need")
if [ -n "$missing" ]; then
  printf 'the stand-ins lack what %s need:\n%s\n' "$*" "$missing"
  exit 1
fi
echo "all $(wc -l <"$need") functions are there"
