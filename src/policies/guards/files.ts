import { GAP } from "../../effects/index.ts";
import { ASK, ASK_THEN_DENY, DENY, type Guard, STRICT } from "./guard.ts";
import { isInside, lineOf, lineOver, named, type Part, shownPath, without } from "./part.ts";

/** Files and folders that cannot be restored are kept. */
export const files: Guard = {
  title: "Deleting and destroying files",
  why: "One wrong variable or blank, and the wrong folder is gone for good.",
  rules: [
    {
      name: "delete-root",
      yieldsTo: ["git-loss"],
      ...DENY,
      reason: "Removes everything: the root, a home or the whole project.",
      does: (part) => `removes ${rootOf(part)} with everything in it`,
      ask: "which files in it may go, and delete those by their names",
    },
    {
      name: "delete-protected",
      yieldsTo: ["delete-history"],
      ...DENY,
      reason: "Removes a part of the system, of the user's keys or of the project's history.",
      does: (part) => `removes ${named(part)}, ${protectedAs(part)}`,
      ask: "to remove {paths}, if it has to go",
    },
    {
      name: "delete-folder",
      yieldsTo: ["git-loss"],
      ...DENY,
      undoable: true,
      reason: "Removes a folder, or everything in it, for good. Build output, caches and temporary files may go.",
      does: (part) => `removes ${whole(part)}, for good`,
      instead: (part) =>
        part.program === "rsync" ? [lineOf(part, "rsync", ...without(part, isDeleting))] : [gitRemoval(part)],
      ask: (part) =>
        isUnknown(part)
          ? "to run it, or write the path itself in place of what is only known at run time"
          : isEverything(part)
            ? "which files may go, and delete those by their names"
            : `to remove ${whole(part)}`,
    },
    {
      name: "empty-file",
      yieldsTo: ["disk-loss", "forget-history"],
      ...DENY,
      undoable: true,
      reason: "Destroys the content of a file.",
      does: "destroys the content of {paths}",
      instead: (part) => (isRemoval(part) ? [gitRemoval(part)] : [keptAside(part)]),
      ask: "whether the content of {paths} may go",
    },
    {
      name: "move-outside",
      ...ASK_THEN_DENY,
      undoable: true,
      reason: "Moves something out of the project, where it is easily lost.",
      does: "moves {paths} out of the project, to {written}",
      instead: (part) => lineOf(part, "cp", "-Rn", ...without(part, (text) => text.startsWith("-"))),
      ask: "to move {paths} there",
    },
    {
      name: "move-personal",
      ...ASK,
      reason: "Moves a folder of the user's own files away.",
      does: "moves {paths} to {written}, where the user does not look for it",
      ask: "to move {paths} there",
    },
    {
      name: "delete-personal",
      ...ASK,
      undoable: true,
      reason: "Removes a file of the user's own, outside of the project.",
      does: "removes {paths}, which belongs to the user and not to the project",
      ask: "to remove {paths}",
    },
    {
      name: "overwrite-personal",
      ...ASK,
      undoable: true,
      reason: "Writes over a file of the user's own, outside of the project.",
      does: "writes over {paths}, which belongs to the user and not to the project",
      ask: "whether {paths} may be written over, or write it into the project",
    },
    {
      name: "delete-key",
      ...ASK,
      undoable: true,
      reason: "Removes a private key, a keystore or a certificate.",
      does: "removes {paths}, a key that may not be made again",
      ask: "whether {paths} may go",
    },
    {
      name: "delete-outside",
      yieldsTo: ["delete-history"],
      ...STRICT,
      reason: "Removes something outside the project.",
      does: "removes {paths}, which is outside the project",
      ask: "to remove {paths}",
    },
    {
      name: "delete-tree",
      paranoid: "ask",
      undoable: true,
      reason: "Removes a folder with everything in it.",
      does: (part) => `removes ${whole(part)}`,
      ask: (part) => `to remove ${whole(part)}`,
    },
  ],
  stops: () => [
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
    "mv ~/Documents /tmp/",
    "mv ~/Documents/* /mnt/old/",
    "rm ~/Documents/thesis.md",
    "echo x > ~/Documents/thesis.md",
    { tool: "Write", args: { file_path: "~/Documents/thesis.md", content: "x" } },
    { tool: "mcp__files__delete_directory", args: { path: "src" } },
    { tool: "delete_file", args: { path: "/etc/hosts" } },
    { tool: "apply_patch", args: { input: "*** Begin Patch\n*** Delete File: .git/config\n*** End Patch" } },
  ],
  passes: () => [
    "rm -rf ~/.m2/repository/org/example",
    "rm notes.md",
    "find . -regex '^.*\\(__pycache__\\|\\.py[co]\\)$' -delete",
    "find . | grep -E '(__pycache__|\\.pyc|\\.pyo$)' | xargs rm -rf",
    "find . -path ./.venv -prune -o -name '*.pyc' -print | xargs rm -f",
    "rm -f src/old.ts",
    "git rm -r old",
    "mv a.ts b.ts",
    "mv ~/Downloads/logo.png assets/",
    "mv ~/Documents/a.md ~/Documents/b.md",
    "cp report.pdf ~/Documents/",
    "echo done >> ~/Documents/diary.md",
    "curl -Lo ~/Downloads/tool.zip https://example.com/tool.zip",
    "echo done > result.txt",
    "git commit -m 'never rm -rf /'",
    "find src -name '*.ts'",
    "find src -name '*.orig' -printf 'rm %p\\n'",
    "git ls-files | perl -ne 'print if /test/'",
    "pwsh -c 'foreach ($f in gci src) { $f.Name }'",
    "npm test | tee test.log",
    { tool: "Write", args: { file_path: "src/a.ts", content: "rm -rf /" } },
    { tool: "apply_patch", args: { input: "*** Begin Patch\n*** Delete File: src/old.ts\n*** End Patch" } },
  ],
};

/** The target of a deletion, by its path. */
function rootOf(part: Part): string {
  const [path = "."] = part.paths;
  const folder = path.replace(/\/\*{0,2}$/, "") || "/";
  if (folder === "/") return "the root of the file system";
  if (folder === "~" || folder === part.home) return "your home folder";
  if (folder === "." || folder === part.cwd) return "the whole project";
  return `${shownPath(path, part)}, which contains the project or a home folder,`;
}

/** The deleted folders, or their content. */
function whole(part: Part): string {
  const folders = part.paths.map((path) => path.replace(/\/\*{1,2}$/, ""));
  if (isEverything(part)) return "everything in this folder";
  const isOfAll = folders.every((folder, index) => folder !== part.paths[index]);
  if (isOfAll) return `everything in ${named(part, folders)}`;
  return `${named(part)} with everything in ${part.paths.length > 1 ? "them" : "it"}`;
}

function isEverything({ paths }: Part): boolean {
  return paths.some((path) => /^\*{1,2}$/.test(path));
}

function protectedAs({ paths }: Part): string {
  if (paths.some((path) => /(?:^|\/)\.git\/hooks(?:\/|$)/.test(path))) return "which git runs by itself";
  if (paths.some((path) => /(?:^|\/)\.git(?:\/|$)/.test(path))) return "a part of the project's history";
  return paths.some((path) => /\/\.\w/.test(path)) ? "which holds keys and logins" : "a part of the system";
}

/** Uses `git rm`, which keeps a copy and refuses if it could not, or else renames the folder. */
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

/** Keeps the old content beside the file, which is then empty. */
function keptAside(part: Part): string | undefined {
  const [path = "", ...more] = part.paths;
  if (!isInside(part) || more.length > 0 || /[*?[]/.test(path)) return undefined;
  return `${lineOver([path, `${path}.old`], "mv", "-n")} && ${lineOver([path], "touch")}`;
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
