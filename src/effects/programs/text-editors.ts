import { fieldOf } from "../parse/value.ts";
import { type Call, has, plays, reads, values, writes } from "./call.ts";
import type { Inner, Programs } from "./program.ts";

/** Interactive editors, which can also run commands from their arguments. */
export const TEXT_EDITORS = (): Programs => ({
  "vi vim nvim ex view": {
    is: { "prints-files": "view", "runs-named": true },
    code: "small",
    options: "command|c= cmd= S= u= U= i= T= w= W= s e E n R b d g r o? O? p? es y Z version h",
    does: tellEdited,
    runs: (run) => {
      const { name, args, stdin } = run;
      // In ex mode, `-s` means silent and does not take a file.
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
      ["vim -c 'argdo %d | w' -c qa a", "overwrite", "reads a", "writes a"],
      ["nvim --headless '+silent! bufdo %delete' +wqa a", "overwrite", "reads a", "writes a"],
      ["vim -es -c 'g/^/d' -c x a", "overwrite", "reads a", "writes a"],
      ["vim -c 'normal ggdG' -c wq a", "overwrite", "reads a", "writes a"],
      ["vim -es -c '%s/a/b/ge' -c wq a", "reads a", "writes a"],
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
    is: { "runs-named": true },
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
      ["emacs --batch a --eval '(erase-buffer)' -f save-buffer", "overwrite", "reads a", "writes a"],
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
      const isEditor = /^(?:code|codium|cursor|windsurf)/.test(call.report.program);
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
});

/** An editor reads and writes the files that it is given. */
function tellEdited(call: Call): void {
  for (const path of call.operands) {
    if (path.text.startsWith("+")) continue;
    reads(call, path);
    if (!has(call, "R") && call.report.program !== "view") writes(call, path);
  }
  const lines = [
    ...values(call, "command", "c", "cmd", "eval", "funcall"),
    ...call.operands.filter(({ text }) => text.startsWith("+")),
  ].map(({ text }) => text.replace(/^\+/, ""));
  const typed = [...lines, ...call.report.piped.split("\n")];
  const steps = typed.flatMap((text) => text.split(/[|\n]|\\n/)).map((step) => step.replace(BEFORE_STEP(), ""));
  const isEmptied = steps.some((step) => EMPTIES().test(step)) || typed.some((text) => ERASES().test(text));
  if (isEmptied && (steps.some((step) => KEEPS().test(step)) || typed.some((text) => SAVES.test(text))))
    plays(call, "overwrite");
  if (lines.some((text) => /(?<![a-z])!|\br(?:ead)?!|system\(|:?py|:?lua/.test(text))) plays(call, "run-code");
}

/** Prefixes of commands of vi: for every file, without a message, as a text that is run. */
const BEFORE_STEP = () =>
  /^(?:[\s:]*(?:sil(?:ent)?!?|(?:arg|buf|win|tab|cf?|lf?)do!?|noa(?:utocmd)?|keep\w+|exe(?:cute)?\s*["'])\s*)*/;
/** Commands that remove every line, and those that save the file. */
const EMPTIES = () =>
  /^[\s:]*(?:(?:%|,|[01],\$|1,\$)\s*(?:d(?:elete)?\b|!\s*(?:true|:|cat \/dev\/null)\s*$|s\/\\_\.\*\/\/)|(?:%?g(?:lobal)?|v)!?\/(?:\^|\.|\.\*|\^\.\*)?\/d(?:elete)?\b|norm(?:al)?!?\s+gg\S*d\S*G|norm(?:al)?!?\s+ggVGd|call\s+deletebufline\()/;
const KEEPS = () =>
  /^[\s:]*(?:w|wq|x|wqa|wa|wall|wqall|xa|xall|xit|exit|update|up|ZZ|norm(?:al)?!?\s+ZZ)!?[\s"']*(?:$|\\)/;
/** The same in Lisp. */
const ERASES = () =>
  /\(erase-buffer\)|\((?:delete|kill)-region\s+\(?(?:point-min|1)\)?\s+\(?(?:point-max|buffer-end\b)/;
const SAVES = /(?:^|\()(?:save-buffer|save-some-buffers|write-file|basic-save-buffer)\b/;

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

/** Languages of code that the editor runs. */
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
