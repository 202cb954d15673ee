import {
  type AndOr,
  type ArithmeticExpression,
  type ArithmeticFor,
  type CommandNode,
  type CompoundList,
  type For,
  forEachChild,
  type PipelineNode,
  type SyntaxNode,
  type TestExpression,
  type While,
} from "unbash";
import { isInstant, isQuick, isWaiting } from "../../programs/processes.ts";

/** Whether an endless loop starts programs in the background or fills a file, and never waits for anything. */
export function fillsTheMachine(loop: While | ArithmeticFor): boolean {
  if (!isEndless(loop)) return false;
  const found = { ...NOTHING_FOUND };
  look(loop.body, found);
  return (found.grows || (found.runs && !found.takesTime)) && !found.waits;
}

/** Whether a loop of thousands of turns starts a program in the background in each of them. */
export function forksManyTimes({ wordlist = [], body }: For): boolean {
  const turns = Math.max(0, ...wordlist.map((word) => Number(TURNS.exec(word.text)?.slice(1).find(Boolean) ?? 0)));
  if (turns < MANY) return false;
  if (turns >= ENDLESS_MANY) return true;
  const found = { ...NOTHING_FOUND };
  look(body, found);
  return found.isBehind && !found.waits;
}

/** `{1..100000}`, `$(seq 1 100000)`. */
const TURNS = /^\{\d+\.\.(\d+)\}$|^(?:\$\(|`)seq\s(?:[\d\s-]*\s)?(\d+)\s*[)`]$/;
const MANY = 300;
const ENDLESS_MANY = 10_000_000;

/** Whether a function starts itself again in the background or in a pipe each time that it runs, and never returns or waits. */
export function forksWithoutEnd(name: string, body: SyntaxNode): boolean {
  const found = { ...NOTHING_FOUND };
  lookForItself(name, body, false, found);
  return found.grows && !found.waits;
}

function lookForItself(name: string, node: SyntaxNode, isApart: boolean, found: Found): void {
  if (found.left-- <= 0 || node.type === "Script") return;
  const called = node.type === "Command" ? (node.name?.value ?? "") : "";
  if (called === name) found.grows ||= isApart;
  else if (isWaiting(called)) found.waits = true;
  // What a choice or a loop decides about has an end.
  const isInside =
    isApart ||
    (node.type === "Statement" && node.background === true) ||
    (node.type === "Pipeline" && node.commands.length > 1);
  forEachChild(node, (child) => {
    const isChosen = CHOICES.has(node.type) || (node.type === "AndOr" && child !== node.commands[0]);
    lookForItself(isChosen ? UNNAMED : name, child, isInside, found);
  });
}

/** No function has this name. */
const UNNAMED = " ";
const CHOICES: ReadonlySet<SyntaxNode["type"]> = new Set<SyntaxNode["type"]>([
  "If",
  "Case",
  "For",
  "Select",
  "While",
  "ArithmeticFor",
  "Function",
]);

function isEndless(loop: While | ArithmeticFor): boolean {
  if (loop.type === "ArithmeticFor") return loop.test === undefined || numberOf(loop.test) === true;
  return endOf(loop.clause) === (loop.kind === "while");
}

/** Whether a condition always holds or never does, by its text; undefined if that is known only at run time. */
function endOf(node: CommandNode | PipelineNode | AndOr | CompoundList): boolean | undefined {
  switch (node.type) {
    case "CompoundList": {
      const last = node.commands.at(-1);
      return last && endOf(last.command);
    }
    case "BraceGroup":
    case "Subshell":
      return endOf(node.body);
    case "Redirected":
      return endOf(node.command);
    case "Pipeline": {
      const last = node.commands.at(-1);
      const end = last && endOf(last);
      const isNegated = node.prefixes.filter(({ type }) => type === "Negation").length % 2 === 1;
      return isNegated && end !== undefined ? !end : end;
    }
    case "AndOr":
      return chainEnd(node);
    case "ArithmeticCommand":
      return node.expression && numberOf(node.expression);
    case "TestCommand":
      return testEnd(node.expression);
    case "Command":
      return commandEnd(
        node.name?.value ?? "",
        node.args.map((arg) => (arg.type === "Word" ? arg.value : arg.text)),
      );
    default:
      return undefined;
  }
}

function chainEnd({ commands, operators }: AndOr): boolean | undefined {
  let end = commands[0] && endOf(commands[0]);
  for (const [index, operator] of operators.entries()) {
    const command = commands[index + 1];
    const next = command && endOf(command);
    const deciding = operator === "||";
    end = end === deciding || next === deciding ? deciding : end === undefined ? undefined : next;
  }
  return end;
}

function commandEnd(name: string, args: readonly string[]): boolean | undefined {
  const program = name.slice(name.lastIndexOf("/") + 1);
  if (program === "true" || program === ":") return true;
  // Not every shell calls a program of that name.
  if (program === "1" && args.length === 0) return true;
  if (program === "false") return false;
  if (program === "[" && args.at(-1) === "]") return wordsEnd(args.slice(0, -1));
  return program === "test" ? wordsEnd(args) : undefined;
}

/** The result of `test` for its arguments; undefined if one of them is expanded. */
function wordsEnd(words: readonly string[]): boolean | undefined {
  if (words.some((word) => /[$`*?[]/.test(word))) return undefined;
  const [first = "", second = "", third = ""] = words;
  if (words.length === 0) return false;
  if (words.length === 1) return first !== "";
  if (first === "!") return negated(wordsEnd(words.slice(1)));
  if (words.length === 2 && (first === "-n" || first === "-z")) return (second === "") === (first === "-z");
  return words.length === 3 ? compared(first, second, third) : undefined;
}

function compared(left: string, operator: string, right: string): boolean | undefined {
  if (operator === "=" || operator === "==") return left === right;
  if (operator === "!=") return left !== right;
  if (!/^-?\d{1,9}$/.test(left) || !/^-?\d{1,9}$/.test(right)) return undefined;
  return COMPARISONS[operator]?.(Number(left), Number(right));
}

const COMPARISONS: Readonly<Record<string, (left: number, right: number) => boolean>> = {
  __proto__: null as never,
  "-eq": (left, right) => left === right,
  "-ne": (left, right) => left !== right,
  "-lt": (left, right) => left < right,
  "-le": (left, right) => left <= right,
  "-gt": (left, right) => left > right,
  "-ge": (left, right) => left >= right,
};

function testEnd(node: TestExpression): boolean | undefined {
  switch (node.type) {
    case "TestUnary":
      return wordsEnd([node.operator, node.operand.value]);
    case "TestBinary":
      return wordsEnd([node.left.value, node.operator, node.right.value]);
    case "TestNot":
      return negated(testEnd(node.operand));
    case "TestGroup":
      return testEnd(node.expression);
    default:
      return undefined;
  }
}

function negated(end: boolean | undefined): boolean | undefined {
  return end === undefined ? undefined : !end;
}

/** Whether an expression is a literal number other than zero. */
function numberOf(node: ArithmeticExpression): boolean | undefined {
  if (node.type === "ArithmeticGroup") return numberOf(node.expression);
  return node.type === "ArithmeticWord" && /^\d{1,9}$/.test(node.value) ? Number(node.value) !== 0 : undefined;
}

interface Found {
  grows: boolean;
  waits: boolean;
  /** Something runs in the background of the loop. */
  isBehind: boolean;
  runs: boolean;
  /** A program that may take its time, so that the loop only starts it again and again. */
  takesTime: boolean;
  left: number;
}

const NOTHING_FOUND: Found = { grows: false, waits: false, isBehind: false, runs: false, takesTime: false, left: 500 };

function look(node: SyntaxNode, found: Found): void {
  if (found.left-- <= 0) return;
  if (node.type === "Statement" && node.background === true) {
    // A wait in the background does not delay the loop.
    found.grows = true;
    found.isBehind = true;
    return;
  }
  if (node.type === "Command") {
    found.runs = true;
    found.takesTime ||= node.name !== undefined && !isQuick(node.name.value);
  }
  if (node.type === "Command" && isInstant(node.name?.value ?? ""))
    found.grows ||= node.redirects.some(({ operator }) => operator === ">>");
  else if (node.type === "Command" && isWaiting(node.name?.value ?? "")) found.waits = true;
  forEachChild(node, (child) => look(child, found));
}
