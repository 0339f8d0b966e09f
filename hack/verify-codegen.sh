#!/usr/bin/env bash
# Fails where the generated code in git is not what the generators write now: changed,
# missing, left over or never added. Works in a copy, so the tree stays as it is.
set -euo pipefail

cd "$(dirname "${BASH_SOURCE[0]}")/.."
copy="$(mktemp -d)"
trap 'rm -rf "$copy"' EXIT

# The working tree as it is, except generated files that git does not know: those come
# out as new files below.
{
  git ls-files -z
  git ls-files -z --others --exclude-standard ':!:*zz_generated.*' ':!:examples/config/crd' ':!:test/*/crd'
} | while IFS= read -r -d '' file; do
  if [[ -e "$file" ]]; then printf '%s\0' "$file"; fi
done | tar --null -cf - -T - | tar -xf - -C "$copy"

cd "$copy"
git init -q
git add -A
hack/update-codegen.sh >&2

changed="$(git diff --name-only)"
untracked="$(git ls-files --others --exclude-standard)"
if [[ -n "$changed$untracked" ]]; then
  git --no-pager diff >&2
  {
    echo "generated code is out of date: run 'make generate' and commit the result"
    for file in $changed; do echo "  changed:    $file"; done
    for file in $untracked; do echo "  not in git: $file"; done
  } >&2
  exit 1
fi
echo "generated code is up to date"
