import { GAP } from "../../effects/parse/command.ts";
import type { Guard } from "./guard.ts";
import { isInside, lineOf, lineOver, named, type Part, shownPath, without } from "./part.ts";

/** Files and folders that cannot be brought back stay. */
export const files: Guard = {
  title: "Deleting and destroying files",
  why: "One wrong variable or blank, and the wrong folder is gone for good.",
  rules: [
    {
      name: "delete-root",
      yieldsTo: ["git-loss"],
      standard: "deny",
      strict: "deny",
      paranoid: "deny",
      reason: "Removes everything: the root, a home or the whole project.",
      tells: (part) => ({
        does: `removes ${rootOf(part)} with everything in it`,
        ask: "which files in it may go, and delete those by their names",
      }),
    },
    {
      name: "delete-protected",
      yieldsTo: ["delete-history"],
      standard: "deny",
      strict: "deny",
      paranoid: "deny",
      reason: "Removes a part of the system, of the user's keys or of the project's history.",
      tells: (part) => ({
        does: `removes ${named(part)}, ${protectedAs(part)}`,
        ask: `to remove ${named(part)}, if it has to go`,
      }),
    },
    {
      name: "delete-folder",
      yieldsTo: ["git-loss"],
      standard: "deny",
      strict: "deny",
      paranoid: "deny",
      undoable: true,
      reason: "Removes a folder, or all that is in it, for good. Build output, caches and temporary files may go.",
      tells: (part) => ({
        does: `removes ${whole(part)}, for good`,
        instead: part.program === "rsync" ? [lineOf(part, "rsync", ...without(part, isDeleting))] : [gitRemoval(part)],
        ask: isUnknown(part)
          ? "to run it, or write the path itself in place of what only the run knows"
          : isEverything(part)
            ? "which files may go, and delete those by their names"
            : `to remove ${whole(part)}`,
      }),
    },
    {
      name: "empty-file",
      yieldsTo: ["disk-loss", "forget-history"],
      standard: "deny",
      strict: "deny",
      paranoid: "deny",
      undoable: true,
      reason: "Destroys what a file held.",
      tells: (part) => ({
        does: `destroys the content of ${named(part)}`,
        instead: isRemoval(part) ? [gitRemoval(part)] : [keptAside(part)],
        ask: `whether the content of ${named(part)} may go`,
      }),
    },
    {
      name: "move-outside",
      standard: "ask",
      strict: "deny",
      paranoid: "deny",
      undoable: true,
      reason: "Moves something out of the project, where it is easily lost.",
      tells: (part) => ({
        does: `moves ${named(part)} out of the project, to ${named(part, part.written)}`,
        instead: [lineOf(part, "cp", "-R", ...without(part, (text) => text.startsWith("-")))],
        ask: `to move ${named(part)} there`,
      }),
    },
    {
      name: "delete-outside",
      yieldsTo: ["delete-history"],
      strict: "ask",
      paranoid: "deny",
      reason: "Removes something outside of the project.",
      tells: (part) => ({
        does: `removes ${named(part)}, which lies outside of the project`,
        ask: `to remove ${named(part)}`,
      }),
    },
    {
      name: "delete-tree",
      paranoid: "ask",
      undoable: true,
      reason: "Removes a folder with everything in it.",
      tells: (part) => ({
        does: `removes ${whole(part)}`,
        ask: `to remove ${whole(part)}`,
      }),
    },
  ],
  get stops() {
    return [
      "rm -rf /",
      "rm -rf ~",
      "rm -rf .",
      "rm -rf src",
      "rm -r -f src tests",
      "cd .. && rm -rf project",
      "rm -rf *",
      "rm -rf .git",
      "find . -delete",
      "find src -name '*.ts' -exec rm -rf {} +",
      "find src -type f | xargs rm",
      "git ls-files -z | xargs -0 rm",
      "git ls-files | perl -ne 'chomp; unlink'",
      "ls src | sed 's#^#rm src/#' | sh",
      "find src -type f | awk '{system(\"rm \" $0)}'",
      "for f (src/*) rm $f",
      "pwsh -c 'foreach ($f in gci src -Recurse) { Remove-Item $f.FullName }'",
      "echo | tee src/*.ts",
      "rsync -a --delete empty/ src/",
      "shred -u notes.md",
      "truncate -s 0 data.csv",
      "vim -es -c 'argdo %d | w' -c qa data.csv",
      "awk -i inplace 'BEGIN{}' data.csv",
      "> src/index.ts",
      "cp /dev/null config.json",
      "mv src /dev/null",
      "dd if=/dev/zero of=data.db bs=1M count=1",
      'rm -rf "$folder"',
      "rm /etc/hosts",
      { tool: "mcp__files__delete_directory", args: { path: "src" } },
      { tool: "delete_file", args: { path: "/etc/hosts" } },
      { tool: "apply_patch", args: { input: "*** Begin Patch\n*** Delete File: .git/config\n*** End Patch" } },
    ];
  },
  get passes() {
    return [
      "rm -rf ~/.m2/repository/org/example",
      "rm notes.md",
      "find . -regex '^.*\\(__pycache__\\|\\.py[co]\\)$' -delete",
      "find . | grep -E '(__pycache__|\\.pyc|\\.pyo$)' | xargs rm -rf",
      "find . -path ./.venv -prune -o -name '*.pyc' -print | xargs rm -f",
      "rm -f src/old.ts",
      "git rm -r old",
      "mv a.ts b.ts",
      "echo done > result.txt",
      "git commit -m 'never rm -rf /'",
      "find src -name '*.ts'",
      "find src -name '*.orig' -printf 'rm %p\\n'",
      "git ls-files | perl -ne 'print if /test/'",
      "pwsh -c 'foreach ($f in gci src) { $f.Name }'",
      "npm test | tee test.log",
      { tool: "Write", args: { file_path: "src/a.ts", content: "rm -rf /" } },
      { tool: "apply_patch", args: { input: "*** Begin Patch\n*** Delete File: src/old.ts\n*** End Patch" } },
    ];
  },
};

/** What a deletion reaches, by the path that it names. */
function rootOf(part: Part): string {
  const [path = "."] = part.paths;
  const folder = path.replace(/\/\*{0,2}$/, "") || "/";
  if (folder === "/") return "the root of the file system";
  if (folder === "~" || folder === part.home) return "your home folder";
  if (folder === "." || folder === part.cwd) return "the whole project";
  return `${shownPath(path, part)}, in which the project or a home lies,`;
}

/** Folders, or all that is in them. */
function whole(part: Part): string {
  const folders = part.paths.map((path) => path.replace(/\/\*{1,2}$/, ""));
  if (isEverything(part)) return "all that lies in this folder";
  const isOfAll = folders.every((folder, index) => folder !== part.paths[index]);
  if (isOfAll) return `all that lies in ${named(part, folders)}`;
  return `${named(part)} with all that lies in ${part.paths.length > 1 ? "them" : "it"}`;
}

function isEverything({ paths }: Part): boolean {
  return paths.some((path) => /^\*{1,2}$/.test(path));
}

function protectedAs({ paths }: Part): string {
  if (paths.some((path) => /(?:^|\/)\.git(?:\/|$)/.test(path))) return "a part of the project's history";
  return paths.some((path) => /\/\.\w/.test(path)) ? "where keys and logins lie" : "a part of the system";
}

/** Git keeps what it removes, and refuses where it could not: what it does not hold is given another name. */
function gitRemoval(part: Part): string | undefined {
  if (!isInside(part)) return undefined;
  const folders = part.paths.map((path) => path.replace(/\/\*{1,2}$/, ""));
  if (folders.some((path) => /^\*+$/.test(path))) return undefined;
  const isPattern = (path: string) => /[*?[]/.test(path);
  const removed = lineOver(
    folders.map((path) => (isPattern(path) ? `:(glob)${path}` : path)),
    "git",
    "rm",
    "-r",
  );
  if (folders.some(isPattern)) return removed;
  const moved = folders.map((path) => lineOver([path, `${path}.old`], "mv")).join(" && ");
  return `${removed} || ${folders.length > 1 ? `{ ${moved}; }` : moved}`;
}

/** The old content stays beside the file, which is empty then. */
function keptAside(part: Part): string | undefined {
  const [path = "", ...more] = part.paths;
  if (!isInside(part) || more.length > 0 || /[*?[]/.test(path)) return undefined;
  return `${lineOver([path, `${path}.old`], "mv")} && ${lineOver([path], "touch")}`;
}

function isRemoval({ program, words }: Part): boolean {
  return program === "mv" || (program === "shred" && words.some(({ text }) => /^(?:-\w*u|--remove)/.test(text)));
}

function isDeleting(text: string): boolean {
  return text.startsWith("--del");
}

function isUnknown({ paths }: Part): boolean {
  return paths.some((path) => path.includes(GAP));
}
