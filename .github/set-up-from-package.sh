#!/usr/bin/env bash
# Packs the package, sets it up in an empty home with the first line of the README, and expects a denial and a whole removal.
set -euo pipefail
work="$(mktemp -d)"
npm pack --ignore-scripts --silent --pack-destination "$work"
tarball="$(ls "$work"/sluice-*.tgz)"
export HOME="$work/home" USERPROFILE="$work/home" XDG_STATE_HOME="$work/state" XDG_CONFIG_HOME="$work/config"
mkdir -p "$HOME/.claude" "$work/project"
printf '{ "model": "opus" }' > "$HOME/.claude/settings.json"
cd "$work/project"
npx --yes --package "$tarball" sluice setup claude-code --json
npx --yes --package "$tarball" sluice fire "rm -rf /" && exit 1
[ $? -eq 2 ]
npx --yes --package "$tarball" sluice uninstall --yes
[ "$(cat "$HOME/.claude/settings.json")" = '{ "model": "opus" }' ]
echo "set up, denied, removed"
