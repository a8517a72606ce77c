#!/bin/sh
# SPDX-FileCopyrightText: The Ridgepoint authors
# SPDX-License-Identifier: GPL-3.0-or-later
# validate from outside: both forms, the same on every run; the bounds it would write; a format it does not have.
set -eu
program=$1
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
fail() {
    echo "$1" >&2
    exit 1
}

"$program" validate >"$folder/one.json"
"$program" validate --format json >"$folder/two.json"
cmp "$folder/one.json" "$folder/two.json" || fail "json differs from run to run, or is not the default"
for key in kinds sources cases totals mean_of_source_medians median_absolute_error p90_absolute_error median_error \
    predicted measured error uncertainty quantity problems; do
    grep -q "\"$key\":" "$folder/one.json" || fail "json lacks $key"
done

"$program" validate --format markdown >"$folder/table.md"
for heading in '## By kind' '## By source' '## Every case'; do
    grep -q "^$heading\$" "$folder/table.md" || fail "markdown lacks $heading"
done
# Every row of a table has as many cells as its head.
awk -F' [|] |^[|] | [|]$' '!/^[|]/ { n = 0; next } /^[|]-/ { next } n == 0 { n = NF } NF != n { print; bad = 1 } END { exit bad }' \
    "$folder/table.md" || fail "a table row has a cell too many or too few"

"$program" validate --bounds >"$folder/bounds.json"
grep -q '"median":' "$folder/bounds.json" || fail "--bounds prints no bound"

code=0
"$program" validate --format csv >/dev/null 2>&1 || code=$?
[ "$code" -eq 2 ] || fail "an unknown format exits with $code, not 2"
