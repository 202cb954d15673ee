#!/usr/bin/env bash
# Checks, tests and replays a policy. Every step runs, and the worst exit code is the result.
set -uo pipefail

cd "${SLUICE_ACTION_FOLDER:-.}" || { echo "::error::There is no folder ${SLUICE_ACTION_FOLDER:-.} in the repository; correct the input folder."; exit 1; }
reporter=${SLUICE_ACTION_REPORTER:-github}
output=${SLUICE_ACTION_OUTPUT:-sluice-reports}
base=${SLUICE_ACTION_BASE:-}
sample=${SLUICE_ACTION_SAMPLE:-}
worst=0

# Nothing of the pull request runs: its hooks are not approved on this machine, so their rules are evaluated and their commands are not started.
sluice() {
  if [ -x node_modules/.bin/sluice ]; then node_modules/.bin/sluice "$@"; else npm exec --yes -- "sluice@${SLUICE_ACTION_VERSION:-latest}" "$@"; fi
}

step() {
  local name=$1 code=0
  shift
  echo "::group::sluice $name"
  if [ "$reporter" = github ]; then
    sluice "$@" --reporter github || code=$?
  else
    mkdir -p "$output"
    sluice "$@" --reporter "$reporter" >"$output/$name.$([ "$reporter" = junit ] && echo xml || echo sarif)" || code=$?
  fi
  echo "::endgroup::"
  [ "$code" -gt "$worst" ] && worst=$code
  return 0
}

step check check --strict
step test test --coverage
if [ -n "$sample" ]; then
  if [ -n "$base" ] && ! git cat-file -e "$base^{commit}" 2>/dev/null; then
    git fetch --quiet --depth=1 origin "$base" || { echo "::error::The base $base cannot be fetched; check out with fetch-depth: 0."; exit 1; }
  fi
  step replay replay --from "$sample" ${base:+--against "git:$base"} ${SLUICE_ACTION_ACCEPT:+--accept "$SLUICE_ACTION_ACCEPT"}
else
  echo "No recorded calls were named (sample), so nothing was replayed."
fi
exit "$worst"
