import type { SimpleCommand } from "../parse/command.ts";
import { isProgram } from "./program-name.ts";

/**
 * A line of PowerShell as a command that runs it, in addition to what a Unix shell would do; undefined if the line is
 * not PowerShell or names its shell itself.
 */
export function asPowerShell(text: string, commands: readonly SimpleCommand[]): SimpleCommand | undefined {
  if (!HINT.test(text) || !POWERSHELL().test(text) || !SPECIAL.test(text)) return undefined;
  if (commands.some(({ program }) => isProgram("windows-shell", program?.text ?? ""))) return undefined;
  return wholeLine(text);
}

/** A command that runs a line of PowerShell, for what only the line as a whole shows. */
export function wholeLine(text: string): SimpleCommand {
  const word = (each: string) => ({ text: each, isKnown: true, isGlob: false });
  return {
    program: word("pwsh"),
    args: [word("-Command"), word(text.slice(0, LONGEST))],
    assignments: {},
    redirects: [],
    input: { from: "nothing" },
    folder: ".",
    via: [],
    source: text,
  };
}

/** Most lines contain none of these, so that one test is enough for them. */
const HINT = /-[A-Z][a-z]|^(?:gc|ri) |i(?:ex|wr|rm) |gci |::|env:|%\\|\$true|load/;
const LONGEST = 20_000;
/** Cmdlets, classes, aliases and variables that only PowerShell and the shell of Windows have. */
const POWERSHELL = () =>
  /(?:^|[\s;|&({=])(?:\[(?:System\.)?(?:IO|Net|Convert|Text|Environment|scriptblock|Diagnostics)\b[\w.]*\]|(?:Get|Set|Remove|New|Invoke|Start|Stop|Clear|Add|Move|Copy|Out|Rename|Restart|Register|Disable|Enable|Expand|Import|Export)-[A-Z]\w+|(?:dir|gci|ls)\s+env:)|(?:^|[;|&({=])\s*(?:iex|iwr|irm|gci|gc|ri)(?=\s+[-\w.$"'(~*\\:])|\$env:\w|%(?:USERPROFILE|APPDATA|TEMP)%\\|while\s*\(\$true\)|\.UploadFile\(|\.Download(?:String|File)\(/;
/** What a single cmdlet with plain arguments does not contain; such a cmdlet is read like any other program. */
const SPECIAL = /[|&;(){}[\]%\\"]|\$(?!(?:true|false|null)\b)|,\s|\b[Ee]nv:/;
