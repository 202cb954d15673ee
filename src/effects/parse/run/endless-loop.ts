import { isInstant, isWaiting } from "../../programs/processes.ts";
import { type ArithmeticFor, forEachChild, type SyntaxNode, type While } from "unbash";

/** Whether a loop without an end starts programs behind itself, or fills a file, and never waits for anything. */
export function fillsTheMachine(loop: While | ArithmeticFor, text: string): boolean {
  if (!isEndless(loop, text)) return false;
  const found = { grows: false, waits: false, left: 500 };
  look(loop.body, found);
  return found.grows && !found.waits;
}

function isEndless(loop: While | ArithmeticFor, text: string): boolean {
  if (loop.type === "ArithmeticFor") return loop.test === undefined;
  const clause = text.slice(loop.clause.pos, loop.clause.end).replace(/[;\s]+$/, "");
  const isUntil = /^until\b/.test(text.slice(loop.pos, loop.clause.pos));
  return (isUntil ? /^(?:false|\[ 1 = 0 \])$/ : /^(?:true|:|1|\[ 1 \]|\[\[ 1 \]\]|\(\(\s*1\s*\)\))$/).test(clause);
}

interface Found {
  grows: boolean;
  waits: boolean;
  left: number;
}

function look(node: SyntaxNode, found: Found): void {
  if (found.left-- <= 0) return;
  if (node.type === "Statement" && node.background === true) {
    // What waits behind the loop holds nothing up.
    found.grows = true;
    return;
  }
  if (node.type === "Command" && isInstant(node.name?.value ?? ""))
    found.grows ||= node.redirects.some(({ operator }) => operator === ">>");
  else if (node.type === "Command" && isWaiting(node.name?.value ?? "")) found.waits = true;
  forEachChild(node, (child) => look(child, found));
}
