/** What a pattern is compared with: it determines which characters of other languages are a mistake in it. */
export type PatternKind = "files" | "hosts" | "programs" | "tools" | "texts";

/** What is wrong with a pattern, and what to write instead. */
export interface UnknownSign {
  readonly what: string;
  readonly fix: string;
}

/** The first thing in a pattern that looks like a sign and is none: patterns know `*`, `**`, `?`, `[…]` and `{a,b}`. */
export function unknownSign(pattern: string, kind: PatternKind): UnknownSign | undefined {
  const row = SIGNS.find(({ found, kinds = ALL }) => kinds.includes(kind) && found.test(pattern));
  return row && { what: row.what, fix: row.fix(pattern) };
}

interface Row {
  readonly found: RegExp;
  readonly what: string;
  readonly fix: (pattern: string) => string;
  readonly kinds?: readonly PatternKind[];
}

const ALL: readonly PatternKind[] = ["files", "hosts", "programs", "tools", "texts"];
const NAMES: readonly PatternKind[] = ["files", "hosts", "programs", "tools"];

const SIGNS: readonly Row[] = [
  {
    found: /!\([^)]*\)/,
    what: "has a group of the shell's extended patterns that excludes",
    fix: (pattern) =>
      `Write two conditions: the pattern with * in that place, and \`not\` in front of one with "${pattern.replaceAll(/!\(([^)]*)\)/g, (_, inner: string) => braced(inner))}".`,
  },
  {
    found: /[?*+@]\([^)]*\)/,
    what: "has a group of the shell's extended patterns",
    fix: (pattern) =>
      `Write the choices in braces: "${pattern.replaceAll(/[?*+@]\(([^)]*)\)/g, (_, inner: string) => braced(inner))}". A bracket itself is [(].`,
  },
  {
    found: /^!/,
    what: "begins with `!`",
    fix: (pattern) => `Write "${pattern.slice(1)}", with \`not\` in front of the condition.`,
  },
  { found: /^\^/, what: "begins with `^`", fix: regexFix },
  { found: /\([^()|]*\|[^()]*\)/, what: "has choices of a regular expression", fix: choicesFix },
  { found: /^(?!\$$).*[^\\$]\$$/s, what: "ends with `$`", fix: regexFix, kinds: NAMES },
  {
    found: /\\[dwsDWSbB](?![\w.-]*[\\/])|\.\+|\]\+|\.\*.*\\\.|^\.\*.+\.\*$/,
    what: "is written as a regular expression",
    fix: regexFix,
  },
  {
    found: /\.\*/,
    what: "is written as a regular expression",
    fix: (pattern) => `Write "${pattern.replaceAll(".*", "*")}".`,
    kinds: ["tools"],
  },
  {
    found: /\\/,
    what: "has a backslash",
    fix: (pattern) => `Paths have / on every system: "${pattern.replaceAll(/\\+/g, "/")}".`,
    kinds: ["files"],
  },
  {
    found: /\\[.*?[\]{}()+^$|]/,
    what: "has a character after a backslash",
    fix: () => "A backslash means itself; put the character in brackets: [*].",
  },
  {
    found: /\[\[?:[a-z]+:\]/,
    what: "has a class of characters by name",
    fix: () => "Write the characters: [a-z], [0-9].",
  },
  {
    found: /\{[^{},]*\.\.[^{},]*\}/,
    what: "has a range in braces",
    fix: () => "Write the choices: {1,2,3}, or [1-3].",
  },
  {
    found: /^[^[]*\{[^}]*$/s,
    what: "has braces that are never closed",
    fix: () => "Write {a,b}; a brace itself is [{].",
    kinds: NAMES,
  },
  {
    found: /\{[^{},]*\}/,
    what: "has braces with one choice",
    fix: (pattern) => `Write "${pattern.replaceAll(/\{([^{},]*)\}/g, "$1")}", or several: {a,b}.`,
    kinds: NAMES,
  },
  {
    found: /\[[^\]]*$/,
    what: "has a bracket that is never closed",
    fix: () => "Write [ab]; a bracket itself is [[].",
    kinds: NAMES,
  },
  {
    found: /\|/,
    what: "has a `|`",
    fix: (pattern) => `Write the choices in braces: "{${pattern.split("|").join(",")}}".`,
    kinds: ["tools", "files", "hosts", "programs"],
  },
  {
    found: /:\/\/|\//,
    what: "is more than the name of a host",
    fix: (pattern) => `Write the host alone: "${pattern.replace(/^.*:\/\//, "").replace(/[/:].*$/, "")}".`,
    kinds: ["hosts"],
  },
  {
    found: /:\d+$/,
    what: "names a port",
    fix: (pattern) => `Write the host alone: "${pattern.replace(/:\d+$/, "")}".`,
    kinds: ["hosts"],
  },
  {
    found: /[A-Z]/,
    what: "has capital letters, and hosts are compared in small ones",
    fix: (pattern) => `Write "${pattern.toLowerCase()}".`,
    kinds: ["hosts"],
  },
  {
    found: /^\/(?:usr\/)?(?:local\/)?s?bin\//,
    what: "names a folder of the system's programs",
    fix: (pattern) => `Write the name alone: "${pattern.replace(/^.*\//, "")}".`,
    kinds: ["programs"],
  },
  {
    found: /\s-/,
    what: "names an option, and options are not compared",
    fix: (pattern) =>
      `Write "${pattern.replaceAll(/\s+-\S*/g, "")}", or look at the text: args.command contains "${pattern}".`,
    kinds: ["programs"],
  },
  {
    found: /[;&<>]/,
    what: "is more than a program and its arguments",
    fix: (pattern) => `Write one program: "${pattern.split(/\s*[;&<>]/, 1)[0]}".`,
    kinds: ["programs"],
  },
];

function regexFix(pattern: string): string {
  const plain = pattern
    .replace(/^\^/, "")
    .replace(/\$$/, "")
    .replaceAll(/\.\*|\.\+/g, "*")
    .replaceAll(/\\([./-])/g, "$1");
  const isPlain = !/[\\^$+|()]/.test(plain);
  return isPlain ? `Write "${plain}", or use the operator \`matches\`.` : "Use the operator `matches` for it.";
}

function choicesFix(pattern: string): string {
  return `Write the choices in braces: "${pattern.replaceAll(/\(([^()]*)\)/g, (_, inner: string) => braced(inner))}".`;
}

function braced(inner: string): string {
  return inner.includes("|") ? `{${inner.split("|").join(",")}}` : inner;
}
