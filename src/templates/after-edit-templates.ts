import { wrote } from "./example-events.ts";
import { commandWhen, sh, template } from "./template.ts";

const STUB = { "node_modules/.bin/prettier": "#!/bin/sh\nprintf 'tidy\\n' > \"$3\"\n" };

/** A formatter that fails, on broken syntax for example, is a recorded failure and stops nothing. */
export const formatAfterEdit = template({
  title: "Format files after an edit",
  why: "Diffs fill with blanks and quotes instead of changes.",
  needs: ["the project's formatter: biome, prettier, gofmt, ruff or rustfmt"],
  spec: {
    name: "format_after_edit",
    event: "tool:post_execute:@write",
    description: "Runs the project's own formatter on every file that was written, where it is installed.",
    command: sh`
      PATH="\${SLUICE_PROJECT_DIR:-$PWD}/node_modules/.bin:$PATH"
      printf '%s\n' "$SLUICE_FILE_PATHS" | while IFS= read -r file; do
        case $file in
          *.go) set -- gofmt -w ;;
          *.rs) set -- rustfmt --edition 2021 ;;
          *.py) set -- ruff format ;;
          *) if [ -f biome.json ]; then set -- biome format --write; else set -- prettier --write --ignore-unknown; fi ;;
        esac
        if [ -f "$file" ] && command -v "$1" >/dev/null; then "$@" "$file" </dev/null >/dev/null || exit 1; fi
      done`,
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
      args: { input: "*** Begin Patch\n*** Update File: a.go\n+x\n*** Update File: -b.go\n+x\n*** End Patch" },
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
      PATH="\${SLUICE_PROJECT_DIR:-$PWD}/node_modules/.bin:$PATH"
      case $SLUICE_FILE_PATHS in
        *.ts* | *.mts* | *.cts*) [ ! -f tsconfig.json ] || set -- tsc --noEmit --pretty false ;;
        *.go*) [ ! -f go.mod ] || set -- go vet ./... ;;
        *.rs*) [ ! -f Cargo.toml ] || set -- cargo check --quiet ;;
      esac
      command -v "\${1:-none}" >/dev/null || exit 0
      found=$("$@" 2>&1 </dev/null) && exit 0
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

/** Tells the agent what it left open. */
export const noTodoLeft = template({
  title: "Remind the agent of what it left open",
  why: "A placeholder is written, and forgotten.",
  spec: {
    name: "no_todo_left",
    event: "tool:post_execute:@write",
    description: "Tells the agent when the text it wrote holds a TODO, FIXME, XXX or HACK.",
    rules: sh`
      content matches "\\b(TODO|FIXME|XXX|HACK)\\b" -> warn("A TODO, FIXME, XXX or HACK was left behind; finish it now, or tell the user.")`,
    tags: ["feedback", "files"],
  },
  examples: [
    {
      does: "tells the agent",
      ...wrote("a.ts", 'const a = "x";\n// TODO: the rest\n'),
      expect: "continue",
      says: "was left behind",
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
    ...commandWhen(
      "not stop_hook_active equals true",
      sh`
          if grep -s '"test":' package.json | grep -qv 'no test specified'; then set -- npm test --silent
          elif grep -qs '^test:' Makefile; then set -- make test
          elif [ -f Cargo.toml ]; then set -- cargo test --quiet
          elif [ -f go.mod ]; then set -- go test ./...
          elif [ -f pytest.ini ]; then set -- pytest -q
          else exit 0
          fi
          output=$(CI=1 "$@" 2>&1 </dev/null) && exit 0
          printf 'The tests fail (%s). Make them pass, or say why they cannot:\n' "$*"
          printf '%s\n' "$output" | tail -n 20
          exit 1`,
    ),
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
