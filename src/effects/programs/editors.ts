import { GAP, type Word } from "../parse/command.ts";
import { fieldOf } from "../parse/value.ts";
import { type Call, has, known, plays, reads, value, values, writes } from "./call.ts";
import { tellPatch } from "./patch-text.ts";
import type { Inner, Language, Programs } from "./program.ts";
import { optionsAsLines } from "./runs.ts";
import { servesFolder } from "./servers.ts";

/** Programs that change what is in files. */
export const EDITORS = (): Programs => ({
  sed: {
    prints: "edited",
    is: { "prints-files": true, "passes-text-on": true, "edits-in-place": true },
    options:
      "expression|e= file|f= in-place|i? quiet|n|silent regexp-extended|r|E separate|s null-data|z line-length|l= posix debug sandbox unbuffered|u",
    interpreter: { language: "sed", code: ["expression"], file: "file" },
    runs: (run) => {
      const { name, operands } = run;
      const texts = values(run, "expression");
      const files = values(run, "file").map((path): Inner => ({ runs: "file", path, language: "sed", via: name }));
      const at = has(run, "in-place") && isSuffix(operands[0]) ? 1 : 0;
      const codes = texts.length > 0 || files.length > 0 ? texts : operands.slice(at, at + 1);
      return [...files, ...codes.map((text) => asCode(name, "sed", text))];
    },
    does: (call) => {
      const isScripted = has(call, "expression", "file");
      const operands = has(call, "in-place") && isSuffix(call.operands[0]) ? call.operands.slice(1) : call.operands;
      const scripts = isScripted ? values(call, "expression") : operands.slice(0, 1);
      const paths = isScripted ? operands : operands.slice(1);
      for (const path of values(call, "file")) {
        reads(call, path);
        if (FROM_INPUT.test(path.text)) call.told.input = "run";
      }
      changesInPlace(call, paths, has(call, "in-place"));
      if (has(call, "in-place") && scripts.some(({ text }) => /^\s*(?:1,\$)?(?:d|s(.)\.\*\1\1g?)\s*$/.test(text)))
        plays(call, "overwrite");
      if (scripts.some(({ text }) => /(?:^|[;\s])e(?:\s|$)|\/[gIip\d]*e[gIip\d]*$/.test(text))) plays(call, "run-code");
    },
    examples: [
      ["sed -n 1,5p a", "reads a"],
      ["sed -i s/a/b/ x y", "reads x", "writes x", "reads y", "writes y"],
      ["sed -i.bak -e s/a/b/ x", "reads x", "writes x"],
      ["sed -i '' s/a/b/ x", "reads x", "writes x"],
      ["sed -i .bak s/a/b/ x", "reads x", "writes x"],
      ["sed --in-pl s/a/b/ x", "reads x", "writes x"],
      ["sed -ne p x", "reads x"],
      ["sed -i d x", "overwrite", "reads x", "writes x"],
      ["sed 's/a/b/w out' x", "reads x", "writes out"],
      ["echo a | sed '1e rm x'", "runs rm x"],
      ["echo 'rm x' | sed 's/a/b/;s/.*/&/e'", "runs rm x"],
      ["sed -n 'w x' a", "runs > x"],
      ["sed -e '1e rm x' a", "runs rm x"],
      ["sed -i '' '1e rm x' a", "runs rm x"],
      ["sed -i .old '1e rm x' a", "runs rm x"],
    ],
  },
  "perl raku": {
    is: { "runs-code": true, "edits-in-place": "perl" },
    options: "e|E= i? I= M= m= n p w a l 0 F? C? x? s S t T u U version|v V W X c",
    style: "first",
    interpreter: { language: "perl", code: ["e"], endings: "pl" },
    does: tellLines,
    examples: [
      ["perl -pi -e s/a/b/ x", "reads x", "writes x"],
      ["perl -i.bak -pe s/a/b/ x", "reads x", "writes x"],
      ["perl -0pi -e s/a/b/ x", "reads x", "writes x"],
      ["perl -ne print x", "reads x"],
      ["perl -i -ne 1 x", "overwrite", "reads x", "writes x"],
      ["perl -i -ne 'print if /a/' x", "reads x", "writes x"],
      ["perl -pi -e '$_=\"\"' x", "overwrite", "reads x", "writes x"],
      [`perl -e 'system("rm x")'`, "runs rm x"],
      [`perl -e 'unlink "x"'`, "runs rm -f x"],
      [`perl -e 'unlink glob "x/*"'`, "runs rm -f x/*"],
      ["perl -e 'unlink <x/*>'", "runs rm -f x/*"],
      ["perl -e '`rm x`'", "runs rm x"],
      [`perl -e 'exec "rm", "x"'`, "runs rm x"],
      [`perl -MFile::Path -e 'remove_tree("x")'`, "runs rm -rf x"],
      ["find x -type f | perl -lne unlink", "runs rm -f x/**"],
      ["ls x | perl -pe 's/^/rm /' | sh", "runs rm x/*"],
    ],
  },
  "ruby jruby irb": {
    is: { "runs-code": true },
    options: "e= i? I= r= C= E= F? K? n p w a l s S x? 0 T? U W? c v version V verbose help|h y",
    style: "first",
    interpreter: { language: "ruby", code: ["e"], endings: "rb" },
    does: (call) => {
      tellLines(call);
      // `-run` loads a library of small programs; `httpd` is one of them.
      if (values(call, "r").some(({ text }) => text === "un") && value(call, "e")?.text.trim() === "httpd")
        servesFolder(call, call.operands[0]);
    },
    examples: [
      ["ruby -pi -e 1 x", "reads x", "writes x"],
      ["ruby -run -e httpd / -p 80", "expose"],
      ["ruby -run -ehttpd . -p9000"],
      [`ruby -e 'system("rm x")'`, "runs rm x"],
      [`ruby -rfileutils -e 'FileUtils.rm_rf("x")'`, "runs rm -rf x"],
      [`ruby -e 'File.delete("x")'`, "runs rm -f x"],
      [`ruby -e 'Dir.glob("x/*").each { |f| FileUtils.rm_rf(f) }'`, "runs rm -rf x/*"],
      [`ruby -e 'puts File.read("x")'`, "runs < x"],
      ["ruby -e '`rm x`'", "runs rm x"],
      ["ruby -e '%x(rm x)'", "runs rm x"],
      ["find x -type f | ruby -ne 'File.delete($_.chomp)'", "runs rm -f x/**"],
    ],
  },
  "awk gawk mawk nawk": {
    prints: "code",
    is: { "prints-files": true, "passes-text-on": true },
    options: "file|f= field-separator|F= assign|v= include|i= exec|E= source|e= load|l= sandbox|S",
    interpreter: { language: "awk", code: ["source"], file: "file", endings: "awk" },
    runs: (run) => {
      const { name } = run;
      const set = values(run, "assign").map(({ text }) =>
        text.replace(/^(\w+)=([\s\S]*)$/, (_, variable, given) => `${variable} = ${JSON.stringify(given)}\n`),
      );
      const files = values(run, "file", "exec").map(
        (path): Inner => ({ runs: "file", path, language: "awk", via: name }),
      );
      const sources = values(run, "source");
      const texts = sources.length > 0 || files.length > 0 ? sources : run.operands.slice(0, 1);
      return [...files, ...texts.map((text) => asCode(name, "awk", { ...text, text: set.join("") + text.text }))];
    },
    does: (call) => {
      const paths = (has(call, "file", "source", "exec") ? call.operands : call.operands.slice(1)).filter(
        ({ text }) => !/^\w+=/.test(text),
      );
      for (const path of values(call, "file", "exec"))
        if (FROM_INPUT.test(path.text)) call.told.input = "run";
        else reads(call, path);
      changesInPlace(
        call,
        paths,
        values(call, "include").some(({ text }) => /^inplace/.test(text)),
      );
    },
    examples: [
      ["awk -F: '{print $1}' /etc/passwd", "reads /etc/passwd"],
      ["gawk -i inplace 1 x", "reads x", "writes x"],
      [`awk 'BEGIN{system("rm x")}'`, "runs rm x"],
      [`mawk 'BEGIN{"rm x" | getline}'`, "runs rm x"],
      [`gawk 'BEGIN{print 1 | "rm x"}'`, "runs rm x"],
      [`nawk 'BEGIN{print 1 > "x"}'`, "runs > x"],
      [`awk -v c='rm x' 'BEGIN{system(c)}'`, "runs rm x"],
      [`ls x | awk '{system("rm " $0)}'`, "runs rm x/*"],
      [`ls x | awk '{c = "rm " $1; system(c)}'`, "runs rm x/*"],
      [`ls x | awk '{print "rm " $0 | "sh"}'`, "runs rm x/*"],
      [`ls x | awk '{printf "rm %s\\n", $0}' | sh`, "runs rm x/*"],
    ],
  },
  "vi vim nvim ex view": {
    is: { "prints-files": "view" },
    code: "small",
    options: "command|c= cmd= S= u= U= i= T= w= W= s e E n R b d g r o? O? p? es y Z version h",
    does: tellEdited,
    runs: (run) => {
      const { name, args, stdin } = run;
      // In ex mode, `-s` is for silence and takes no file.
      const isEx = !/^n?vim$/.test(name) || args.some(({ text }) => /^-\w*[eE]/.test(text));
      const lines = [
        ...values(run, "command", "cmd"),
        ...run.operands
          .filter(({ text }) => text.startsWith("+"))
          .map((word) => ({ ...word, text: word.text.slice(1) })),
      ];
      const typed =
        isEx && name !== "vim" && stdin.text !== "" ? stdin.text.slice(stdin.at).split("\n").map(fieldOf) : [];
      const scripts = values(run, "S").map((path): Inner => ({ runs: "doubt", why: "unread script", what: path.text }));
      return [...[...lines, ...typed].flatMap(({ text }) => fromLine(text, name)), ...scripts];
    },
    examples: [
      ["vim -c wq x", "reads x", "writes x"],
      ["vim -es -c %d -c wq x", "overwrite", "reads x", "writes x"],
      ["ex -sc '%d|x' a", "overwrite", "reads a", "writes a"],
      ["view a", "reads a"],
      ["vim -c '!rm x' -c q", "runs rm x"],
      ["vim '+!rm x' a", "runs rm x"],
      ["nvim -c ':silent !rm x'", "runs rm x"],
      ["ex -sc '!rm x' -cq", "runs rm x"],
      ["vim -es -c '!rm x' -c q", "runs rm x"],
      ["vim -c 'lua os.execute(\"rm x\")'", "runs rm x"],
      ["vi -c 'perl system(\"rm x\")'", "runs rm x"],
      ["vim -c 'call system(\"rm x\")'", "runs rm x"],
      ["echo '!rm x' | ex -s", "runs rm x"],
      ["view -c '!rm x'", "runs rm x"],
    ],
  },
  ed: {
    code: "small",
    options: "p= s G E r l v",
    does: tellEdited,
    runs: ({ name, stdin }) => stdin.text.split("\n").flatMap((line) => fromLine(line, name)),
    examples: [
      ["ed -s x", "reads x", "writes x"],
      ["printf ',d\\nw\\n' | ed -s a", "overwrite", "reads a", "writes a"],
      ["echo '!rm x' | ed -s", "runs rm x"],
    ],
  },
  emacs: {
    code: "small",
    options: "eval|execute= load|l= funcall|f= directory|L= batch quick|Q no-window-system|nw script= insert= u=",
    style: "whole",
    does: tellEdited,
    runs: (run) =>
      values(run, "eval").flatMap(({ text }): Inner[] =>
        [...text.matchAll(/\(([a-z-]+)((?:\s+(?:"(?:[^"\\]|\\.)*"|[\w-]+))+)\s*\)/g)].flatMap(
          ([, called = "", rest = ""]) => lispCall(called, rest, run.name),
        ),
      ),
    examples: [
      ["emacs a", "reads a", "writes a"],
      ["emacs --batch --eval '(shell-command \"rm x\")'", "runs rm x"],
      ["emacs --batch --eval '(delete-directory \"x\" t)'", "runs rm -rf x"],
      ['emacs --batch --eval \'(call-process "rm" nil nil nil "x")\'', "runs rm x"],
    ],
  },
  "nano pico micro helix hx kak joe code codium subl": {
    code: "small",
    options: "c= s e E n R b u= S= d g r w= o p= es install-extension= force",
    does: (call) => {
      const [verb = ""] = call.operands.map(({ text }) => text);
      const isEditor = /^(?:code|codium|cursor|windsurf)/.test(call.told.program);
      const added = values(call, "install-extension");
      if (isEditor && /^(?:tunnel|serve-web)$/.test(verb)) return plays(call, "expose");
      if (added.length === 0) return tellEdited(call);
      plays(call, "package-install");
      if (added.some(({ text }) => /\.vsix$|^https?:/.test(text))) plays(call, "foreign-source");
    },
    examples: [
      ["nano a", "reads a", "writes a"],
      ["code tunnel", "expose"],
      ["code --install-extension a.b", "package-install"],
    ],
  },
  patch: {
    by: "patch",
    options:
      "strip|p= input|i= directory|d= output|o= dry-run reverse|R force|f batch|t forward|N reject-file|r= backup|b verbose posix quiet|s|silent unified|u",
    does: (call) => {
      const input = value(call, "input") ?? call.operands[1];
      const target = value(call, "output") ?? call.operands[0];
      if (has(call, "dry-run") || target !== undefined) reads(call, input);
      if (has(call, "dry-run")) return;
      if (target !== undefined) return writes(call, target);
      const strip = value(call, "strip");
      const meant = strip === undefined ? "name" : Number(strip.text);
      tellPatch(call, { files: [input], strip: meant, folder: value(call, "directory") });
    },
    examples: [
      ["patch a a.diff", "reads a.diff", "writes a"],
      ["patch -p1 -i a.diff", "reads a.diff", "writes . tree", "unknown: patch -p1 -i a.diff"],
      ["patch -p1 <<'E'\n--- a/x\n+++ b/x\n@@ -1 +1 @@\n-a\n+b\nE", "writes x"],
    ],
  },
  "split csplit": {
    runs: optionsAsLines("filter"),
    options:
      "lines|l= bytes|b= line-bytes|C= number|n= suffix-length|a= numeric-suffixes|d? additional-suffix= filter= prefix|f= digits= k z q s",
    does: (call) => {
      reads(call, call.operands[0]);
      writes(call, call.told.program === "csplit" ? (value(call, "prefix") ?? known("xx")) : call.operands[1]);
      if (has(call, "filter")) plays(call, "run-code");
    },
    examples: [
      ["split -l 100 a out-", "reads a", "writes out-"],
      ["split --filter='rm x' a", "runs rm x"],
    ],
  },
  "prettier eslint biome ruff black gofmt rustfmt clang-format isort autopep8 shfmt dprint stylua": {
    options: "write|w fix in-place|i l d config= c= check diff edition=",
    does: (call) => {
      const isWriting =
        has(call, "write", "fix", "in-place") ||
        (!has(call, "check", "diff") &&
          (/^(?:black|isort|rustfmt|stylua)$/.test(call.told.program) ||
            /^(?:ruff format|dprint fmt)$/.test(`${call.told.program} ${call.operands[0]?.text}`)));
      const named = call.operands.filter(({ text }) => !/^(?:check|format|fmt|lint)$/.test(text));
      const paths = named.length === 0 && isWriting ? [known(".")] : named;
      for (const path of paths) {
        reads(call, path, { isTree: true });
        if (isWriting) writes(call, path, { isTree: true });
      }
    },
    examples: [
      ["prettier --write src", "reads src tree", "writes src tree"],
      ["prettier --check src", "reads src tree"],
      ["rustfmt a.rs", "reads a.rs tree", "writes a.rs tree"],
      ["ruff format src", "reads src tree", "writes src tree"],
      ["ruff format --check src", "reads src tree"],
      ["dprint fmt", "reads . tree", "writes . tree"],
    ],
  },
  "dos2unix unix2dos sponge-file exiftool strip": {
    options: "n k q o= s",
    does: (call) => changesInPlace(call, call.operands, true),
    examples: [["dos2unix a", "reads a", "writes a"]],
  },
});

/** The sed of BSD takes the suffix of `-i` as a word of its own, often an empty one. */
function isSuffix(word: Word | undefined): boolean {
  return /^(?:\.\w+|)$/.test(word?.text ?? "s");
}

function asCode(via: string, language: Language, text: Word): Inner {
  return { runs: "code", language, text: { ...text, isGlob: false }, via };
}

/** Perl and Ruby go through files line by line, and change them where they are asked to. */
function tellLines(call: Call): void {
  const code = values(call, "e");
  const paths = has(call, "e") ? call.operands : call.operands.slice(1);
  if (has(call, "i", "n", "p")) changesInPlace(call, paths, has(call, "i"));
  const isCleared = code.some(({ text }) => /^\s*(?:\$_\s*=\s*(?:""|''|undef)|undef\s+\$_)\s*;?\s*$/.test(text));
  // Lines are read, and none is printed.
  const isDropped = has(call, "n") && code.every(({ text }) => !/print|say|puts|put|write|GAP/.test(text));
  if (has(call, "i") && (isCleared || isDropped)) plays(call, "overwrite");
  if (code.some(({ text }) => text.includes(GAP))) call.told.input = "run";
  if (!has(call, "e", "version", "v", "V")) runs(call);
}

/** An editor reads and writes the files that it is given. */
function tellEdited(call: Call): void {
  for (const path of call.operands) {
    if (path.text.startsWith("+")) continue;
    reads(call, path);
    if (!has(call, "R") && call.told.program !== "view") writes(call, path);
  }
  const lines = values(call, "command", "c").map(({ text }) => text);
  const typed = [...lines, ...call.told.piped.split("\n")];
  if (typed.some((text) => EMPTIES.test(text)) && typed.some((text) => KEEPS.test(text))) plays(call, "overwrite");
  if (lines.some((text) => /!|system\(|:?py|:?lua/.test(text))) plays(call, "run-code");
}

/** Code that comes by a pipe: from the standard input, or from `<(…)`. */
const FROM_INPUT = /^(?:-$|\/dev\/(?:stdin$|fd\/))/;

/** Lines for an editor that take every line away, and that keep the file so. */
const EMPTIES = /^[\s:]*(?:%|,|1,\$)d(?:elete)?\s*(?:$|[|\\])/;
const KEEPS = /(?:^|[|:\s]|\\n)(?:w|wq|x|wqa|wa|xa|update|up|ZZ)!?\s*(?:$|[|\\])/;

function changesInPlace(call: Call, paths: readonly Parameters<typeof reads>[1][], isWritten: boolean): void {
  for (const path of paths) {
    reads(call, path);
    if (isWritten) writes(call, path);
  }
}

/** Code comes from the first operand, or from the standard input. */
function runs(call: Call): void {
  const script = call.operands[0];
  if (script === undefined || script.text === "-" || /^\/dev\/(?:stdin$|fd\/)/.test(script.text))
    call.told.input = "run";
  else {
    reads(call, script);
    call.told.scripts.push(script);
  }
}

function fromLine(line: string, via: string): Inner[] {
  return line.split("|").flatMap((piece): Inner[] => {
    const [, code] =
      /^[\s:]*(?:sil(?:ent)?!?\s+|exe(?:cute)?\s+['"])*(?:[%.$\d,]*|r(?:ead)?\s*|w(?:rite)?\s+)!\s*([\s\S]+?)['"]?$/.exec(
        line === piece ? piece : line,
      ) ?? [];
    if (code !== undefined) return [{ runs: "shell", text: fieldOf(code), via }];
    const [, , called] =
      /\b(?:system|systemlist|term_start|job_start|jobstart)\s*\(\s*(['"])([\s\S]*?)\1/.exec(piece) ?? [];
    if (called !== undefined) return [{ runs: "shell", text: fieldOf(called), via }];
    const [, folder] = /\bdelete\s*\(\s*(?:["']([^"']+)["']|\$HOME)\s*,\s*["']rf["']/.exec(piece) ?? ["", undefined];
    if (/\bdelete\s*\([^)]*,\s*["']rf["']/.test(piece))
      return [{ runs: "words", words: [fieldOf("rm"), fieldOf("-rf"), fieldOf(folder ?? "~")], via }];
    const [, word = "", inside] =
      /^[\s:]*(py(?:thon)?3?x?|lua|luado|perl|ruby|mzscheme)\s+([\s\S]+)$/.exec(piece) ?? [];
    const language = LANGUAGES.find((one) => word.startsWith(one.slice(0, 2)));
    if (inside !== undefined && language !== undefined) return [{ runs: "code", language, text: fieldOf(inside), via }];
    const [, shown] = /^[\s:]*(?:\d*r(?:ead)?|e(?:dit)?|tabe(?:dit)?|sp(?:lit)?)!?\s+([^!\s]\S*)/.exec(piece) ?? [];
    if (shown !== undefined) return [{ runs: "write", path: fieldOf(shown), way: "read", via }];
    const [, written] = /^[\s:]*(?:w(?:rite)?|sav(?:eas)?)!?\s+([^!\s]\S*)/.exec(piece) ?? [];
    return written === undefined ? [] : [{ runs: "write", path: fieldOf(written), way: "write", via }];
  });
}

/** Languages that the editor can be told in. */
const LANGUAGES = ["python", "lua", "perl", "ruby"] as const;

function lispCall(called: string, rest: string, via: string): Inner[] {
  const texts = [...rest.matchAll(/"((?:[^"\\]|\\.)*)"/g)].map(([, text = ""]) => text.replaceAll(/\\(.)/g, "$1"));
  const [first] = texts;
  if (first === undefined) return [];
  if (/^(?:async-)?shell-command/.test(called)) return [{ runs: "shell", text: fieldOf(first), via }];
  if (/^delete-(?:directory|file)/.test(called))
    return [{ runs: "words", words: [fieldOf("rm"), fieldOf("-rf"), fieldOf(first)], via, isProgram: true }];
  if (/^(?:call|start)-process/.test(called))
    return [
      { runs: "words", words: texts.slice(called.startsWith("start") ? 2 : 0).map(fieldOf), via, isProgram: true },
    ];
  return [];
}
