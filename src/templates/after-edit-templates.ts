import { wrote } from "./example-events.ts";
import { ARGS, PATHS, sh, VALUES, WRITTEN } from "./shell-text.ts";
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

const TSC = {
  "tsconfig.json": "{}",
  "node_modules/.bin/tsc": "#!/bin/sh\n[ ! -f broken ] || { echo 'a.ts(1,1): no'; exit 2; }\n",
};

/** Tells the agent at once when types stop fitting. */
export const typecheckAfterEdit = template({
  title: "Check types after an edit",
  why: "The agent builds on a mistake that the compiler would have told it.",
  needs: ["the project's tsc, go or cargo"],
  spec: {
    name: "typecheck_after_edit",
    event: "tool:post_execute:@write",
    description: "Runs the project's type checker after a source file was written and passes its output to the agent.",
    command: sh`
      ${ARGS}
      ${VALUES}
      ${PATHS}
      installed() { command -v "$1" >/dev/null 2>&1; }
      check() {
        files=$(paths)
        case $files in *.ts* | *.mts* | *.cts*)
          if [ -f tsconfig.json ] && [ -x node_modules/.bin/tsc ]; then node_modules/.bin/tsc --noEmit --pretty false || return; fi ;;
        esac
        case $files in *.go*) if [ -f go.mod ] && installed go; then go vet ./... || return; fi ;; esac
        case $files in *.rs*) if [ -f Cargo.toml ] && installed cargo; then cargo check --quiet || return; fi ;; esac
      }
      found=$(check 2>&1 </dev/null) && exit 0
      printf 'The types do not fit any more; correct this before going on:\n%s\n' "$found" | head -n 30
      exit 1`,
    timeout: 120,
    onError: "continue",
    tags: ["check", "files"],
  },
  examples: [
    {
      does: "passes the compiler's output to the agent",
      ...wrote("a.ts"),
      files: { ...TSC, broken: "" },
      before: "chmod +x node_modules/.bin/tsc",
      expect: "continue",
      says: "a.ts(1,1): no",
    },
    {
      does: "is silent when the types fit",
      ...wrote("a.ts"),
      files: TSC,
      before: "chmod +x node_modules/.bin/tsc",
      expect: "continue",
    },
    { does: "is silent where there is nothing to check", ...wrote("a.ts"), expect: "continue" },
  ],
});

const EDIT_REASON = "was left behind";

/** Tells the agent what it left open. */
export const noTodoLeft = template({
  title: "Remind the agent of what it left open",
  why: "A placeholder is written, and forgotten.",
  spec: {
    name: "no_todo_left",
    event: "tool:post_execute:@write",
    description: "Tells the agent when the text it wrote holds a TODO, FIXME, XXX or HACK.",
    command: sh`
      ${ARGS}
      ${VALUES}
      ${WRITTEN}
      found=$(written |
        grep -E '(^|[^[:alnum:]_])(TODO|FIXME|XXX|HACK)([^[:alnum:]_]|$)' | head -n 5 | cut -c 1-200)
      [ -n "$found" ] || exit 0
      printf 'This ${EDIT_REASON}; finish it now, or tell the user:\n%s\n' "$found"
      exit 1`,
    onError: "continue",
    tags: ["feedback", "files"],
  },
  examples: [
    {
      does: "shows the line to the agent",
      ...wrote("a.ts", 'const a = "x";\n// TODO: the rest\n'),
      expect: "continue",
      says: "// TODO: the rest",
    },
    {
      does: "reads what an edit put in, not what it took out",
      event: "tool:post_execute",
      tool: "Edit",
      args: { file_path: "TODO.md", old_string: "// TODO: the rest", new_string: "done();" },
      expect: "continue",
    },
    { does: "is silent about other words", ...wrote("a.ts", "const TODOS = mastodon;"), expect: "continue" },
  ],
});

const RED = { Makefile: "test:\n\t@echo expected 1, got 2; exit 1\n" };
const TESTS_REASON = "The tests fail";

/** Done means that the tests pass. */
export const testsBeforeDone = template({
  title: "No end before the tests pass",
  why: "“Done” is said while the tests are red.",
  needs: ["the project's test command: npm, make, cargo, go or pytest"],
  spec: {
    name: "tests_before_done",
    event: "session:stop",
    description:
      "Runs the project's tests when the agent wants to stop and keeps it working while they fail; it insists once, so nothing loops.",
    command: sh`
      if grep -qE '"stop_hook_active": *true'; then exit 0; fi
      installed() { command -v "$1" >/dev/null 2>&1; }
      if [ -f package.json ] && grep -q '"test" *:' package.json && ! grep -q 'no test specified' package.json && installed npm
      then set -- npm test --silent
      elif [ -f Makefile ] && grep -q '^test *:' Makefile && installed make; then set -- make test
      elif [ -f Cargo.toml ] && installed cargo; then set -- cargo test --quiet
      elif [ -f go.mod ] && installed go; then set -- go test ./...
      elif { [ -f pytest.ini ] || grep -qs pytest pyproject.toml; } && installed pytest; then set -- pytest -q
      else exit 0
      fi
      output=$(CI=1 "$@" 2>&1 </dev/null) && exit 0
      printf '${TESTS_REASON} (%s). Make them pass, or say why they cannot:\n' "$*"
      printf '%s\n' "$output" | tail -n 20
      exit 1`,
    timeout: 300,
    onError: "continue",
    tags: ["check"],
  },
  examples: [
    {
      does: "keeps the agent working while the tests fail, with the end of their output",
      event: "session:stop",
      files: RED,
      programs: { make: "echo expected 1, got 2; exit 2" },
      expect: "deny",
      says: "expected 1, got 2",
    },
    {
      does: "insists once and no more",
      event: "session:stop",
      data: { stop_hook_active: true },
      files: RED,
      programs: { make: "exit 2" },
      expect: "continue",
    },
    {
      does: "lets the agent stop when the tests pass",
      event: "session:stop",
      files: { "package.json": '{"scripts":{"test":"true"}}' },
      programs: { npm: 'echo "$CI $*" > ran' },
      expect: "continue",
      after: "grep -qx '1 test --silent' ran",
    },
    { does: "lets the agent stop where there are no tests", event: "session:stop", expect: "continue" },
  ],
});
