import { write } from "./example-events.ts";
import { ARGS, PATHS, sh, VALUES } from "./shell-text.ts";
import { template } from "./template.ts";

const FOLDERS = [".git", "node_modules", "dist", "vendor", ".venv", "__pycache__", ".next"];
const LOCK_FILES = [
  ...["package-lock.json", "npm-shrinkwrap.json", "yarn.lock", "pnpm-lock.yaml", "bun.lock", "bun.lockb"],
  ...["Cargo.lock", "poetry.lock", "uv.lock", "Pipfile.lock", "composer.lock", "Gemfile.lock", "go.sum", "flake.lock"],
];
const SAYS = "is written by a program, not by hand";

/** What programs write, no agent edits. */
export const protectPaths = template({
  title: "No edits to lock files, .git and generated folders",
  why: "A change by hand is lost at the next build, or breaks it.",
  spec: {
    name: "protect_paths",
    event: "tool:pre_execute:@write",
    description:
      "Denies file tools that write a lock file, into .git or into a generated folder. It catches accidents; it is no security boundary.",
    command: sh`
      ${ARGS}
      ${VALUES}
      ${PATHS}
      found=$(paths | while IFS= read -r path; do
        path=\${path#"$SLUICE_WORKING_DIR"/} path=\${path#"$PWD"/}
        case /$path in
          ${FOLDERS.map((name) => `*/${name}/*`).join(" | ")} | \
          ${LOCK_FILES.map((name) => `*/${name}`).join(" | ")})
            printf '%s\n' "$path" && break ;;
        esac
      done)
      [ -n "$found" ] || exit 0
      printf '%s\n' "$found ${SAYS}. Change its source and run the program that makes it (npm install, the build, git)."
      exit 1`,
    tags: ["guard", "files"],
  },
  examples: [
    ...["package-lock.json", "app/yarn.lock", ".git/hooks/pre-commit", "node_modules/x/index.js", "/x y/dist/a.js"].map(
      (path) => ({ does: `denies ${path}`, ...write(path), expect: "deny", says: SAYS }) as const,
    ),
    {
      does: "finds the file inside a patch",
      event: "tool:pre_execute",
      tool: "apply_patch",
      args: { input: "*** Begin Patch\n*** Update File: a.ts\n+x\n*** Update File: go.sum\n+x\n*** End Patch" },
      expect: "deny",
      says: `go.sum ${SAYS}`,
    },
    {
      does: "finds one of several files",
      event: "tool:pre_execute",
      tool: "MultiEdit",
      args: { edits: [{ file_path: "a.ts" }, { file_path: "Cargo.lock" }] },
      expect: "deny",
      says: `Cargo.lock ${SAYS}`,
    },
    ...["src/dist.ts", ".github/workflows/ci.yml", "docs/package-lock.json.md", ".gitignore"].map(
      (path) => ({ does: `lets ${path} pass`, ...write(path), expect: "continue" }) as const,
    ),
    { does: "reads paths, not contents", ...write("a.md", "path: node_modules/x"), expect: "continue" },
  ],
});
