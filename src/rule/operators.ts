import type { CallFiles } from "../effects/call-files.ts";
import type { CallEffects } from "../effects/effect.ts";
import type { RepositoryFacts } from "../effects/parse/command.ts";
import type { EventFacts } from "../event/field.ts";
import type { OperatorBase } from "../hook/hook-input.ts";
import { compileGlob, type Test } from "../pattern/glob.ts";
import { compilePath } from "../pattern/path-pattern.ts";
import { ACT_OPERATORS, type ActOperator } from "./act-operators.ts";
import { anyItem, asText, equalTo, type Holds, onNumber, onText } from "./compare.ts";

/** What an operator needs that is only loaded when a rule uses it. */
export interface Tools {
  /** Compiles a regular expression that takes time proportional to the text; throws the problem of one that does not. */
  readonly regex: (pattern: string) => Test;
  /** What a call does. */
  readonly act: (event: EventFacts) => CallEffects | undefined;
  /** What its command line does; undefined for a tool that is not a shell. */
  readonly commandLine: (event: EventFacts) => CallEffects | undefined;
  /** What any text would do as a command line. */
  readonly text: (event: EventFacts, text: string) => CallEffects | undefined;
  /** The files of a call. */
  readonly files: (event: EventFacts) => CallFiles;
  /** What git knows about the repository in which an event happens; undefined if there is none. */
  readonly repository: (event: EventFacts, isOfPath?: boolean) => RepositoryFacts | undefined;
  /** The texts that a call would write. */
  readonly contents: (event: EventFacts) => readonly string[];
}

/** One word of the rule language. Its examples are its tests and its documentation. */
export interface Operator {
  /** How it reads in a sentence. */
  readonly reads: string;
  /** The value that it needs. */
  readonly takes: Takes;
  readonly compile: (wanted: unknown, tools: Tools) => Holds;
  /** For a field that holds paths, where that is another test. */
  readonly onPath?: (wanted: unknown) => Holds;
  /** For words about what a call does: the test on that, instead of one on the field's value. */
  readonly onAct?: ActOperator["onAct"];
  readonly isAbout?: ActOperator["isAbout"];
  readonly targetsIn?: ActOperator["targetsIn"];
  readonly patterns?: ActOperator["patterns"];
  /** For words that ask git about a value, instead of comparing it. */
  readonly onRepository?: (wanted: unknown) => (value: unknown, repository: RepositoryFacts) => boolean;
  /** How it is written, where no value shows it. */
  readonly written?: string;
  /** [value, wanted, does it hold] */
  readonly examples: readonly (readonly [unknown, unknown, boolean])[];
}

/** The value that a rule may write after an operator. */
export type Takes = "anything" | "text" | "texts" | "number" | "list" | "nothing";

/** Every operator; each also has a `not_` form, which never matches a missing field (`not_exists` does). */
export const OPERATORS = {
  equals: {
    reads: "is equal to",
    takes: "anything",
    compile: (wanted) => {
      const same = equalTo(wanted);
      return (value) => same(value) || (Array.isArray(value) && value.some(same));
    },
    examples: [
      ["bash", "bash", true],
      ["bash", "Bash", false],
      [true, "true", true],
      ["true", true, true],
      [3, "3", true],
      [3, 3, true],
      [-0, 0, true],
      ["", false, false],
      [["a", "b"], "b", true],
      [["a", "b"], ["a", "b"], true],
      [["a", "b"], ["b", "a"], false],
      [{ a: [1] }, { a: [1] }, true],
      [{ a: [1] }, { a: [2] }, false],
    ],
  },
  contains: {
    reads: "contains",
    takes: "text",
    compile: (wanted) => {
      const text = asText(wanted);
      const same = equalTo(wanted);
      return (value) => {
        if (typeof value === "string") return value.includes(text);
        return Array.isArray(value) ? value.some(same) : asText(value).includes(text);
      };
    },
    examples: [
      ["sudo rm -rf /", "rm -rf", true],
      ["ls", "rm", false],
      [["a", "b"], "b", true],
      [["ab"], "b", false],
      [12345, 34, true],
      [{ command: "rm x" }, "rm", true],
    ],
  },
  glob: {
    reads: "fits the pattern, in which `*` stands for anything; for paths `*` ends at `/`, and `**` does not",
    takes: "texts",
    compile: (wanted) => anyItem(onText(anyGlob(wanted, compileGlob))),
    onPath: (wanted) => anyItem(onText(anyGlob(wanted, (pattern) => compilePath(fromHome(pattern))))),
    examples: [
      ["rm a/b c", "rm *", true],
      ["echo rm", "rm *", false],
      ["src/a.ts", "src/?.ts", true],
      ["b", "[!a]", true],
      [["a.ts", "b.py"], "*.py", true],
      ["git pull", ["git push*", "git pull*"], true],
      ["git fetch", "git {push,pull}*", false],
    ],
  },
  matches: {
    reads: "matches the regular expression somewhere",
    takes: "text",
    compile: (wanted, { regex }) => anyItem(onText(regex(asText(wanted)))),
    examples: [
      ["rm  -rf  /", "^rm\\s+-rf\\s+/", true],
      ["echo rm -rf /", "^rm\\s+-rf\\s+/", false],
      ["RM", "(?i)rm", true],
      ["a/b", "a\\/b", true],
      [["ls", "rm"], "^rm$", true],
    ],
  },
  starts_with: {
    reads: "starts with",
    takes: "text",
    compile: (wanted) => {
      const text = asText(wanted);
      return anyItem(onText((value) => value.startsWith(text)));
    },
    examples: [
      ["git push --force", "git push", true],
      ["echo git push", "git push", false],
      [["a.ts", "b.py"], "b", true],
    ],
  },
  ends_with: {
    reads: "ends with",
    takes: "text",
    compile: (wanted) => {
      const text = asText(wanted);
      return anyItem(onText((value) => value.endsWith(text)));
    },
    examples: [
      ["src/a.ts", ".ts", true],
      ["src/a.tsx", ".ts", false],
      [["a.ts", "b.py"], ".py", true],
    ],
  },
  in: {
    reads: "is one of",
    takes: "list",
    compile: (wanted) => {
      const members = (Array.isArray(wanted) ? wanted : [wanted]).map(equalTo);
      return anyItem((value) => members.some((same) => same(value)));
    },
    examples: [
      ["bash", ["sh", "bash"], true],
      ["zsh", ["sh", "bash"], false],
      [2, ["1", "2"], true],
      ["bash", [], false],
      [["zsh", "sh"], ["sh", "bash"], true],
    ],
  },
  exists: {
    reads: "is there",
    takes: "nothing",
    compile: () => () => true,
    examples: [
      ["anything", undefined, true],
      ["", undefined, true],
      [false, undefined, true],
      [[], undefined, true],
    ],
  },
  gt: {
    reads: "is greater than",
    takes: "number",
    compile: (wanted) => anyItem(onNumber(wanted, (value, limit) => value > limit)),
    examples: [
      [10, 9, true],
      ["10", 9, true],
      [9, 9, false],
      ["many", 9, false],
      [true, 0, false],
      [[1, 10], 9, true],
    ],
  },
  lt: {
    reads: "is less than",
    takes: "number",
    compile: (wanted) => anyItem(onNumber(wanted, (value, limit) => value < limit)),
    examples: [
      [8, 9, true],
      ["8.5", "9", true],
      [9, 9, false],
      ["", 9, false],
    ],
  },
  gte: {
    reads: "is at least",
    takes: "number",
    compile: (wanted) => anyItem(onNumber(wanted, (value, limit) => value >= limit)),
    examples: [
      [9, 9, true],
      [8, 9, false],
    ],
  },
  lte: {
    reads: "is at most",
    takes: "number",
    compile: (wanted) => anyItem(onNumber(wanted, (value, limit) => value <= limit)),
    examples: [
      [9, 9, true],
      [10, 9, false],
    ],
  },
  tracked: {
    reads: "is a file that git tracks",
    takes: "nothing",
    compile: () => () => false,
    onRepository:
      () =>
      (path, { isTracked }) =>
        isTracked(asText(path)),
    written: "path tracked",
    examples: [],
  },
  untracked: {
    reads: "is a file that git does not track, or a folder with such a file",
    takes: "nothing",
    compile: () => () => false,
    onRepository:
      () =>
      (path, { isUntracked }) =>
        isUntracked(asText(path)),
    written: "path untracked",
    examples: [],
  },
  committed_on: {
    reads: "is a file in the last commit of a branch or a tag",
    takes: "text",
    compile: () => () => false,
    onRepository:
      (wanted) =>
      (path, { isCommittedOn }) =>
        isCommittedOn(asText(path), asText(wanted)),
    written: 'path committed_on "origin/main"',
    examples: [],
  },
  dirty: {
    reads: "has changes that are not committed, new files included",
    takes: "nothing",
    compile: () => () => false,
    onRepository:
      () =>
      (_, { isDirty }) =>
        isDirty(),
    written: "repo dirty",
    examples: [],
  },
  runs: aboutActs(ACT_OPERATORS.runs),
  writes: aboutActs(ACT_OPERATORS.writes),
  reads: aboutActs(ACT_OPERATORS.reads),
  deletes: aboutActs(ACT_OPERATORS.deletes),
  network: aboutActs(ACT_OPERATORS.network),
  pushes: aboutActs(ACT_OPERATORS.pushes),
  commits_to: aboutActs(ACT_OPERATORS.commits_to),
  only_runs: aboutActs(ACT_OPERATORS.only_runs),
  only_writes: aboutActs(ACT_OPERATORS.only_writes),
  only_reads: aboutActs(ACT_OPERATORS.only_reads),
  only_deletes: aboutActs(ACT_OPERATORS.only_deletes),
  only_network: aboutActs(ACT_OPERATORS.only_network),
  effect: aboutActs(ACT_OPERATORS.effect),
  unknown: aboutActs(ACT_OPERATORS.unknown),
} as const satisfies Record<OperatorBase, Operator>;

/** The operators by name, without `not_`. */
export type OperatorName = keyof typeof OPERATORS;

/** One pattern or several: one that fits is enough. */
function anyGlob(wanted: unknown, compile: (pattern: string) => Test): Test {
  const [only, ...others] = (Array.isArray(wanted) ? wanted : [wanted]).map((one) => compile(asText(one)));
  if (only === undefined || others.length === 0) return only ?? (() => false);
  return (text) => only(text) || others.some((test) => test(text));
}

/** The home of the user that a pattern names. */
function fromHome(pattern: string): string {
  const home = /^~(?=\/|$)/.test(pattern) ? globalThis.process?.env.HOME : undefined;
  return home === undefined ? pattern : home + pattern.slice(1);
}

/** A value alone is the text of a command. */
function aboutActs(row: ActOperator): Operator {
  return {
    ...row,
    compile: (wanted, { text }) => {
      const holds = row.onAct(wanted);
      return (value) => {
        const found = typeof value === "string" ? text(NO_CALL, value) : undefined;
        return found !== undefined && holds(found);
      };
    },
  };
}

const NO_CALL: EventFacts = {
  type: "tool:pre_execute",
  timestamp: 0,
  data: {},
  toolName: undefined,
  sessionId: undefined,
  cwd: undefined,
  agent: undefined,
};
