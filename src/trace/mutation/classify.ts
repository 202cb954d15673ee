import type { MutationClass } from "../change/change-record.ts";
import { isExtracted } from "./extracted.ts";
import type { Grammar } from "./grammar.ts";
import { isMoved } from "./moved.ts";
import { isRenamed } from "./renamed.ts";
import { keyOf, type Parsed } from "./syntax-tree.ts";

/** Compares two texts of one file by their trees. What cannot be shown to be the same counts as something else. */
export function compareParsed(before: Parsed, after: Parsed, grammar: Grammar, isModule: boolean): MutationClass {
  const [old, young] = [before.tree, after.tree];
  const areDirectivesSame = before.directives.join("\n") === after.directives.join("\n");
  if (!areDirectivesSame) return "INTENT_EVOLUTION";
  if (keyOf(old) === keyOf(young)) return "FORMAT_ONLY";
  const isRefactored =
    isRenamed(old, young, grammar, isModule) ||
    isMoved(old, young, grammar) ||
    isExtracted(old, young, grammar) ||
    isExtracted(young, old, grammar);
  return isRefactored ? "AST_REFACTOR" : "INTENT_EVOLUTION";
}
