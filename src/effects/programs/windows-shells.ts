import { GAP, type Redirect, type SimpleCommand, type Word } from "../parse/command.ts";

/** The commands that `cmd /c` or `powershell -Command` is given. */
export function windowsCommands(name: string, command: SimpleCommand): readonly SimpleCommand[] {
  if (!NAMED.test(name)) return NONE;
  const shell = WINDOWS_SHELLS[name.toLowerCase().replace(/\.exe$/, "")];
  if (shell === undefined) return NONE;
  const given = shell.text(command.args.map((word) => word.text));
  const { input } = command;
  const text = (given === undefined || given === "-") && input.from === "text" ? input.text.text : given;
  if (text === undefined || text === "") return NONE;
  return windowsLine(text, shell, command).map((one) => one.command);
}

/** A command of a line for a shell of Windows. */
export interface WindowsCommand {
  readonly command: SimpleCommand;
  /** It reads the output of the previous command. */
  readonly isPiped: boolean;
  /** The part of the line that it comes from. */
  readonly text: string;
}

/** Splits a line for a shell of Windows into its commands; their other properties are those of `around`. */
export function windowsLine(
  text: string,
  { aliases }: Pick<WindowsShell, "aliases">,
  around: SimpleCommand,
): readonly WindowsCommand[] {
  const found: WindowsCommand[] = calledClasses(text, around).map((command) => ({ command, isPiped: false, text }));
  for (const statement of splitOutsideQuotes(opened(withPipelines(joinedTexts(text))), /;|&&|\|\||\n/y).slice(
    0,
    MAX_PARTS,
  )) {
    let listed: readonly Word[] = NONE;
    for (const block of splitOutsideQuotes(statement, /[&{}]+/y).slice(0, MAX_PARTS)) {
      let isPiped = false;
      for (const written of splitOutsideQuotes(block, /\|/y).slice(0, MAX_PARTS)) {
        // The value of a variable is a command like any other, unless it is a text.
        const stage = written.replace(/^\s*\$[\w:]{1,60}\s*=\s*(?=[A-Za-z[])/, "").replace(CONDITION, "");
        const { words, redirects } = withoutRedirects(stage.match(WORDS) ?? []);
        const [called, ...others] = words;
        if (called === undefined) continue;
        const program = aliases[called.toLowerCase()] ?? called;
        const given =
          aliases === CMD && program !== called && program.includes("-")
            ? others.filter((text) => !SWITCH.test(text))
            : others;
        const args = withListed(program, given.map(wordOf), listed);
        found.push({
          command: { ...around, program: wordOf(program), args, redirects },
          isPiped,
          text: written.trim(),
        });
        isPiped = true;
        if (LISTS.test(program)) listed = listedBy(args);
      }
    }
  }
  return found;
}

/** `@del x`, `if exist x del x`, `for %f in (…) do del %f`, as cmd reads them. */
const CONDITION =
  /^\s*@?(?:if\s+(?:\/i\s+)?(?:not\s+)?(?:exist\s+(?:"[^"]*"|\S+)|errorlevel\s+\d+|defined\s+\w+|\S+\s*==\s*\S+)\s+|for\s+(?:\/\w\s+(?:\S+\s+)?)?%{1,2}\w\s+in\s+\S+\s+do\s+)?@?/i;

/** Splits a text where a separator matches outside of quotes; a quote without an end is a plain character. */
function splitOutsideQuotes(text: string, separator: RegExp): string[] {
  const parts: string[] = [];
  let start = 0;
  for (let at = 0; at < text.length; ) {
    const letter = text[at];
    const end = letter === '"' || letter === "'" ? text.indexOf(letter, at + 1) : -1;
    separator.lastIndex = at;
    const match = end < 0 ? separator.exec(text) : null;
    if (match !== null) parts.push(text.slice(start, at));
    at = match === null ? Math.max(end, at) + 1 : separator.lastIndex;
    if (match !== null) start = at;
  }
  return [...parts, text.slice(start)];
}

/** The arguments of a command without its redirections. */
function withoutRedirects(all: readonly string[]): { readonly words: string[]; readonly redirects: Redirect[] } {
  const words: string[] = [];
  const redirects: Redirect[] = [];
  for (let at = 0; at < all.length; at++) {
    const [whole, sign, attached = ""] = /^(?:\d|\*)?(>>?|<)(.*)$/s.exec(all[at] ?? "") ?? [];
    if (whole === undefined) words.push(all[at] ?? "");
    else if (!attached.startsWith("&")) {
      const target = wordOf(attached === "" ? (all[++at] ?? "") : attached);
      redirects.push({ way: sign === "<" ? "read" : sign === ">>" ? "append" : "write", target });
    }
  }
  return { words, redirects };
}

/** A cmdlet that was read as by a Unix shell, with the backslashes of its paths restored. */
export function asCmdlet(command: SimpleCommand): SimpleCommand {
  const { program, source, args } = command;
  if (!/^[A-Za-z]+-[A-Za-z]+$/.test(program?.text ?? "") || !source.includes("\\")) return command;
  const [, ...words] = source.match(WORDS) ?? [];
  return words.length === args.length ? { ...command, args: words.map(wordOf) } : command;
}

const WORDS = /"[^"]*"|'[^']*'|[^\s"',]+/g;

/** `'Remove'+'-Item'` is one text. */
function joinedTexts(text: string): string {
  return text
    .replaceAll(/(["'])([^"']*)\1\s*\+\s*(["'])([^"']*)\3/g, "$1$2$4$1")
    .replaceAll(/&\s*\(\s*["']([\w-]+)["']\s*\)/g, "$1");
}

/** Replaces loops over a listing, and variables that contain one, by equivalent pipelines. */
function withPipelines(text: string): string {
  if (!/\bforeach\b|\.Delete\(|\$\w+\s*=/i.test(text)) return text;
  let line = text
    .replaceAll(/\[(?:System\.)?IO\.(?:File|Directory)\]::Delete\(\s*(\$\w[\w.]*)[^()]*\)/gi, "Remove-Item $1")
    .replaceAll(/(?<=[{;]\s*)(\$\w+)\.Delete\([^()]*\)/gi, "Remove-Item $1");
  for (const [, name = "", listing = ""] of text.matchAll(HELD_LISTING()))
    line = line.replaceAll(new RegExp(`\\$${name}(?=\\s*[|)])`, "gi"), () => listing.trim());
  return line.replaceAll(LOOP(), (_, name: string, listing: string, body: string) => {
    const items = listing.replace(/^\s*\((.*)\)\s*$/, "$1");
    return `${items} | % {${body.replaceAll(new RegExp(`\\$${name}\\b`, "gi"), "$_")}}`;
  });
}

const HELD_LISTING = () => /\$(\w{1,40})\s*=\s*\(?\s*((?:Get-ChildItem|gci|ls|dir)\b[^;\n)]{0,400})(?:\)\.\w+)?/gi;
const LOOP = () =>
  /\bforeach\s*\(\s*\$(\w{1,40})\s+in\s+((?:[^()]|\([^()]*\)){1,400})\)(?:\.\w+)?\s*\{([^{}]{0,2000})\}/gi;

/** `[IO.File]::Delete('a')`: methods of classes, as equivalent cmdlets. */
function calledClasses(text: string, command: SimpleCommand): readonly SimpleCommand[] {
  const found: SimpleCommand[] = [];
  for (const [, method = "", given = ""] of text.matchAll(CLASS_CALLS())) {
    const cmdlet = METHODS[method.toLowerCase()];
    if (cmdlet === undefined) continue;
    const words = given.match(WORDS) ?? [];
    const paths = words.slice(0, cmdlet.takes).map(wordOf);
    if (/^(?:""|'')$/.test(words[1] ?? "") && cmdlet.name === "Set-Content") paths.push(wordOf("-Value"), wordOf(""));
    const options = [...cmdlet.options, ...(words.some((word) => /^\$true$/i.test(word)) ? ["-Recurse"] : [])].map(
      wordOf,
    );
    // The address precedes the file.
    const args =
      cmdlet.takes === 2 && options.length > 0
        ? [...paths.slice(0, 1), ...options, ...paths.slice(1)]
        : [...options, ...paths];
    found.push({ ...command, program: wordOf(cmdlet.name), args, redirects: [] });
  }
  return found;
}

const CLASS_CALLS = () => /(?:\[(?:System\.)?IO\.(?:File|Directory)\]::|\bNet\.WebClient\)\.)(\w+)\(([^()]*)\)/gi;
const METHODS: Readonly<
  Record<string, { readonly name: string; readonly options: readonly string[]; readonly takes: number }>
> = {
  __proto__: null as never,
  delete: { name: "Remove-Item", options: [], takes: 1 },
  readalltext: { name: "Get-Content", options: [], takes: 1 },
  readalllines: { name: "Get-Content", options: [], takes: 1 },
  readallbytes: { name: "Get-Content", options: [], takes: 1 },
  writealltext: { name: "Set-Content", options: [], takes: 1 },
  writeallbytes: { name: "Set-Content", options: [], takes: 1 },
  create: { name: "Clear-Content", options: [], takes: 1 },
  move: { name: "Move-Item", options: [], takes: 2 },
  copy: { name: "Copy-Item", options: [], takes: 2 },
  downloadfile: { name: "Invoke-WebRequest", options: ["-OutFile"], takes: 2 },
  uploadfile: { name: "Invoke-RestMethod", options: ["-InFile"], takes: 2 },
};

/** Code in parentheses runs first, and its value is known only at run time: `(Get-Content a)`, `(Join-Path a b)`. */
function opened(text: string): string {
  const inside: string[] = [];
  let rest = text;
  for (let turn = 0; turn < MAX_PARTS && rest.includes("("); turn++) {
    const before = rest;
    rest = rest.replace(/\$?\(([^()]*)\)/, (_, part: string) => {
      inside.push(part);
      return /^\s*Join-Path\s+(\S+)\s+(\S+)\s*$/i.exec(part)?.slice(1).join("/") ?? GAP;
    });
    if (rest === before) break;
  }
  return [...inside, rest].join(";");
}

/** The arguments after the option that takes a command; PowerShell of Windows also takes one without the option. */
function afterOption(option: RegExp): (args: readonly string[]) => string | undefined {
  return (args) => {
    const at = args.findIndex((text) => option.test(text));
    return at < 0 ? undefined : args.slice(at + 1).join(" ");
  };
}

function afterOptions(args: readonly string[]): string | undefined {
  const text = afterOption(COMMAND)(args);
  if (text !== undefined || args.some((arg) => /^-(?:f(?:i|il|ile)?|e(?:nc|c|ncodedcommand)?)$/i.test(arg)))
    return text;
  const at = args.findIndex((arg, index) => !arg.startsWith("-") && !VALUED().test(args[index - 1] ?? ""));
  return at < 0 ? undefined : args.slice(at).join(" ");
}

/** `Get-ChildItem x | Remove-Item`, `… | % { Remove-Item $_ }`: the listed files are its operands. */
function withListed(program: string, args: readonly Word[], listed: readonly Word[]): readonly Word[] {
  if (!TAKES_LISTED.test(program) || args.some(({ text }) => !text.startsWith("-") && !ITEM.test(text))) return args;
  return [...args.filter(({ text }) => !ITEM.test(text)), ...(listed.length > 0 ? listed : [UNKNOWN])];
}

/** The names that a listing prints: all of a folder, or those that match a pattern. */
function listedBy(args: readonly Word[]): readonly Word[] {
  const [folder = "."] = args.flatMap(({ text }, at) =>
    text.startsWith("-") || FILTERS.test(args[at - 1]?.text ?? "") ? [] : [text],
  );
  const pattern = args.find((_, at) => FILTERS.test(args[at - 1]?.text ?? ""))?.text;
  const isDeep = args.some(({ text }) => /^-r/i.test(text));
  if (/[*?]/.test(folder))
    return [{ text: isDeep ? folder.replace(/[^/]+$/, "**/$&") : folder, isKnown: false, isGlob: true }];
  const inside = folder === "." ? "" : `${folder}/`;
  return [
    { text: `${inside}${isDeep && pattern !== undefined ? "**/" : ""}${pattern ?? "*"}`, isKnown: false, isGlob: true },
  ];
}

function wordOf(text: string): Word {
  const bare = text
    .replaceAll(/^["']|["']$/g, "")
    .replace(HOME, "~")
    .replace(APPDATA, (_, local) => (local === undefined ? "~/AppData/Roaming" : "~/AppData/Local"))
    .replace(/^\$PWD(?=[\\/]|$)/i, ".")
    .replace(/^\$PROFILE(?:\.\w+)?$/i, "~/Documents/PowerShell/Microsoft.PowerShell_profile.ps1");
  return { text: bare.replaceAll("\\", "/"), isKnown: true, isGlob: /[*?]/.test(bare) };
}

interface WindowsShell {
  readonly text: (args: readonly string[]) => string | undefined;
  /** Other names of its commands. */
  readonly aliases: Readonly<Record<string, string>>;
}

const NAMED = /^(?:cmd|powershell|pwsh)(?:\.exe)?$/i;
const NONE: readonly never[] = [];
const MAX_PARTS = 50;
const COMMAND = /^[-/]c(?:o(?:m(?:m(?:a(?:n(?:d)?)?)?)?)?)?$/i;
/** Options of PowerShell that take a value. */
const VALUED = () => /^-(?:ex\w*|ep|w|wi\w*|v\w*|ps\w*|in\w*|if|o\w*|co\w*|cu\w*|wd|wo\w*|settings\w*)$/i;
/** A path that is known only at run time. */
const UNKNOWN: Word = { text: GAP, isKnown: false, isGlob: false };
const LISTS = /^(?:get-childitem|get-item|resolve-path)$/i;
const TAKES_LISTED = /^(?:remove-item|clear-content|set-content)$/i;
const FILTERS = /^-(?:filter|include)$/i;
const ITEM = /^\$(?:_|PSItem)(?:\.\w+)?$/i;
const HOME = /^(?:\$env:(?:USERPROFILE|HOME)|\$HOME|%USERPROFILE%|\$\{HOME\})(?=[\\/]|$)/i;
/** The folders of programs in a home: `$env:APPDATA`, `%LOCALAPPDATA%`. */
const APPDATA = /^(?:\$env:|%)(LOCAL)?APPDATA%?(?=[\\/]|$)/i;

const POWERSHELL: WindowsShell["aliases"] = {
  __proto__: null as never,
  rm: "Remove-Item",
  rmdir: "Remove-Item",
  rd: "Remove-Item",
  ri: "Remove-Item",
  del: "Remove-Item",
  erase: "Remove-Item",
  ls: "Get-ChildItem",
  dir: "Get-ChildItem",
  gci: "Get-ChildItem",
  gi: "Get-Item",
  cat: "Get-Content",
  type: "Get-Content",
  clc: "Clear-Content",
  ni: "New-Item",
  mv: "Move-Item",
  mi: "Move-Item",
  move: "Move-Item",
  cp: "Copy-Item",
  cpi: "Copy-Item",
  copy: "Copy-Item",
  kill: "Stop-Process",
  spps: "Stop-Process",
  gc: "Get-Content",
  sc: "Set-Content",
  ac: "Add-Content",
  iwr: "Invoke-WebRequest",
  irm: "Invoke-RestMethod",
  iex: "Invoke-Expression",
  cd: "Set-Location",
  chdir: "Set-Location",
  sl: "Set-Location",
  pushd: "Push-Location",
  saps: "Start-Process",
  start: "Start-Process",
  curl: "Invoke-WebRequest",
  wget: "Invoke-WebRequest",
};

const CMD: WindowsShell["aliases"] = {
  __proto__: null as never,
  rmdir: "rd",
  type: "Get-Content",
  move: "Move-Item",
  copy: "Copy-Item",
  xcopy: "Copy-Item",
  chdir: "cd",
  ren: "Rename-Item",
  rename: "Rename-Item",
  md: "mkdir",
};

/** A switch of cmd: `/y`, `/d:1`. */
const SWITCH = /^\/\w+(?::\S*)?$/;

/** The shells of Windows by the names of their programs. */
export const WINDOWS_SHELLS: Readonly<Record<string, WindowsShell>> = {
  __proto__: null as never,
  cmd: { text: afterOption(/^\/[ck]$/i), aliases: CMD },
  powershell: { text: afterOptions, aliases: POWERSHELL },
  pwsh: { text: afterOption(COMMAND), aliases: POWERSHELL },
};
