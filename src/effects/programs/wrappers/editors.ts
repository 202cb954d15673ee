import { fieldOf } from "../../parse/value.ts";
import { type Inner, optionsOf, type Wrapper } from "./wrapper.ts";

/** `vim -c '!rm x'` and its kin: commands of the editor that run others or write files. */
const vi: Wrapper = {
  examples: [
    ["vim -c '!rm x' -c q", "rm x"],
    ["vim '+!rm x' a", "rm x"],
    ["vim -c ':silent !rm x'", "rm x"],
    ["ex -sc '!rm x' -cq", "rm x"],
    ["vim -es -c '!rm x' -c q", "rm x"],
    ["vim -c 'lua os.execute(\"rm x\")'", "rm x"],
    ["vim -c 'perl system(\"rm x\")'", "rm x"],
    ["vim -c 'call system(\"rm x\")'", "rm x"],
    ["echo '!rm x' | ex -s", "rm x"],
  ],
  unwrap: ({ name, args, stdin }) => {
    // In ex mode, `-s` is for silence and takes no file.
    const isEx = name !== "vim" || args.some(({ text }) => /^-\w*[eE]/.test(text));
    const options = optionsOf(
      args,
      ["-c", "--cmd", "-S", "-u", "-U", "-i", "-T", "-w", "-W", "-s"].filter((option) => option !== "-s" || !isEx),
      true,
    );
    const lines = [
      ...options.values("-c", "--cmd"),
      ...options.operands
        .filter(({ text }) => text.startsWith("+"))
        .map((word) => ({ ...word, text: word.text.slice(1) })),
    ];
    const typed =
      name === "vim" || name === "nvim" || stdin.text === "" ? [] : stdin.text.slice(stdin.at).split("\n").map(fieldOf);
    const scripts = options
      .values("-S")
      .map((path): Inner => ({ runs: "doubt", why: "unread script", what: path.text }));
    return [...[...lines, ...typed].flatMap(({ text }) => fromLine(text, name)), ...scripts];
  },
};

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

const pager: Wrapper = {
  examples: [["less '+!rm x' a", "rm x"]],
  unwrap: ({ name, args }) =>
    args.flatMap(({ text }): Inner[] => {
      const [, code] = /^\+{1,2}[!|]\s*([\s\S]+)$/.exec(text) ?? [];
      return code === undefined ? [] : [{ runs: "shell", text: fieldOf(code), via: name }];
    }),
};

const ed: Wrapper = {
  examples: [["echo '!rm x' | ed -s", "rm x"]],
  unwrap: ({ name, stdin }) => stdin.text.split("\n").flatMap((line) => fromLine(line, name)),
};

const emacs: Wrapper = {
  examples: [
    ["emacs --batch --eval '(shell-command \"rm x\")'", "rm x"],
    ["emacs --batch --eval '(delete-directory \"x\" t)'", "rm -rf x"],
    ['emacs --batch --eval \'(call-process "rm" nil nil nil "x")\'', "rm x"],
  ],
  unwrap: ({ name, args }) =>
    optionsOf(args, ["--eval", "-eval", "--execute"], true)
      .values("--eval", "-eval", "--execute")
      .flatMap(({ text }): Inner[] =>
        [...text.matchAll(/\(([a-z-]+)((?:\s+(?:"(?:[^"\\]|\\.)*"|[\w-]+))+)\s*\)/g)].flatMap(
          ([, called = "", rest = ""]) => lispCall(called, rest, name),
        ),
      ),
};

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

/** Programs that feed their input to a shell later. */
const later: Wrapper = {
  examples: [],
  unwrap: ({ name, args, stdin }) => {
    const file = name === "at" ? optionsOf(args, ["-f", "-q", "-t"]).value("-f") : undefined;
    if (file !== undefined) return [{ runs: "file", path: file, via: name }];
    return stdin.input.from === "nothing" && stdin.text === "" ? [] : [{ runs: "input", via: name }];
  },
};

const crontab: Wrapper = {
  examples: [
    ["echo '* * * * * rm x' | crontab -", "rm x"],
    ["echo '@reboot rm x' | crontab", "rm x"],
  ],
  unwrap: ({ args, stdin, file }) => {
    const { operands, has } = optionsOf(args, ["-u"]);
    if (has("-l", "-r", "-e")) return [];
    const [path] = operands;
    const text = path === undefined || path.text === "-" ? stdin.text : file(path);
    if (text === undefined) return [{ runs: "doubt", why: "unread script", what: path?.text ?? "crontab" }];
    return text.split("\n").flatMap((line): Inner[] => {
      const [, code] = /^\s*(?:@\w+|(?:\S+\s+){4}\S+)\s+([^#][\s\S]*)$/.exec(line) ?? [];
      return code === undefined || line.trim().startsWith("#")
        ? []
        : [{ runs: "shell", text: fieldOf(code), via: "crontab" }];
    });
  },
};

/** Editors, pagers and calendars. */
export const EDITOR_WRAPPERS: Readonly<Record<string, Wrapper>> = {
  vim: vi,
  vi: { ...vi, examples: [["vi -c '!rm x'", "rm x"]] },
  nvim: { ...vi, examples: [["nvim -c '!rm x'", "rm x"]] },
  ex: { ...vi, examples: [["ex -c '!rm x'", "rm x"]] },
  view: { ...vi, examples: [["view -c '!rm x'", "rm x"]] },
  less: pager,
  more: { ...pager, examples: [["more '+!rm x' a", "rm x"]] },
  ed,
  emacs,
  at: {
    ...later,
    examples: [
      ["echo 'rm x' | at now", "rm x"],
      ["echo 'rm x' > f; at -f f now", "rm x"],
    ],
  },
  batch: { ...later, examples: [["echo 'rm x' | batch", "rm x"]] },
  crontab,
};
