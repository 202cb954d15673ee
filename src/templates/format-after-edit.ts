import { wrote } from "./example-events.ts";
import { ARGS, PATHS, sh, VALUES } from "./shell-text.ts";
import { template } from "./template.ts";

const STUB = { "node_modules/.bin/prettier": "#!/bin/sh\nprintf 'tidy\\n' > \"$3\"\n" };

/** A formatter that fails, on broken syntax for example, is a recorded failure and stops nothing. */
export const formatAfterEdit = template({
  title: "Format files after an edit",
  why: "Diffs fill with blanks and quotes instead of changes.",
  needs: ["the project's formatter: biome, prettier, gofmt, ruff or rustfmt"],
  spec: {
    name: "format_after_edit",
    event: "tool:post_execute:@write",
    description: "Runs the project's own formatter on a file that was written, where it is installed and configured.",
    command: sh`
      ${ARGS}
      ${VALUES}
      ${PATHS}
      installed() { command -v "$1" >/dev/null 2>&1; }
      tidy() {
        case $1 in
          *.go) installed gofmt && set -- gofmt -w "$1" || return 0 ;;
          *.rs) [ -f Cargo.toml ] && installed rustfmt && set -- rustfmt --edition 2021 "$1" || return 0 ;;
          *.py) { [ -f pyproject.toml ] || [ -f ruff.toml ]; } && installed ruff && set -- ruff format "$1" || return 0 ;;
          *)
            if [ -f biome.json ] || [ -f biome.jsonc ]; then
              [ -x node_modules/.bin/biome ] && set -- node_modules/.bin/biome format --write --no-errors-on-unmatched "$1" || return 0
            else
              [ -x node_modules/.bin/prettier ] && set -- node_modules/.bin/prettier --write --ignore-unknown "$1" || return 0
            fi ;;
        esac
        "$@" </dev/null >/dev/null
      }
      status=0
      while IFS= read -r path; do
        case $path in -*) path=./$path ;; esac
        [ ! -f "$path" ] || tidy "$path" || status=1
      done <<PATHS
      $(paths)
      PATHS
      exit "$status"`,
    timeout: 30,
    onError: "continue",
    exitCodes: "claude",
    tags: ["format", "files"],
  },
  examples: [
    {
      does: "formats a file with the project's prettier",
      ...wrote("a b.ts"),
      files: { ...STUB, "a b.ts": "untidy\n" },
      before: "chmod +x node_modules/.bin/prettier",
      expect: "continue",
      after: "grep -qx tidy 'a b.ts'",
    },
    {
      does: "formats every file of a patch",
      event: "tool:post_execute",
      tool: "apply_patch",
      args: { input: "*** Update File: a.go\n+x\n*** Update File: -b.go\n+x" },
      files: { "a.go": "untidy\n", "-b.go": "untidy\n" },
      programs: { gofmt: "printf 'tidy\\n' > \"$2\"" },
      expect: "continue",
      after: "grep -qx tidy ./a.go && grep -qx tidy ./-b.go",
    },
    {
      does: "leaves a file alone whose project has no formatter",
      ...wrote("a.ts"),
      files: { "a.ts": "untidy\n" },
      expect: "continue",
      after: "grep -qx untidy a.ts",
    },
    {
      does: "stops nothing when the formatter fails",
      ...wrote("a.py"),
      files: { "a.py": "untidy\n", "ruff.toml": "" },
      programs: { ruff: "exit 2" },
      expect: "continue",
    },
  ],
});
