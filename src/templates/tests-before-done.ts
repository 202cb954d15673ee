import { sh } from "./shell-text.ts";
import { template } from "./template.ts";

const RED = { Makefile: "test:\n\t@echo expected 1, got 2; exit 1\n" };
const SAYS = "The tests fail";

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
      printf '${SAYS} (%s). Make them pass, or say why they cannot:\n' "$*"
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
