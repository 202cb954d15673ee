import type { SimpleCommand, Word } from "./command.ts";

/** The commands that `cmd /c` or `powershell -Command` is given, taken apart at blanks; quotes are few there. */
export function windowsCommands(name: string, command: SimpleCommand): readonly SimpleCommand[] {
  if (!NAMED.test(name)) return NONE;
  const start = SHELLS[name.toLowerCase().replace(/\.exe$/, "")];
  if (start === undefined) return NONE;
  const at = command.args.findIndex(({ text }) => start.test(text));
  if (at < 0) return [];
  const text = command.args
    .slice(at + 1)
    .map((word) => word.text)
    .join(" ");
  return text
    .split(/[;&|\n]+/)
    .slice(0, MOST)
    .flatMap((line) => {
      const [program, ...args] = line.match(/"[^"]*"|'[^']*'|[^\s"']+/g) ?? [];
      return program === undefined ? [] : [{ ...command, program: word(program), args: args.map(word), redirects: [] }];
    });
}

function word(text: string): Word {
  const bare = text.replaceAll(/^["']|["']$/g, "");
  return { text: bare, isKnown: true, isGlob: /[*?]/.test(bare) };
}

const NAMED = /^(?:cmd|powershell|pwsh)(?:\.exe)?$/i;
const NONE: readonly never[] = [];
const SHELLS: Readonly<Record<string, RegExp>> = {
  __proto__: null as never,
  cmd: /^\/[ck]$/i,
  powershell: /^-c(?:o(?:m(?:m(?:a(?:n(?:d)?)?)?)?)?)?$/i,
  pwsh: /^-c(?:o(?:m(?:m(?:a(?:n(?:d)?)?)?)?)?)?$/i,
};
const MOST = 50;
