import type { Inner } from "../../programs/program.ts";
import type { FileContent, Variable } from "../shell-state.ts";
import type { Frame, Outcome, Reader } from "./reader.ts";

type ScriptFile = Extract<Inner, { runs: "file" }>;

/**
 * Runs a script; where each is read once, what it came to before in the same state is taken again. Scripts that start the
 * next one twice are otherwise read twice as often with each.
 */
export function runOnce(script: ScriptFile, frame: Frame, reader: Reader, run: () => Outcome): Outcome {
  const { outcomes } = reader;
  if (outcomes === undefined) return run();
  const state = stateOf(script, frame);
  const known = outcomes.get(state);
  if (known !== undefined) return known;
  const outcome = run();
  // One that is read into this shell may change it, and has to do so again.
  if (!script.isHere || stateOf(script, frame) === state) outcomes.set(state, outcome);
  return outcome;
}

/** All that decides what a script does, as one text. */
function stateOf({ path, args = [], isHere = false, language }: ScriptFile, { shell, stdin }: Frame): string {
  const { variables, functions, aliases, positional, folder, previousFolder, files, descriptors } = shell;
  return JSON.stringify([
    [path, args, isHere, language, folder, previousFolder],
    [...variables].filter(([name]) => isHere || !OF_SCRIPT.has(name)).map(([name, one]) => [name, ...partsOf(one)]),
    [...functions].map(([name, { body, text }]) => [name, idOf(body), text.length]),
    [...files].map(([name, file]) => [name, contentOf(file)]),
    [...descriptors].map(([number, opened]) => [number, idOf(opened)]),
    isHere ? [[...aliases], positional, shell.traps, shell.hasLeft, shell.otherwise.map(idOf), shell.locals?.size] : [],
    stdin.text === "" && stdin.input.from === "nothing" ? [] : [idOf(stdin), stdin.at],
  ]);
}

function partsOf({ value, list, isExported, isInteger, isOpen, refersTo }: Variable): readonly unknown[] {
  return [value?.text, value?.isSure, list && [...list], isExported, isInteger, isOpen, refersTo];
}

function contentOf(file: FileContent): unknown {
  if ("program" in file) return file.program;
  if ("copyOf" in file) return [file.copyOf];
  return file.text.length > MAX_TEXT_LENGTH || file.of !== undefined ? idOf(file) : [file.text, file.listed];
}

/** A number of its own for each object: those that are compared live as long as the reading. */
function idOf(object: object): number {
  const known = IDS.get(object);
  if (known !== undefined) return known;
  IDS.set(object, ++last);
  return last;
}

const IDS = new WeakMap<object, number>();
let last = 0;
const MAX_TEXT_LENGTH = 200;
/** What a script is called has a value of its own in each. */
const OF_SCRIPT: ReadonlySet<string> = new Set(["0", "BASH_SOURCE"]);
