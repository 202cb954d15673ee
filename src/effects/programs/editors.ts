import { GAP, type Word } from "../parse/command.ts";
import { lastValueIs, operand, option, valueIs } from "./act.ts";
import { type Call, has, known, plays, reads, value, values, writes } from "./call.ts";
import { LOADING } from "./loaded-code.ts";
import { tellPatch } from "./patch-text.ts";
import type { Inner, Language, Programs } from "./program.ts";
import { optionsAsLines } from "./runs.ts";
import { servesMuch } from "./servers.ts";

/** Programs that change the content of files. */
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
        if (FROM_INPUT.test(path.text)) call.report.input = "run";
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
    interpreter: { language: "perl", code: ["e"], endings: "pl pm" },
    loads: LOADING.perl,
    does: tellLines,
    examples: [
      ["perl -0pi -e 's/.*//s' x", "overwrite", "reads x", "writes x"],
      ["perl -pi -e 's/a.*//' x", "reads x", "writes x"],
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
      [`echo 'unlink "x"' > A.pm; perl -I. -MA -e 1`, "runs rm -f x"],
      ["ls x | perl -pe 's/^/rm /' | sh", "runs rm x/*"],
    ],
  },
  "ruby jruby irb": {
    is: { "runs-code": true },
    options: "e= i? I= r= C= E= F? K? n p w a l s S x? 0 T? U W? c v version V verbose help|h y",
    style: "first",
    interpreter: { language: "ruby", code: ["e"], endings: "rb" },
    loads: LOADING.ruby,
    does: [
      tellLines,
      // `-run` loads a library of small programs; `httpd` is one of them.
      { when: [valueIs("r", /^un$/), lastValueIs("e", /^\s*httpd\s*$/), servesMuch(operand(0))], roles: ["expose"] },
    ],
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
    loads: LOADING.awk,
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
        if (FROM_INPUT.test(path.text)) call.report.input = "run";
        else reads(call, path);
      const isWritten = values(call, "include").some(({ text }) => /^inplace/.test(text));
      changesInPlace(call, paths, isWritten);
      const codes = has(call, "source")
        ? values(call, "source")
        : call.operands.slice(0, has(call, "file", "exec") ? 0 : 1);
      if (isWritten && codes.length > 0 && codes.every(({ text }) => leavesNothing(text))) plays(call, "overwrite");
    },
    examples: [
      ["awk -F: '{print $1}' /etc/passwd", "reads /etc/passwd"],
      ["gawk -i inplace 1 x", "reads x", "writes x"],
      ["awk -i inplace '{gsub(/a/, \"b\"); print}' x", "reads x", "writes x"],
      ["awk -i inplace 'BEGIN { n = 1 }\nNR > 1' x", "reads x", "writes x"],
      ["awk -i inplace 'BEGIN{}' x", "overwrite", "reads x", "writes x"],
      ["awk -i inplace '{ next }' x", "overwrite", "reads x", "writes x"],
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
    reads: operand(0),
    does: [
      { names: "csplit", writes: option("prefix", "xx"), otherwise: { writes: operand(1) } },
      { when: "filter", roles: ["run-code"] },
    ],
    examples: [
      ["split -l 100 a out-", "reads a", "writes out-"],
      ["split --filter='rm x' a", "runs rm x"],
    ],
  },
  "prettier eslint biome ruff black gofmt rustfmt clang-format isort autopep8 shfmt dprint stylua": {
    endings: {
      gofmt: "go",
      rustfmt: "rs",
      stylua: "lua",
      black: "py pyi ipynb",
      isort: "py pyi",
      ruff: "py pyi ipynb",
      autopep8: "py pyi",
      eslint: "js jsx cjs mjs ts tsx cts mts vue svelte astro",
    },
    is: { "loads-unnamed": "prettier eslint", "only-formats": true },
    options: "write|w fix in-place|i l d config|c= plugin= rulesdir= check diff edition=",
    loads: LOADING.tool,
    does: (call) => {
      const isWriting =
        has(call, "write", "fix", "in-place") ||
        (!has(call, "check", "diff") &&
          (/^(?:black|isort|rustfmt|stylua)$/.test(call.report.program) ||
            /^(?:ruff format|dprint fmt)$/.test(`${call.report.program} ${call.operands[0]?.text}`)));
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
  "dos2unix unix2dos sponge-file": {
    options: "n k q o= s",
    does: (call) => changesInPlace(call, call.operands, true),
    examples: [["dos2unix a", "reads a", "writes a"]],
  },
});

/** The sed of BSD takes the suffix of `-i` as a separate argument, which is often empty. */
function isSuffix(word: Word | undefined): boolean {
  return /^(?:\.\w+|)$/.test(word?.text ?? "s");
}

/** Whether a program of awk prints no line: no statement that does, and no pattern without an action. */
function leavesNothing(code: string): boolean {
  if (/\b(?:printf?|getline|system)\b/.test(code) || code.includes(GAP)) return false;
  const bare = code.replaceAll(/"(?:[^"\\]|\\.)*"|#[^\n]*/g, "");
  let depth = 0;
  let hasPattern = false;
  for (const letter of `${bare}\n`) {
    if (letter === "{") depth++;
    else if (letter === "}") depth--;
    if (depth > 0 || letter === "}") hasPattern = false;
    else if (letter === ";" || letter === "\n") {
      if (hasPattern) return false;
    } else hasPattern ||= letter.trim() !== "";
  }
  return true;
}

function asCode(via: string, language: Language, text: Word): Inner {
  return { runs: "code", language, text: { ...text, isGlob: false }, via };
}

/** Reports the files that Perl and Ruby read line by line and may change. */
function tellLines(call: Call): void {
  const code = values(call, "e");
  const paths = has(call, "e") ? call.operands : call.operands.slice(1);
  if (has(call, "i", "n", "p")) changesInPlace(call, paths, has(call, "i"));
  const isCleared = code.some(({ text }) => CLEARS().test(text));
  // Lines are read, and none is printed.
  const isDropped = has(call, "n") && code.every(({ text }) => !/print|say|puts|put|write|GAP/.test(text));
  if (has(call, "i") && (isCleared || isDropped)) plays(call, "overwrite");
  if (code.some(({ text }) => text.includes(GAP))) call.report.input = "run";
  if (!has(call, "e", "version", "v", "V")) runs(call);
}

/** A statement that discards everything that was read. */
const CLEARS = () =>
  /^\s*(?:\$_\s*=\s*(?:""|''|undef)|undef\s+\$_|s([/#|!,])(?:\^|\\A)?\(?\.[*+]\)?(?:\$|\\[zZ])?\1\1[a-z]*)\s*;?\s*$/;
/** Code that comes through a pipe: from the standard input, or from `<(…)`. */
const FROM_INPUT = /^(?:-$|\/dev\/(?:stdin$|fd\/))/;

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
    call.report.input = "run";
  else {
    reads(call, script);
    call.report.scripts.push(script);
  }
}
