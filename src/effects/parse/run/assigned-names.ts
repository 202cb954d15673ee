import { forEachChild, type SyntaxNode } from "unbash";

/** The variables that a piece of the syntax may set, by what stands written there; "any" when that is too much to look at. */
export function assignedIn(node: SyntaxNode): ReadonlySet<string> | "any" {
  const names = new Set<string>();
  const budget = { left: 1_000 };
  collect(node, names, budget);
  return budget.left > 0 ? names : "any";
}

function collect(node: SyntaxNode, names: Set<string>, budget: { left: number }): void {
  if (budget.left-- <= 0) return;
  if (node.type === "Assignment") names.add(node.name);
  else if (node.type === "For" || node.type === "Select") names.add(node.name.value);
  else if (
    node.type === "ArithmeticBinary" &&
    /^(?:[-+*/%&|^]|<<|>>)?=$/.test(node.operator) &&
    node.left.type === "ArithmeticWord"
  )
    names.add(node.left.value);
  else if (
    node.type === "ArithmeticUnary" &&
    /^(?:\+\+|--)$/.test(node.operator) &&
    node.operand.type === "ArithmeticWord"
  )
    names.add(node.operand.value);
  else if (node.type === "Command" && SETTERS.has(node.name?.value ?? ""))
    for (const arg of node.args) if (arg.type === "Word" && /^[A-Za-z_]\w*$/.test(arg.value)) names.add(arg.value);
  // Scripts inside are run in shells of their own.
  if (node.type === "Script") return;
  forEachChild(node, (child) => collect(child, names, budget));
}

const SETTERS: ReadonlySet<string> = new Set(["read", "printf", "mapfile", "readarray", "unset", "getopts", "let"]);
