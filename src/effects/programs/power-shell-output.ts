import { isKeyName } from "../key-shapes.ts";

/** Whether a line shows variables of the environment that hold keys, or all of them: by themselves, or by what prints. */
export function showsVariables(line: string): boolean {
  if (!/env/i.test(line)) return false;
  if (/\[(?:System\.)?Environment\]::GetEnvironmentVariables\(/i.test(line)) return true;
  return line.split(/[;\n]/).some((statement) => {
    if (/^\s*(?:-\S+\s+)*(?:if|while|switch)\s*\(/i.test(statement)) return false;
    const [first = "", ...rest] = statement.split("|");
    if (rest.some((stage) => !SHOWS().test(stage))) return false;
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
const SHOWS = () => /^\s*(?:out-(?:host|string|default)|write-\w+|format-\w+|fl|ft|select(?:-object)?|echo)\b/i;

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
      .every((stage) => SHOWS().test(stage) || FILTERS.test(stage));
  });
}

/** Cmdlets that hand on some of what they get. */
const FILTERS = /^\s*(?:select-string|sls|where(?:-object)?|\?|sort(?:-object)?)(?=\s)/i;
