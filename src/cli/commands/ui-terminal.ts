import { dirname } from "node:path";
import { createInterface } from "node:readline";
import { Writable } from "node:stream";
import { personChannel, pinDelay, tryPin } from "../../approvals/person-channel.ts";
import { changeFile } from "../../config/change-file.ts";
import { readDocument } from "../../config/document.ts";
import { makeDir } from "../../fs/make-dir.ts";
import { writeAtomic } from "../../fs/write-atomic.ts";
import { problems } from "../../problem/problem.ts";
import { changedParts, lineDiff } from "../../trust/line-diff.ts";
import type { PersonActs, PolicyChange } from "../../ui-server/route.ts";
import type { ActOutcome } from "../../ui-server/wire.ts";
import type { CommandInput } from "../command.ts";
import { acceptingChanges, shortPath } from "../configuration.ts";
import type { Exit } from "../exit-codes.ts";
import type { Io } from "../io.ts";
import { visible } from "../show/terminal-text.ts";
import { allowWith } from "./allow.ts";
import { allowWith as allowOnceWith } from "./allow-once.ts";
import { confirmedByPerson, needsProof, placeOf, requirePerson } from "./confirm.ts";
import { setMode, run as switchHooks } from "./switch.ts";

/** The terminal in which `sluice ui` runs: its lines answer questions, and make codes while none is open. */
export interface UiTerminal {
  /** Asks a question that has to be answered with yes; no, when the page that asked goes away. */
  ask(question: string, signal: AbortSignal): Promise<boolean>;
  /** Told when a line comes and no question is open. */
  onIdleLine(act: () => void): void;
  onInterrupt(act: () => void): void;
  close(): void;
}

/** Reads the terminal; without one, nothing is ever confirmed. */
export function uiTerminal(io: Io): UiTerminal {
  let isHidden = false;
  // What is typed while a PIN is asked for is not shown.
  const output = new Writable({
    write: (piece, _, done) => {
      if (!isHidden) process.stderr.write(piece);
      done();
    },
  });
  const lines = io.isTerminal ? createInterface({ input: process.stdin, output, terminal: true }) : undefined;
  let answer: ((line: string) => void) | undefined;
  let idle = () => {};
  let last: Promise<unknown> = Promise.resolve();
  lines?.on("line", (line) => (answer === undefined ? idle() : answer(line)));
  return {
    ask(question, signal) {
      const asked = last.then(() => askOne(question, signal));
      last = asked;
      return asked;
    },
    onIdleLine: (act) => {
      idle = act;
    },
    onInterrupt: (act) => lines?.on("SIGINT", act),
    close: () => lines?.close(),
  };

  function askOne(question: string, signal: AbortSignal): Promise<boolean> {
    if (lines === undefined || signal.aborted) return Promise.resolve(false);
    const place = placeOf(io);
    const channel = personChannel(place);
    if (typeof channel === "object" && channel.pin === undefined) {
      io.err(question);
      return import("./passkey.ts").then(({ isProvenByPasskey }) => isProvenByPasskey(question, io, place, signal));
    }
    const isPin = needsProof(io);
    io.write(2, isPin ? `${question}\nPIN: ` : `${question} [y/N] `);
    isHidden = isPin;
    return new Promise((resolve) => {
      const settle = (line: string | undefined) => {
        answer = undefined;
        if (isHidden) io.err("");
        isHidden = false;
        signal.removeEventListener("abort", gone);
        resolve(line !== undefined && (isPin ? isRightPin(line, io) : /^y(?:es)?$/i.test(line.trim())));
      };
      const gone = () => {
        io.err("\nThe page has taken the question back.");
        settle(undefined);
      };
      answer = settle;
      signal.addEventListener("abort", gone, { once: true });
    });
  }
}

/** Whether a line is the PIN that was set up; it is counted as a try, and reported if it is wrong or too soon. */
function isRightPin(line: string, io: Io): boolean {
  const place = placeOf(io);
  const waitMs = pinDelay(place);
  const tried = waitMs > 0 ? ({ is: "late", waitMs } as const) : tryPin(line.trim(), place);
  if (tried.is === "right") return true;
  io.err(tried.is === "wrong" ? "That is not the PIN." : `No PIN is taken for ${Math.ceil(tried.waitMs / 1000)} s.`);
  return false;
}

/** What the pages may do that weakens a protection: the commands themselves, with the question asked at this terminal. */
export function personActs(input: CommandInput, terminal: UiTerminal): PersonActs {
  const confirmed =
    (command: string, run: (own: CommandInput, sure: (question: string) => Promise<boolean>) => Promise<Exit>) =>
    async (id: string, signal: AbortSignal, width = "exact"): Promise<ActOutcome> => {
      requirePerson(input.io, command);
      const told: string[] = [];
      input.io.err(
        `\nA page of \`sluice ui\` asks for \`sluice ${command} ${id}${command === "allow" ? ` --width ${width}` : ""}\`:`,
      );
      const exit = await acceptingChanges(input, () =>
        run(inputFor(command, [id], input, told, width), (question) => terminal.ask(question, signal)),
      );
      return { done: exit === "done", told };
    };
  return {
    allow: confirmed("allow", (own, sure) =>
      allowWith(own, { sure: (question) => confirmedByPerson({ io: own.io, verb: "allow", question }, sure) }),
    ),
    allowOnce: confirmed("allow-once", allowOnceWith),
    previewAllow: async (id, width = "exact") => {
      const printed: string[] = [];
      const quiet: Io = {
        ...input.io,
        hasColour: false,
        width: input.io.width,
        isTerminal: false,
        out: (line) => printed.push(line),
        err: () => {},
      };
      const own = inputFor("allow", [id], { ...input, io: quiet }, [], width);
      const previewed = { ...own, io: quiet, has: (option: string) => PREVIEW.has(option) || own.has(option) };
      await allowWith(previewed, { sure: async () => false });
      const { file, after } = JSON.parse(printed.join("\n")) as { file: string; after: string };
      const read = readDocument(file);
      return { path: file, before: read.state === "read" ? read.document.text : undefined, after };
    },
    confirm: (question, signal) => {
      requirePerson(input.io, "approve");
      input.io.err("\nA page of `sluice ui` asks for an approval:");
      return terminal.ask(visible(question), signal);
    },
    switchHook: async ({ hook, to, layer }, signal) => {
      requirePerson(input.io, "ui");
      const told: string[] = [];
      input.io.err(`\nA page of \`sluice ui\` asks for a change of the hook ${visible(hook)}:`);
      if (!(await terminal.ask(`${QUESTIONS[to]} ${visible(hook)} (${layer})?`, signal)))
        return { done: false, told: ["Nothing was changed."] };
      const command = to === "off" ? "disable" : "enable";
      const own = {
        ...inputFor(command, [hook], input, told),
        text: (option: string) => (option === "scope" ? layer : input.text(option)),
      };
      const exit = await acceptingChanges(input, () =>
        to === "on" || to === "off" ? switchHooks(own) : setMode(hook, to, own),
      );
      return { done: exit === "done", told };
    },
    savePolicy: async (change, signal) => {
      requirePerson(input.io, "ui");
      const { io } = input;
      const name = shortPath(change.path, io);
      io.err(`\nA page of \`sluice ui\` asks to write ${visible(name)}:`);
      for (const line of diffLines(change.before ?? "", change.after)) io.err(line);
      if (!(await terminal.ask(`Write ${visible(name)}?`, signal)))
        return { done: false, told: ["Nothing was changed."] };
      await acceptingChanges(input, () => writePolicy(change));
      return { done: true, told: [`${name} is written.`] };
    },
  };
}

function diffLines(before: string, after: string): string[] {
  return changedParts(lineDiff(before, after)).map((part) => {
    if (part === undefined) return "    …";
    return `${{ same: "    ", new: "  + ", gone: "  - " }[part.kind]}${visible(part.line)}`;
  });
}

/** Nothing is overwritten that came into the file while the question was open. */
function writePolicy({ path, before, after }: PolicyChange): void {
  makeDir(dirname(path));
  changeFile(path, () => {
    const read = readDocument(path);
    const [now, mark] = read.state === "read" ? [read.document.text, read.document.mark] : [undefined, ""];
    if (now !== before && !(read.state === "corrupt" && read.text === before))
      throw PROBLEMS.changedMeanwhile({ path });
    writeAtomic(path, mark + after);
  });
}

const PROBLEMS = problems("ui", {
  changedMeanwhile: ({ path }: { path: string }) => ({
    what: `${path} was changed while the question was open. Nothing was written.`,
    fix: "Look at the page: it shows the present content of the file.",
  }),
});

const PREVIEW: ReadonlySet<string> = new Set(["dry-run", "json"]);
const QUESTIONS = { on: "Turn on", off: "Turn OFF", monitor: "Let only watch", enforce: "Let decide" } as const;

/** The command line of a command that a page asks for; what it prints is kept for the page as well. */
function inputFor(
  command: string,
  words: readonly string[],
  { io, commands, text }: CommandInput,
  told: string[],
  width?: string,
): CommandInput {
  const kept = (line: string) => {
    told.push(line);
    return line;
  };
  return {
    words,
    command,
    commands,
    text: (option) => ({ root: text("root"), width })[option],
    texts: () => [],
    has: (option) => option === "root" && text("root") !== undefined,
    io: {
      ...io,
      isTerminal: io.isTerminal,
      hasColour: false,
      width: io.width,
      out: (line) => io.out(kept(line)),
      err: (line) => io.err(kept(line)),
    },
  };
}
