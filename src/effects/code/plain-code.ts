import type { SimpleCommand } from "../parse/command.ts";
import type { Effect } from "../effect.ts";

/**
 * Whether a program that runs code is given nothing but writes, reads and prints whose every part stands written there:
 * `python3 -c "open('a', 'w').write('x')"`. What it writes has to be among the known effects as well.
 */
export function isPlainCode({ program, args, assignments }: SimpleCommand, effects: readonly Effect[]): boolean {
  const row = ROWS.find(({ program: named }) => named.test(program?.text ?? ""));
  const [flag, code] = args;
  if (row === undefined || args.length !== 2 || Object.keys(assignments).length > 0) return false;
  if (flag?.text !== row.flag || code === undefined || !code.isKnown) return false;
  const written = writtenBy(code.text, row.statements);
  const told = effects.flatMap((effect) => (effect.does === "write" ? effect.path.text : []));
  return written?.every((path) => told.some((known) => known === path || known.endsWith(`/${path}`))) ?? false;
}

/** The paths that statements write, one after the other; nothing when there is anything else among them. */
function writtenBy(code: string, statements: readonly RegExp[]): string[] | undefined {
  const paths: string[] = [];
  let rest = code.trim();
  while (rest !== "") {
    const found = statements.map((statement) => statement.exec(rest)).find((match) => match !== null);
    if (found === undefined) return undefined;
    const path = found.groups?.path;
    if (path !== undefined) paths.push(path.slice(1, -1).replace(/^(?:\.\/)+/, ""));
    rest = rest.slice(found[0].length);
  }
  return paths;
}

interface Row {
  readonly program: RegExp;
  readonly flag: string;
  readonly statements: readonly RegExp[];
}

/** Texts that mean what they show; in what is written into a file, marks such as `\n` may stand. */
const PATH = String.raw`(?:'[^'\\\n#]+'|"[^"\\\n#]+")`;
const TEXT = String.raw`(?:'(?:[^'\\\n]|\\[^\n])*'|"(?:[^"\\\n]|\\[^\n])*")`;
const PLAIN = String.raw`(?:'[^'\\\n#]*'|"(?:[^"\\\n#]|\\n)*")`;
const MODE = String.raw`['"][wax]t?\+?['"]`;
const WRITES = String.raw`open\((?<path>${PATH}), *${MODE}\)`;

const ROWS: readonly Row[] = [
  {
    program: /^python[\d.]*$/,
    flag: "-c",
    statements: [
      statement(String.raw`${WRITES}\.write\(${TEXT}\)`),
      statement(String.raw`with ${WRITES} as (?<name>[a-z]\w*):\s*\k<name>\.write\(${TEXT}\)`),
      statement(String.raw`print\((?:${TEXT}|\d+|open\(${PATH}\)\.read\(\))?\)`),
    ],
  },
  {
    program: /^ruby[\d.]*$/,
    flag: "-e",
    statements: [statement(String.raw`File\.write\((?<path>${PATH}), *${PLAIN}\)`), statement(`puts ${PLAIN}`)],
  },
];

function statement(form: string): RegExp {
  return new RegExp(String.raw`^${form}[ \t]*(?:[;\n]\s*|$)`);
}
