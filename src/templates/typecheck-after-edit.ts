import { wrote } from "./example-events.ts";
import { ARGS, PATHS, sh, VALUES } from "./shell-text.ts";
import { template } from "./template.ts";

const TSC = {
  "tsconfig.json": "{}",
  "node_modules/.bin/tsc": "#!/bin/sh\n[ ! -f broken ] || { echo 'a.ts(1,1): no'; exit 2; }\n",
};

/** The agent hears at once when types stop fitting. */
export const typecheckAfterEdit = template({
  title: "Check types after an edit",
  why: "The agent builds on a mistake that the compiler would have told it.",
  needs: ["the project's tsc, go or cargo"],
  spec: {
    name: "typecheck_after_edit",
    event: "tool:post_execute:@write",
    description:
      "Runs the project's type checker after a source file was written and hands what it finds to the agent.",
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
      does: "hands the compiler's words to the agent",
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
