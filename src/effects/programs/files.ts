import type { Word } from "../parse/command.ts";
import { isEndless, nameOf, resolvedPath, withoutLastSlash } from "../paths.ts";
import { type Act, hasOperands, operands, operandsFrom, valueIs } from "./act.ts";
import { type Call, deletes, has, isHuge, known, pieceOf, plays, reads, value, valueText, writes } from "./call.ts";
import type { Programs } from "./program.ts";
import { isSecretFile } from "./secret-files.ts";

/** Options that change the order of the operands. */
const TARGET = "target-directory|t= no-target-directory|T backup? b suffix|S=";

/** Programs that create, copy, move and remove files. */
export const FILES = (): Programs => ({
  rm: {
    prints: "nothing",
    is: { "often-shadowed": true },
    options: "recursive|r|R force|f interactive? i I dir|d verbose|v one-file-system preserve-root? no-preserve-root",
    does: (call) => {
      const isForced = has(call, "force");
      // `find -delete` removes what it finds by name one by one, and no folder that is not empty.
      const isFound = call.command.via.at(-1)?.endsWith(" -delete") ?? false;
      for (const path of call.operands)
        deletes(call, path, { isTree: has(call, "recursive") && !(isFound && path.text.includes("/**")), isForced });
      if (call.operands.length > 0) plays(call, "delete");
    },
    examples: [
      ["rm a b", "delete", "deletes a", "deletes b"],
      ["rm -rf build", "delete", "deletes build tree forced"],
      ["rm build -fr", "delete", "deletes build tree forced"],
      ["rm --recurs --forc build", "delete", "deletes build tree forced"],
      ["rm -- -rf", "delete", "deletes -rf"],
      ["rm --help"],
      ["rm -rf --help build"],
      ["rm --version -- build"],
      ["rm -- --help", "delete", "deletes --help"],
      ["rm -rf build --help", "delete", "deletes build tree forced"],
    ],
  },
  rmdir: {
    options: "parents|p ignore-fail-on-non-empty verbose|v",
    ...DELETES,
    examples: [["rmdir -p a/b", "delete", "deletes a/b"]],
  },
  unlink: { ...DELETES, examples: [["unlink a", "delete", "deletes a"]] },
  "trash trash-put rmtrash": { ...DELETES, by: "trash", examples: [["trash a b", "delete", "deletes a", "deletes b"]] },
  "rimraf del-tree": {
    options: "glob|g no-glob|G",
    does: deletesPatterns,
    examples: [["rimraf dist", "delete", "deletes dist tree forced"]],
  },
  "del-cli": {
    options: "force|f dry-run|d",
    dry: "dry-run",
    does: deletesPatterns,
    examples: [["del-cli dist", "delete", "deletes dist tree forced"], ["del-cli --dry-run dist"]],
  },
  "trash-empty trash-rm rip": {
    options: "force|f trash-dir= all-users decompose|d unbury|u? seance|s graveyard= dry-run",
    dry: "dry-run unbury seance",
    does: (call) => {
      const isRip = call.report.program === "rip";
      plays(call, "delete");
      // Files in the graveyard can be restored; when it is emptied, they cannot.
      if (isRip && !has(call, "decompose")) for (const path of call.operands) deletes(call, path);
      else deletes(call, known(isRip ? "~/.local/share/graveyard" : "~/.local/share/Trash"), { isTree: true });
    },
    examples: [
      ["trash-empty -f", "delete", "deletes ~/.local/share/Trash tree"],
      ["trash-empty --dry-run"],
      ["rip a", "delete", "deletes a"],
      ["rip --decompose", "delete", "deletes ~/.local/share/graveyard tree"],
    ],
  },
  srm: {
    options: "recursive|r|R force|f",
    ...DELETES,
    tree: "recursive",
    forced: true,
    examples: [["srm -r keys", "delete", "deletes keys tree forced"]],
  },
  "shred wipe scrub": {
    options: "force|f iterations|n= size|s= remove? u exact|x zero|z verbose|v random-source=",
    roles: ["overwrite"],
    writes: operands,
    forced: true,
    does: [{ when: "u remove", roles: ["delete"], deletes: operands, forced: true }],
    examples: [
      ["shred -n 3 a", "overwrite", "writes a forced"],
      ["shred -zu a", "overwrite delete", "writes a forced", "deletes a forced"],
    ],
  },
  mv: {
    prints: "copies",
    is: { "copies-data": true, "often-shadowed": true },
    options: `force|f ${TARGET} interactive|i no-clobber|n update? u verbose|v`,
    by: "move",
    does: (call) => {
      const { from, to } = transfer(call);
      for (const path of from) {
        reads(call, path);
        deletes(call, path);
      }
      for (const put of to) writes(call, put.path, { ...put, isForced: has(call, "force") });
      if (to.some(({ path }) => resolvedPath("", path.text).startsWith("/dev/null"))) plays(call, "delete");
    },
    examples: [
      ["mv a b", "reads a", "deletes a", "writes b"],
      ["mv -f a b/", "reads a", "deletes a", "writes b/a forced"],
      ["mv -t dir a b", "reads a", "deletes a", "reads b", "deletes b", "writes dir/a", "writes dir/b"],
      ["mv a /dev/null", "delete", "reads a", "deletes a"],
    ],
  },
  "cp ditto ncp cpr": {
    prints: "copies",
    is: { "copies-data": "cp", "often-shadowed": "cp", "makes-links": "cp" },
    options: `recursive|r|R archive|a force|f ${TARGET} interactive|i no-clobber|n preserve? p link|l symbolic-link|s update? u verbose|v parents remove-destination`,
    by: "copy",
    does: (call) => {
      const { from, to } = transfer(call);
      const isTree = has(call, "recursive", "archive") || COPIES_FOLDERS.has(call.report.program);
      for (const path of from) reads(call, path, { isTree });
      const isUnpacking = call.report.program === "ditto" && call.command.args.some(({ text }) => text === "-x");
      for (const put of to)
        writes(call, put.path, { ...put, isTree, isForced: has(call, "force"), ...(isUnpacking ? UNPACKS : {}) });
      if (from.some(({ text }) => text === "/dev/null")) plays(call, "overwrite");
      if (from.some(({ text }) => isEndless(text))) plays(call, "exhaust");
    },
    examples: [
      ["cp a b", "reads a", "writes b"],
      ["cp -r src ../copy", "reads src tree", "writes ../copy tree"],
      ["cp a b dir", "reads a", "reads b", "writes dir/a", "writes dir/b"],
      ["cp /dev/null log", "overwrite", "writes log"],
    ],
  },
  install: {
    prints: "copies",
    options: `directory|d mode|m= owner|o= group|g= ${TARGET} D strip|s compare|C verbose|v preserve-timestamps|p`,
    by: "replace",
    does: (call) => {
      if (has(call, "directory")) {
        for (const path of call.operands) writes(call, path);
        return;
      }
      const { from, to } = transfer(call);
      for (const path of from) reads(call, path);
      for (const put of to) writes(call, put.path, put);
      if (from.some(({ text }) => text === "/dev/null")) plays(call, "overwrite");
      if (has(call, "mode")) plays(call, "permission");
    },
    examples: [
      ["install -m 755 a /usr/local/bin/", "permission", "reads a", "writes /usr/local/bin/a"],
      ["install -d x/y", "writes x/y"],
    ],
  },
  "ln link": {
    prints: "copies",
    is: { "makes-links": true },
    options: `symbolic|s force|f ${TARGET} no-dereference|n h relative|r interactive|i verbose|v logical|L physical|P`,
    by: "link",
    does: (call) => {
      const { from, to } = transfer(call);
      const isHere = call.operands.length === 1 && to.length === 0;
      const links = isHere ? from.map((source) => ({ path: pieceOf(source, nameOf(source.text)), source })) : to;
      // A program that follows the link reads its target.
      for (const path of from) if (isSecretFile(path.text)) reads(call, path);
      for (const put of links) writes(call, put.path, { ...put, isForced: has(call, "force") });
      if (has(call, "force") && from.some(({ text }) => text === "/dev/null")) plays(call, "overwrite");
    },
    examples: [
      ["ln -s /etc/hosts hosts", "writes hosts"],
      ["ln -sf ../x", "writes x forced"],
      ["ln -s ../x -t dir", "writes dir/x"],
      ["ln -sf /dev/null x", "overwrite", "writes x forced"],
    ],
  },
  mkdir: {
    prints: "nothing",
    options: "parents|p mode|m= verbose|v",
    writes: operands,
    does: [{ when: "mode", roles: ["permission"] }],
    examples: [["mkdir -p -m 700 a/b c", "permission", "writes a/b", "writes c"]],
  },
  "touch mkfifo mknod": {
    prints: { touch: "nothing" },
    is: { "makes-pipes": "mkfifo mknod", "sets-times": "touch" },
    options: "no-create|c date|d= reference|r= t= a m h mode=",
    writes: operands,
    examples: [["touch -d yesterday a", "writes a"]],
  },
  mktemp: {
    prints: "temporary-path",
    options: "directory|d tmpdir|p= t dry-run|u quiet|q suffix=",
    examples: [["mktemp -d"]],
  },
  truncate: {
    is: { "image-maker": true },
    options: "size|s= reference|r= no-create|c io-blocks|o",
    writes: operands,
    does: [
      {
        when: (call) => isHuge(valueText(call, "size").replace(/^[<>/%+]/, "")),
        roles: ["exhaust"],
        otherwise: { unless: valueIs("size", /^\+/), roles: ["overwrite"] },
      },
    ],
    examples: [
      ["truncate -s 0 app.log", "overwrite", "writes app.log"],
      ["truncate -s +1M a", "writes a"],
      ["truncate -s 100T a", "exhaust", "writes a"],
    ],
  },
  mkfile: {
    options: "n v",
    writes: operandsFrom(1),
    does: [{ when: (call) => isHuge(call.operands[0]?.text ?? ""), roles: ["exhaust"] }],
    examples: [
      ["mkfile 10m a", "writes a"],
      ["mkfile 5t a", "exhaust", "writes a"],
    ],
  },
  fallocate: {
    options: "length|l= offset|o= punch-hole|p collapse-range|c zero-range|z keep-size|n dig-holes|d",
    writes: operands,
    does: [{ when: (call) => isHuge(value(call, "length")?.text ?? ""), roles: ["exhaust"] }],
    examples: [
      ["fallocate -l 1G big", "writes big"],
      ["fallocate -l 900G big", "exhaust", "writes big"],
    ],
  },
  "tee sponge": {
    prints: { tee: "input" },
    is: {
      "copies-data": "tee",
      "keeps-lines": "tee",
      "empties-first": "tee",
      "hands-all-on": true,
      "passes-text-on": "tee",
    },
    options: "append|a ignore-interrupts|i p output-error?",
    writes: operands,
    does: [
      {
        when: hasOperands,
        // A glob matches files that exist already.
        unless: [
          "append",
          (call) => !call.operands.some(({ isGlob }) => isGlob) && call.report.handed()?.trim() !== "",
        ],
        roles: ["overwrite"],
      },
    ],
    examples: [
      ["echo x | tee *.ts", "overwrite", "writes *.ts"],
      [": | tee a", "overwrite", "writes a"],
      ["cat /dev/null | sponge a", "overwrite", "writes a"],
      ["echo x | tee a", "writes a"],
      ["tee -a log /dev/stderr", "writes log"],
      ["tee log < /dev/null", "overwrite", "writes log"],
    ],
  },
  dd: {
    prints: "input",
    is: { "copies-data": true, "hands-all-on": true, "image-maker": true },
    does: (call) => {
      const at = (key: string) => call.operands.find(({ text }) => text.startsWith(`${key}=`));
      const path = (word: Word | undefined) => word && pieceOf(word, word.text.slice(3));
      const [source, target] = [path(at("if")), path(at("of"))];
      reads(call, source);
      writes(call, target, { isForced: true });
      if (target !== undefined && !/^\/dev\/(?:null|stdout)$/.test(target.text)) plays(call, "overwrite");
      const isBounded = at("count") !== undefined && !isHuge(total(at("bs"), at("count")));
      if (target !== undefined && isEndless(source?.text ?? "") && !isBounded) plays(call, "exhaust");
    },
    examples: [
      ["dd if=a of=b bs=1M", "overwrite", "reads a", "writes b forced"],
      ["dd if=/dev/zero of=/dev/sda", "disk overwrite exhaust", "writes /dev/sda forced"],
      ["dd if=/dev/zero of=/dev/null count=1"],
      ["dd if=/dev/zero of=a bs=1G count=10000", "overwrite exhaust", "writes a forced"],
    ],
  },
  "rename prename file-rename perl-rename rename.ul mmv": {
    options: "verbose|v no-act|n|nono force|f",
    dry: "no-act",
    by: "move",
    does: (call) => {
      for (const path of call.operands.slice(1)) writes(call, path, { isForced: has(call, "force") });
      // `mmv` takes patterns of names instead of an expression.
      const [from] = call.operands;
      if (call.report.program === "mmv" && from !== undefined)
        deletes(call, { ...from, isGlob: /[*?[]/.test(from.text) });
    },
    examples: [["rename s/a/b/ one two", "writes one", "writes two"], ["rename -n s/a/b/ one"]],
  },
});

const DELETES = { does: [{ when: hasOperands, roles: ["delete"] }], deletes: operands } as const satisfies Act;

/** Patterns that the shell does not expand are matched by the program itself. */
function deletesPatterns(call: Call): void {
  plays(call, "delete");
  for (const path of call.operands)
    deletes(call, { ...path, isGlob: /[*?]/.test(path.text) }, { isTree: true, isForced: true });
}

/** The size that is copied: `10G` for `bs=1G count=10`. */
function total(size: Word | undefined, count: Word | undefined): string {
  const [, one = "512", unit = ""] = /^bs=(\d+)(\w*)$/.exec(size?.text ?? "") ?? [];
  const [, times = "0", each = ""] = /^count=(\d+)(\w*)$/.exec(count?.text ?? "") ?? [];
  return `${Number(one) * Number(times)}${unit === "" ? each : unit}`;
}

/** A path that something is put at. */
interface Put {
  readonly path: Word;
  readonly source: Word;
  readonly landsIn: boolean;
}

/** Programs that copy a folder with its content without an option for it. */
const COPIES_FOLDERS: ReadonlySet<string> = new Set(["ditto", "ncp", "cpr"]);

/**
 * What is transferred, and where it is put. Several sources, or a target with a slash at its end, mean a folder; whether
 * a single target is a folder depends on the disk, unless `-T` says that it is not.
 */
function transfer(call: Call): { readonly from: readonly Word[]; readonly to: readonly Put[] } {
  const folder = value(call, "target-directory");
  const { operands } = call;
  const from = folder === undefined && operands.length > 1 ? operands.slice(0, -1) : operands;
  const target = folder ?? (operands.length > 1 ? operands.at(-1) : undefined);
  if (target === undefined) return { from, to: [] };
  const isExact = has(call, "no-target-directory") || COPIES_FOLDERS.has(call.report.program);
  const isNamedFolder = folder !== undefined || from.length > 1 || /(?:^|\/)\.{0,2}$/.test(target.text);
  const isFolder = isNamedFolder && !isExact;
  const mayLand = !isFolder && !isExact;
  return {
    from,
    to: from.map((source) => ({
      path: has(call, "parents")
        ? { ...inside(target, source), text: `${withoutLastSlash(target.text)}/${source.text}` }
        : isFolder
          ? inside(target, source)
          : target,
      source,
      // Of `a/.`, only the content is copied.
      landsIn: mayLand && !/(?:^|\/)\.{1,2}\/*$/.test(source.text),
    })),
  };
}

/** The path of a source after it was put into a folder. */
export function inside(folder: Word, source: Word): Word {
  return {
    text: `${withoutLastSlash(folder.text)}/${nameOf(source.text)}`,
    isKnown: folder.isKnown && source.isKnown,
    isGlob: folder.isGlob || source.isGlob,
  };
}

const UNPACKS = { by: "unpack" } as const;
