import type { Word } from "../parse/command.ts";
import { operand, operandsFrom, option, type Select } from "./act.ts";
import { type Call, deletes, has, known, pieceOf, plays, reads, reveals, value, values, writes } from "./call.ts";
import { LOADING, loadedBy } from "./loaded-code.ts";
import { type Options, readOptions } from "./options.ts";
import type { Programs } from "./program.ts";

const TAR =
  "create|c extract|x|get list|t append|r update|u delete concatenate|A file|f= directory|C= gzip|z bzip2|j xz|J zstd verbose|v exclude= exclude-from|X= files-from|T= to-command= checkpoint? checkpoint-action= use-compress-program|I= to-stdout|O remove-files strip-components= transform|xform= owner= group= mode= overwrite same-permissions|p keep-old-files|k auto-compress|a absolute-names|P rsh-command= rmt-command= info-script|F= new-volume-script=";

/** Programs that pack and unpack. */
export const ARCHIVES = (): Programs => ({
  "tar bsdtar": {
    is: { "hook-options": true },
    options: TAR,
    does: (call) => tar({ ...call, ...bundled(call, call.command.args) }),
    runs: (run) => loadedBy(LOADING.tar, bundled(run, run.args), run),
    examples: [
      ["tar czf out.tgz src", "reads src tree", "writes out.tgz"],
      ["tar -xzf a.tgz -C dir", "reads a.tgz", "writes dir tree"],
      ["tar xf a.tar", "reads a.tar", "writes . tree"],
      ["tar xPf a.tar --xform s@.*@/srv/b@", "reads a.tar", "writes /srv/b", "writes . tree"],
      ["tar tf a.tar", "reads a.tar"],
      ["tar -cf a.tar src --remove-files", "delete", "reads src tree", "writes a.tar", "deletes src tree"],
      ["tar xf a.tar --to-command=sh", "run-code", "reads a.tar", "writes . tree", "typed-code"],
      ["tar cf a b --checkpoint=1 --checkpoint-action=exec='rm x'", "runs rm x"],
      ["tar xf a --to-command='rm x'", "runs rm x"],
      ["tar -I 'rm x' -xf a", "runs rm x"],
      ["TAR_OPTIONS=\"--to-command='rm x'\" tar xf a", "runs rm x"],
      ["bsdtar cf a b --use-compress-program='rm x'", "runs rm x"],
    ],
  },
  zip: {
    is: { "hook-options": true },
    options: "r recurse-paths q 9 x= i= m move j e password|P= b= n= t= u d T unzip-command=",
    runs: (run) =>
      [...values(run, "unzip-command"), ...run.args.filter((_, at, all) => all[at - 1]?.text === "-TT")].map(
        (text) => ({ runs: "shell", text, via: `${run.name} -TT` }),
      ),
    reads: operandsFrom(1),
    tree: "r recurse-paths",
    does: [{ writes: operand(0) }, { when: "m move", roles: ["delete"], deletes: operandsFrom(1), tree: true }],
    examples: [
      ["zip -r a.zip src", "reads src tree", "writes a.zip"],
      ["zip a.zip b -T -TT 'rm x'", "runs rm x"],
      ["zip a.zip b -T --unzip-command='rm x'", "runs rm x"],
    ],
  },
  "unzip unar": {
    options: "d= o n q l p P= t j x= f",
    reads: operand(0),
    does: [
      { when: "p", gives: "text" },
      { unless: "l p t", writes: option("d", "."), tree: true, forced: "o f", by: "unpack", source: operand(0) },
    ],
    examples: [
      ["unzip -o a.zip -d dir", "reads a.zip", "writes dir tree forced"],
      ["unzip -l a.zip", "reads a.zip"],
    ],
  },
  "7z 7za 7zz unrar rar": {
    options: "o= p= t= m= x= i= v= y r sdel",
    does: (call) => {
      const [verb, archive, ...paths] = call.operands;
      const isPacking = /^[aud]$/.test(verb?.text ?? "");
      for (const path of isPacking ? paths : [archive]) reads(call, path, { isTree: isPacking });
      if (isPacking) writes(call, archive);
      if (isPacking && call.command.args.some(({ text }) => /^-(?:sdel|df)$/.test(text))) {
        plays(call, "delete");
        for (const path of paths) deletes(call, path, { isTree: true });
      } else if (/^[ex]$/.test(verb?.text ?? ""))
        writes(call, folderOf7z(call) ?? known("."), { isTree: true, by: "unpack", source: archive });
    },
    examples: [
      ["7z x -aoa b.7z", "reads b.7z", "writes . tree"],
      ["7z a b.7z src", "reads src tree", "writes b.7z"],
      ["7z a b.7z src -sdel", "delete", "reads src tree", "writes b.7z", "deletes src tree"],
      ["7z x b.7z", "reads b.7z", "writes . tree"],
      ["7z x b.7z -oout", "reads b.7z", "writes out tree"],
      ["7z l b.7z", "reads b.7z"],
    ],
  },
  "gzip gunzip bzip2 bunzip2 xz unxz zstd unzstd lz4 compress uncompress brotli pigz": {
    prints: {
      gzip: "packed",
      bzip2: "packed",
      xz: "packed",
      zstd: "packed",
      gunzip: "unpacked",
      bunzip2: "unpacked",
      unxz: "unpacked",
    },
    is: { "hands-all-on": "gzip xz bzip2 zstd" },
    options:
      "decompress|d|uncompress stdout|c|to-stdout keep|k force|f recursive|r test|t list|l suffix|S= output|o= quiet|q verbose|v rm threads|T=",
    does: (call) => {
      if (has(call, "decompress") || /^un|^gun|^bun/.test(call.report.program)) call.report.gives = "text";
      for (const path of call.operands) {
        reads(call, path);
        if (has(call, "stdout", "test", "list")) continue;
        // Most programs remove the file that they pack or unpack.
        if (!has(call, "keep", "output") && (has(call, "rm") || !LEAVES_INPUT.test(call.report.program)))
          deletes(call, path, { by: "move" });
        const isPacked = /\.(?:gz|bz2|xz|zst|lz4|Z|br|tgz)$/.test(path.text);
        const packed = `${path.text}${SUFFIX[call.report.program] ?? ".gz"}`;
        writes(call, value(call, "output") ?? { ...path, text: isPacked ? path.text.replace(/\.\w+$/, "") : packed });
      }
    },
    examples: [
      ["gzip a", "reads a", "deletes a", "writes a.gz"],
      ["gzip -k a", "reads a", "writes a.gz"],
      ["gunzip -c a.gz", "reads a.gz"],
      ["xz -d a.xz", "reads a.xz", "deletes a.xz", "writes a"],
      ["zstd a", "reads a", "writes a.zst"],
    ],
  },
  cpio: {
    options: "extract|i create|o pass-through|p file|F= directory|D= make-directories|d unconditional|u",
    does: [
      {
        when: "extract",
        writes: option("directory", "."),
        tree: true,
        by: "unpack",
        source: option("file"),
        does: [{ reads: option("file") }],
      },
      { when: "pass-through", writes: operand(0), tree: true, by: "unpack" },
      { when: "create", writes: option("file") },
      { when: "create pass-through", reads: pipedLines },
    ],
    examples: [
      ["cpio -idm", "writes . tree"],
      ["echo a | cpio -o", "reads a"],
    ],
  },
  jar: {
    options: "extract|x create|c list|t update|u file|f= dir|C= verbose|v",
    does: (call) => {
      const [letters, ...rest] = call.operands;
      const isOld = letters !== undefined && /^[cxtuvfm0eiM]+$/.test(letters.text) && !has(call, "extract", "list");
      const isUnpacking = has(call, "extract") || (isOld && letters.text.includes("x"));
      const source = value(call, "file") ?? (isOld ? rest[0] : letters);
      if (isUnpacking || has(call, "list") || (isOld && letters.text.includes("t"))) reads(call, source);
      else writes(call, source);
      if (isUnpacking) writes(call, value(call, "dir") ?? known("."), { isTree: true, by: "unpack", source });
    },
    examples: [
      ["jar xf a.jar", "reads a.jar", "writes . tree"],
      ["jar tf a.jar", "reads a.jar"],
      ["jar --extract --file a.jar", "reads a.jar", "writes . tree"],
    ],
  },
  "aunpack dtrx atool patool cabextract lha unsquashfs dpkg-deb ar pax stow chezmoi unison bindfs degit tiged giget cookiecutter":
    {
      options: "extract|x dest|d= o= C= t= q v f k",
      does: (call) => {
        // Its verb for password managers.
        if (call.report.program === "chezmoi" && /^secret$/.test(call.operands[0]?.text ?? "")) reveals(call);
        if (!isUnpackingRun(call)) return;
        const named = value(call, "dest") ?? value(call, "o") ?? value(call, "C") ?? value(call, "t");
        const last =
          call.operands.length > 1 && NAMES_FOLDER.test(call.report.program) ? call.operands.at(-1) : undefined;
        writes(call, last ?? named ?? known("."), { isTree: true, by: "unpack" });
      },
      examples: [
        ["dtrx a.zip", "writes . tree"],
        ["dpkg-deb -x a.deb dir", "writes dir tree"],
        ["degit a/b dir", "writes dir tree"],
        ["chezmoi secret keyring get --service=x --user=y", "reveal"],
        ["chezmoi status"],
        ["dpkg-deb -c a.deb"],
        ["ar t a.a"],
      ],
    },
});

/** The last operand of these is the folder. */
const NAMES_FOLDER = /^(?:dpkg-deb|dpkg|pax|degit|tiged|giget|bindfs|unison)$/;

/** Some of these programs do other things as well, by their first argument. */
function isUnpackingRun({ report: { program }, command: { args } }: Call): boolean {
  const [first = ""] = args.map(({ text }) => text);
  if (/^dpkg/.test(program)) return /^-[xX]$|^--(?:v?extract)$/.test(first);
  if (program === "ar" || program === "lha") return /^-?x/.test(first);
  if (program === "pax") return /^-\w*r/.test(first);
  if (program === "patool") return first === "extract";
  if (program === "chezmoi") return /^(?:apply|init|update)$/.test(first);
  return args.length > 0 && !/^-(?:l|h|V|-list|-help|-version)$/.test(first);
}

const SUFFIX: Readonly<Record<string, string>> = {
  bzip2: ".bz2",
  xz: ".xz",
  zstd: ".zst",
  lz4: ".lz4",
  compress: ".Z",
  brotli: ".br",
};

/** Programs that keep the file that they pack or unpack. */
const LEAVES_INPUT = /^(?:un)?zstd$|^lz4$|^brotli$/;

/** `tar xzf a.tgz`: the letters of the first argument need no dash, and take their values in order. */
function bundled(given: Options, args: readonly Word[]): Options {
  const [first, ...rest] = args;
  if (first === undefined || !/^[a-zA-Z]+$/.test(first.text)) return given;
  const values: Word[] = [];
  const plain: Word[] = [];
  for (const letter of first.text) {
    plain.push({ ...first, text: `-${letter}` });
    const value = "fCTXIF".includes(letter) ? rest.shift() : undefined;
    if (value !== undefined) plain.push(value);
  }
  return readOptions([...plain, ...values, ...rest], TAR);
}

function tar(call: Call): void {
  const file = value(call, "file");
  const folder = value(call, "directory");
  if (has(call, ...Object.keys(LOADING.tar.holds))) plays(call, "run-code");
  if (has(call, "extract")) {
    reads(call, file);
    if (has(call, "to-stdout")) call.report.gives = "text";
    // A name is replaced by a path in another folder: `-P --transform s@.*@/etc/x@`.
    const [, , replaced] = /^(.)[^\n]*?\1(\/[^\n]*?)\1/.exec(value(call, "transform")?.text.slice(1) ?? "") ?? [];
    if (replaced !== undefined && has(call, "absolute-names")) writes(call, known(replaced), { by: "unpack" });
    if (!has(call, "to-stdout"))
      writes(call, folder ?? known("."), {
        isTree: true,
        by: "unpack",
        source: file,
        stripped: Number(value(call, "strip-components")?.text ?? 0),
      });
  } else if (has(call, "create", "append", "update")) {
    for (const path of [...call.operands, ...values(call, "files-from")])
      reads(call, folder === undefined ? path : { ...path, text: `${folder.text}/${path.text}` }, { isTree: true });
    writes(call, file);
  } else reads(call, file);
  if (!has(call, "remove-files")) return;
  plays(call, "delete");
  for (const path of call.operands) deletes(call, path, { isTree: true });
}

/** `-oout`: the letters are a value, not several options. */
function folderOf7z({ command }: Call): Word | undefined {
  const stated = command.args.find(({ text }) => /^-o./.test(text));
  return stated && pieceOf(stated, stated.text.slice(2));
}

/** The names of files from a pipe, one on each line. */
const pipedLines: Select = ({ report: { piped } }) => piped.split("\n", MAX_NAMES).filter(Boolean).map(known);

const MAX_NAMES = 1000;
