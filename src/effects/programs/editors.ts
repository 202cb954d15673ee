import { type Call, has, known, plays, reads, value, values, writes } from "./call.ts";
import { GAP } from "../parse/command.ts";
import type { Programs } from "./program.ts";
import { tellPatch } from "./patch-text.ts";

/** Programs that change what is in files. */
export const EDITORS: Programs = {
  "sed gsed": {
    options:
      "expression|e= file|f= in-place|i? quiet|n|silent regexp-extended|r|E separate|s null-data|z line-length|l= posix debug sandbox unbuffered|u",
    does: (call) => {
      const isScripted = has(call, "expression", "file");
      // The sed of BSD takes the suffix of `-i` as a word of its own, often an empty one.
      const hasSuffix = has(call, "in-place") && /^(?:\.\w+|)$/.test(call.operands[0]?.text ?? "s");
      const operands = hasSuffix ? call.operands.slice(1) : call.operands;
      const scripts = isScripted ? values(call, "expression") : operands.slice(0, 1);
      const paths = isScripted ? operands : operands.slice(1);
      for (const path of values(call, "file")) {
        reads(call, path);
        if (FROM_INPUT.test(path.text)) call.told.input = "run";
      }
      changesInPlace(call, paths, has(call, "in-place"));
      if (has(call, "in-place") && scripts.some(({ text }) => /^\s*(?:1,\$)?d\s*$/.test(text)))
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
    ],
  },
  "perl ruby": {
    options: "e= E= i? I= M= m= n p w a l 0 F? C? x? s S t T u U v V W X c r=",
    style: "first",
    does: (call) => {
      const paths = has(call, "e", "E") ? call.operands : call.operands.slice(1);
      if (has(call, "i", "n", "p")) changesInPlace(call, paths, has(call, "i"));
      if (
        has(call, "i") &&
        (values(call, "e", "E").some(({ text }) =>
          /^\s*(?:\$_\s*=\s*(?:""|''|undef)|undef\s+\$_)\s*;?\s*$/.test(text),
        ) ||
          // Lines are read, and none is printed.
          (has(call, "n") && values(call, "e", "E").every(({ text }) => !/print|say|puts|put|write|GAP/.test(text))))
      )
        plays(call, "overwrite");
      if (values(call, "e", "E").some(({ text }) => text.includes(GAP))) call.told.input = "run";
      if (!has(call, "e", "E", "v", "V")) runs(call);
    },
    examples: [
      ["perl -pi -e s/a/b/ x", "reads x", "writes x"],
      ["perl -i.bak -pe s/a/b/ x", "reads x", "writes x"],
      ["perl -0pi -e s/a/b/ x", "reads x", "writes x"],
      ["perl -ne print x", "reads x"],
      ["perl -i -ne 1 x", "overwrite", "reads x", "writes x"],
      ["perl -i -ne 'print if /a/' x", "reads x", "writes x"],
      ["perl -pi -e '$_=\"\"' x", "overwrite", "reads x", "writes x"],
    ],
  },
  "awk gawk mawk nawk": {
    options: "file|f= field-separator|F= assign|v= include|i= exec|E= source|e= load|l= sandbox|S",
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
    ],
  },
  "ed ex vi vim nvim nano emacs pico micro helix hx kak joe code codium subl": {
    options: "c= s e E n R b u= S= d g r w= o p= es",
    does: (call) => {
      for (const path of call.operands) {
        if (path.text.startsWith("+")) continue;
        reads(call, path);
        if (!has(call, "R")) writes(call, path);
      }
      const typed = [...values(call, "c").map(({ text }) => text), ...call.told.piped.split("\n")];
      if (typed.some((text) => EMPTIES.test(text)) && typed.some((text) => KEEPS.test(text))) plays(call, "overwrite");
      if (values(call, "c").some(({ text }) => /!|system\(|:?py|:?lua/.test(text))) plays(call, "run-code");
    },
    examples: [
      ["ed -s x", "reads x", "writes x"],
      ["vim -c wq x", "reads x", "writes x"],
      ["vim -es -c %d -c wq x", "overwrite", "reads x", "writes x"],
      ["ex -sc '%d|x' a", "overwrite", "reads a", "writes a"],
      ["printf ',d\\nw\\n' | ed -s a", "overwrite", "reads a", "writes a"],
    ],
  },
  "patch gpatch": {
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
    options:
      "lines|l= bytes|b= line-bytes|C= number|n= suffix-length|a= numeric-suffixes|d? additional-suffix= filter= prefix|f= digits= k z q s",
    does: (call) => {
      reads(call, call.operands[0]);
      writes(call, call.told.program === "csplit" ? (value(call, "prefix") ?? known("xx")) : call.operands[1]);
      if (has(call, "filter")) plays(call, "run-code");
    },
    examples: [["split -l 100 a out-", "reads a", "writes out-"]],
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
};

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
