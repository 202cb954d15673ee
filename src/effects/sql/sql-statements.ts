import type { SqlToken } from "./sql-tokens.ts";

/** The statements of a text: apart by `;` or a line with `GO`; the body of a definition belongs to it. */
export function sqlStatements(tokens: readonly SqlToken[]): (readonly SqlToken[])[] {
  const statements: SqlToken[][] = [];
  let statement: SqlToken[] = [];
  let depth = 0;
  const close = () => {
    if (statement.length > 0) statements.push(statement);
    statement = [];
    depth = 0;
  };
  for (const [at, token] of tokens.entries()) {
    if (isBatchEnd(token, tokens[at + 1])) close();
    else if (token.kind === "sign" && token.text === ";" && depth === 0) close();
    else {
      statement.push(token);
      if (token.kind === "word" && BLOCK_WORD.has(token.text) && isDefinition(statement))
        depth = Math.max(0, depth + nesting(tokens, at));
    }
  }
  close();
  return statements;
}

/** Whether a statement defines what is run later: a function, a trigger. */
export function isDefinition(statement: readonly SqlToken[]): boolean {
  const [first, ...others] = statement.slice(0, 12);
  if (first?.kind !== "word" || (first.text !== "create" && first.text !== "alter")) return false;
  for (const { kind, text } of others) {
    if (kind === "word" && DEFINED.has(text)) return true;
    // `CREATE DEFINER = me@host PROCEDURE`: names and signs may stand before the word.
    if (kind === "word" && NO_DEFINITION.has(text)) return false;
  }
  return false;
}

/** How a word of a body opens or closes a block. `END IF` closes what no word here opened. */
function nesting(tokens: readonly SqlToken[], at: number): number {
  const word = tokens[at]?.text;
  const next = tokens[at + 1];
  const last = tokens[at - 1];
  if (word === "end") return next?.kind === "word" && OTHER_BLOCKS.has(next.text) ? 0 : -1;
  if (word === "case") return last?.kind === "word" && last.text === "end" ? 0 : 1;
  return next?.kind === "word" && /^tran/.test(next.text) ? 0 : 1;
}

function isBatchEnd(token: SqlToken, next: SqlToken | undefined): boolean {
  return token.kind === "word" && token.text === "go" && token.opensLine && (next === undefined || next.opensLine);
}

const BLOCK_WORD: ReadonlySet<string> = new Set(["begin", "case", "end"]);
const OTHER_BLOCKS: ReadonlySet<string> = new Set(["if", "loop", "while", "repeat", "for"]);
const DEFINED: ReadonlySet<string> = new Set("function procedure proc trigger event package aggregate rule".split(" "));
const NO_DEFINITION: ReadonlySet<string> = new Set(
  "table view index database schema user role login sequence type extension policy column add drop as select".split(
    " ",
  ),
);
