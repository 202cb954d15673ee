import { isKeyName } from "../key-names.ts";
import type { SimpleCommand } from "../parse/command.ts";
import { isProgram } from "./program-name.ts";

/**
 * A line of PowerShell, whatever tool it is given to: besides what a Unix shell makes of it, PowerShell reads it whole.
 * Nothing for a line that is none, or that names its shell itself.
 */
export function asPowerShell(text: string, commands: readonly SimpleCommand[]): SimpleCommand | undefined {
  if (!mayBe(text) || !POWERSHELL.test(text) || !SPECIAL.test(text)) return undefined;
  if (commands.some(({ program }) => isProgram("windows-shell", program?.text ?? ""))) return undefined;
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

/** Whether a line shows variables of the environment that hold keys, or all of them: by themselves, or by what prints. */
export function showsVariables(line: string): boolean {
  if (!/env/i.test(line)) return false;
  if (/\[(?:System\.)?Environment\]::GetEnvironmentVariables\(/i.test(line)) return true;
  return line.split(/[;\n]/).some((statement) => {
    if (/^\s*(?:-\S+\s+)*(?:if|while|switch)\s*\(/i.test(statement)) return false;
    const [first = "", ...rest] = statement.split("|");
    if (rest.some((stage) => !SHOWS.test(stage))) return false;
    const [, shown] =
      /^\s*(?:-\S+\s+)*(?:(?:write-(?:host|output|information|warning)|echo|get-(?:item|content|childitem)|gi|gc|dir|ls|cat|type)\s+)?["'(]*(.*)$/is.exec(
        first,
      ) ?? [];
    return (
      shown !== undefined && /^[^=$]*(?:\$\{?env:|^env:|GetEnvironmentVariable\(["'])/i.test(shown) && namesKey(shown)
    );
  });
}

function namesKey(text: string): boolean {
  return [...text.matchAll(/(?:env:|GetEnvironmentVariable\(["'])(\w+)(?!\s*[\w:]*=)/gi)].some(([, name = ""]) =>
    isKeyName(name),
  );
}

/** Cmdlets that show what they get. */
const SHOWS = /^\s*(?:out-(?:host|string|default)|write-\w+|format-\w+|fl|ft|select(?:-object)?|echo)\b/i;

/** Whether what a line reads from a file is shown, and not put into a variable or handed on to what does something else. */
export function showsFile(line: string, name: string): boolean {
  return line.split(/[;\n]/).some((statement) => {
    const at = statement.indexOf(name);
    if (at < 0 || /^\s*(?:-\S+\s+)*\$[\w:]+\s*=/.test(statement)) return false;
    if (/^[^|]*\)\.(?:count|length)\b/i.test(statement.slice(at))) return false;
    return statement
      .slice(at)
      .split("|")
      .slice(1)
      .every((stage) => SHOWS.test(stage) || FILTERS.test(stage));
  });
}

/** Cmdlets that hand on some of what they get. */
const FILTERS = /^\s*(?:select-string|sls|where(?:-object)?|\?|sort(?:-object)?)(?=\s)/i;

/** Most lines have none of these, and a search for a text is quick. */
function mayBe(text: string): boolean {
  return (
    CMDLET.test(text) ||
    text.startsWith("gc ") ||
    text.startsWith("ri ") ||
    text.includes("iex ") ||
    text.includes("iwr ") ||
    text.includes("irm ") ||
    text.includes("gci ") ||
    text.includes("::") ||
    text.includes("env:") ||
    text.includes("%\\") ||
    text.includes("$true") ||
    text.includes("load")
  );
}

const CMDLET = /-[A-Z][a-z]/;
const LONGEST = 20_000;
/** Cmdlets, classes, aliases and variables that only PowerShell and the shell of Windows have. */
const POWERSHELL =
  /(?:^|[\s;|&({=])(?:\[(?:System\.)?(?:IO|Net|Convert|Text|Environment|scriptblock|Diagnostics)\b[\w.]*\]|(?:Get|Set|Remove|New|Invoke|Start|Stop|Clear|Add|Move|Copy|Out|Rename|Restart|Register|Disable|Enable|Expand|Import|Export)-[A-Z]\w+|(?:dir|gci|ls)\s+env:)|(?:^|[;|&({=])\s*(?:iex|iwr|irm|gci|gc|ri)(?=\s+[-\w.$"'(~*\\:])|\$env:\w|%(?:USERPROFILE|APPDATA|TEMP)%\\|while\s*\(\$true\)|\.UploadFile\(|\.Download(?:String|File)\(/;
/** What one cmdlet with plain words does not have: that is read like any program. */
const SPECIAL = /[|&;(){}[\]%\\"]|\$(?!(?:true|false|null)\b)|,\s|\b[Ee]nv:/;
