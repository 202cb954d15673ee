import { GAP } from "../parse/command.ts";
import { fieldOf } from "../parse/value.ts";
import { EQUIVALENTS } from "../programs/equivalents.ts";
import type { Inner } from "../programs/program.ts";

/** What an awk program runs and writes. */
export function readAwk(code: string): Inner[] {
  const inners: Inner[] = [];
  const constants = new Map<string, string>();
  for (const [, name = "", expression = ""] of code.matchAll(
    /\b(\w+)\s*=\s*("(?:[^"\\]|\\.)*"(?:[ \t]*(?:"(?:[^"\\]|\\.)*"|[$\w]+))*)/g,
  ))
    constants.set(name, textOf(expression, constants));
  // What a line prints is taken into a variable.
  for (const [, text = "", name = ""] of code.matchAll(/"((?:[^"\\]|\\.)*)"\s*\|&?\s*getline\s+(\w+)/g))
    constants.set(name, `$(${unescaped(text)})`);
  for (const [, expression = ""] of code.matchAll(/\bsystem\s*\(((?:"(?:[^"\\]|\\.)*"|[^()"]|\([^()]*\))*)\)/g))
    inners.push(line(textOf(expression, constants)));
  // What a command prints is read into a variable, and run.
  const isPrintedRun = /\bsystem\s*\(\s*[a-z_$]/i.test(code) || /\bprintf?\b[^"]{0,80}\|\s*"(?:ba|z|da)?sh"/.test(code);
  for (const [, text = ""] of code.matchAll(/"((?:[^"\\]|\\.)*)"\s*\|&?\s*getline/g))
    inners.push(isPrintedRun ? EQUIVALENTS.runOutput(unescaped(text)) : line(unescaped(text)));
  for (const [, name = ""] of code.matchAll(/\b([a-zA-Z_]\w*)\s*\|&?\s*getline/g))
    inners.push(line(textOf(name, constants)));
  for (const [, printed = "", expression = ""] of code.matchAll(
    /\bprintf?\b([^;{}\n]{0,200}?)\|&?\s*("(?:[^"\\]|\\.)*"|[a-zA-Z_]\w*)/g,
  )) {
    const command = textOf(expression, constants);
    inners.push(line(command));
    if (SHELLS.test(command)) inners.push(line(textOf(printed.replaceAll(/[(),]|%[sd]/g, " "), constants)));
  }
  for (const [, printed = "", sign, expression = ""] of code.matchAll(
    /\bprintf?\b([^;{}\n]{0,200}?)(>>?)\s*("(?:[^"\\]|\\.)*"|[a-zA-Z_$]\w*)/g,
  ))
    inners.push({
      runs: "write",
      path: fieldOf(textOf(expression, constants)),
      way: sign === ">" ? "write" : "append",
      via: "",
      ...(printed.trim() === '""' && { isEmptied: true }),
    });
  const [, host, port] = /\/inet6?\/(?:tcp|udp)\/\w*\/([^/"]+)\/(\w+)/.exec(code) ?? [];
  // What comes in by the socket, and is the command of a pipe, is run.
  const isRun = /\(\s*\w+\s*\|&?\s*getline/.test(code) || /\bsystem\s*\(\s*[a-z_$]/i.test(code);
  if (host !== undefined) inners.push(EQUIVALENTS.socket(host, port ?? "", isRun));
  return inners;
}

/** Commands that run what is printed to them. */
const SHELLS = /^\s*(?:\/\S*\/)?(?:ba|da|z|k)?sh(?:\s+-\w+)*\s*$/;

function line(text: string): Inner {
  return text === GAP
    ? { runs: "doubt", why: "unknown code", what: "awk" }
    : { runs: "shell", text: fieldOf(text), via: "" };
}

function textOf(expression: string, constants: ReadonlyMap<string, string>): string {
  const pieces = expression.match(/"(?:[^"\\]|\\.)*"|[^\s"]+/g) ?? [];
  return (
    pieces
      .map((piece) => (piece.startsWith('"') ? unescaped(piece.slice(1, -1)) : (constants.get(piece) ?? GAP)))
      .join("") || GAP
  );
}

function unescaped(text: string): string {
  return text.replaceAll(/\\x([\da-fA-F]{1,2})|\\([0-7]{1,3})|\\([\s\S])/g, (_, hex, octal, sign) =>
    hex
      ? String.fromCharCode(Number.parseInt(hex, 16))
      : octal
        ? String.fromCharCode(Number.parseInt(octal, 8))
        : ({ n: "\n", t: "\t" }[sign as string] ?? sign),
  );
}

/** What a sed script runs and writes: `e command`, `s/…/…/e`, `w file`. */
export function readSed(code: string, input: string): Inner[] {
  const inners: Inner[] = [];
  for (const command of commandsOf(code)) {
    const rest = command.replace(
      /^(?:\d+|\$|\/(?:[^/\\]|\\.)*\/I?|\\(.)(?:(?!\1).)*\1)?(?:[,~](?:\d+|\$|\/(?:[^/\\]|\\.)*\/))?\s*!?\s*/,
      "",
    );
    const [, run] = /^e\s*([\s\S]*)$/.exec(rest) ?? [];
    if (run !== undefined && run.trim() === "") inners.push(fromInput(input));
    // Versions differ in whether a backslash is taken away.
    else if (run !== undefined)
      for (const text of new Set([run.trim(), run.trim().replaceAll(/\\([\s\S])/g, "$1")]))
        inners.push({ runs: "shell", text: fieldOf(text), via: "" });
    const [, path] = /^[wW]\s+(\S[\s\S]*)$/.exec(rest) ?? [];
    if (path !== undefined) inners.push({ runs: "write", path: fieldOf(path.trim()), way: "write", via: "" });
    const [, , , to = "", flags = ""] =
      /^s(.)((?:\\[\s\S]|(?!\1)[^\\])*)\1((?:\\[\s\S]|(?!\1)[^\\])*)\1([\s\S]*)$/.exec(rest) ?? [];
    const [, ownPath] = /w\s+(\S.*)$/.exec(flags) ?? [];
    if (ownPath !== undefined) inners.push({ runs: "write", path: fieldOf(ownPath), way: "write", via: "" });
    if (/^[gpiImM\d]*e/.test(flags))
      inners.push(
        to === "&" || to === "\\0"
          ? fromInput(input)
          : { runs: "shell", text: fieldOf(to.replaceAll(/&|\\\d/g, GAP)), via: "" },
      );
  }
  return inners;
}

function fromInput(input: string): Inner {
  return input === "" || input.includes(GAP)
    ? { runs: "doubt", why: "unknown code", what: "sed" }
    : { runs: "shell", text: fieldOf(input), via: "" };
}

/** Commands of a script; `e`, `w` and similar commands take the rest of the line; else `;`, braces and line ends part them, but not inside of `s/…/…/`. */
function commandsOf(code: string): string[] {
  const found =
    code.match(
      /(?<=^|[;{}\n])[ \t]*(?:(?:\d+|\$|\/(?:[^/\\\n]|\\.)*\/I?)(?:,(?:\d+|\$))?[ \t]*)?(?:![ \t]*)?[ewW](?:[ \t][^\n]*|(?=\n|$))|(?:[^;\n{}/\\s]|\\[\s\S]|s([/|#,:!@])(?:\\[\s\S]|(?!\1)[^\\])*\1(?:\\[\s\S]|(?!\1)[^\\])*\1|\/(?:[^/\\\n]|\\.)*\/|s)+/g,
    ) ?? [];
  return found.slice(0, 1000).map((command) => command.trim());
}

/** What a makefile runs: its recipes and `$(shell …)`. */
export function readMake(code: string): Inner[] {
  const recipes = [...code.matchAll(/^\t[-@+]*(.+)$|^[^\s#:][^:=\n]*:[^=\n;]*;\s*[-@+]*(.+)$/gm)].map(
    ([, one, other]) => one ?? other ?? "",
  );
  const called = [...code.matchAll(/\$[({]shell\s+([^()]*)[)}]|!=\s*(.+)$/gm)].map(
    ([, one, other]) => one ?? other ?? "",
  );
  const lines = [...recipes.map((recipe) => recipe.replaceAll("$$", "$")), ...called].map(
    (text): Inner => ({ runs: "shell", text: fieldOf(text), via: "" }),
  );
  const files = [...code.matchAll(/\$[({]file\s*(<|>>?)\s*([^\s,(){}]+)/g)].map(([, sign, path = ""]): Inner => {
    const way = sign === "<" ? "read" : sign === ">" ? "write" : "append";
    return { runs: "write", path: fieldOf(path), way, via: "" };
  });
  return [...lines, ...files];
}

/** What a Tcl or Expect script runs and removes: `exec`, `spawn`, `system`, `file delete`. */
export function readTcl(code: string): Inner[] {
  return code.split(/[;\n[\]]+/).flatMap((piece): Inner[] => {
    const [, run] = /^[\s{]*(?:exec|spawn|system|open\s+["{]?\|)\s*([^{}]+)/.exec(piece) ?? [];
    if (run !== undefined) return [{ runs: "shell", text: fieldOf(bare(run)), via: "" }];
    const [, sent] = /^[\s{]*send\s+(?:--\s+)?"((?:[^"\\]|\\.)*)"/.exec(piece) ?? [];
    if (sent !== undefined) return [{ runs: "shell", text: fieldOf(sent.replaceAll(/\\[rn]/g, "\n")), via: "" }];
    const [, force, path] = /^[\s{]*file\s+delete\s+(-force\s+)?(?:--\s+)?(\S+)/.exec(piece) ?? [];
    if (path === undefined) return [];
    return [EQUIVALENTS.removal([force === undefined ? "-f" : "-rf"], [fieldOf(bare(path))])];
  });
}

/** Without the options that are Tcl's own, and without what a whole line may be quoted with. */
function bare(text: string): string {
  return text
    .trim()
    .replace(/^(?:-(?:ignorestderr|keepnewline|noecho|nottycopy|--)\s+)+/, "")
    .replace(/^"([^"]*)"$/, "$1")
    .replace(/["}]$/, (sign) => (text.includes(sign === "}" ? "{" : '"') && !/^["{]/.test(text.trim()) ? sign : ""));
}
