import { isDevice } from "../devices.ts";
import { joinPath } from "../join-path.ts";
import { GAP } from "../parse/command.ts";
import type { FileContent, Shell, Stdin } from "../parse/shell-state.ts";
import type { Field } from "../parse/value.ts";
import { has, values } from "../programs/call.ts";
import { readOptions } from "../programs/options.ts";
import { namedProgram } from "../programs/program-name.ts";

interface Copying {
  readonly args: readonly Field[];
  readonly stdin: Stdin;
  readonly shell: Shell;
}

/** Remembers what `cp`, `mv`, `ln` and `install` put under another name: programs, and files that the line wrote. */
export function copyFiles({ args, shell }: Copying): string {
  const paths = args.filter(({ text }) => !/^-./.test(text));
  const [from, to] = paths;
  if (paths.length !== 2 || from === undefined || to === undefined || to.text.includes(GAP)) return "";
  const content = contentOf(from, shell);
  if (content === undefined) return "";
  const last = from.text.slice(from.text.lastIndexOf("/") + 1);
  for (const path of to.text.endsWith("/") || to.text === "."
    ? [`${to.text}/${last}`]
    : [to.text, `${to.text}/${last}`])
    shell.files.set(joinPath(shell.folder, path), content);
  return "";
}

function contentOf(from: Field, shell: Shell): FileContent | undefined {
  const own = shell.files.get(joinPath(shell.folder, from.text));
  if (own !== undefined) return own;
  const { field, isCertain } = namedProgram(from);
  if (from.text.startsWith("/") && isCertain && !field.text.includes("/")) return { program: field.text };
  return undefined;
}

/** Remembers that a file comes from elsewhere; gives what is printed. */
export function fetchFiles({ args, shell }: Copying, target: string, isNamed = false): string {
  const options = readOptions(
    args,
    `${target} header|H= data|d= request|X= user|u= user-agent|A= referer|e= prefix|P=`,
  );
  const named = values(options, "target");
  const isKeptName = has(options, "remote-name", "remote-header-name") || isNamed;
  const paths = named.length > 0 ? named : isKeptName ? options.operands.map(lastPart) : [];
  for (const { text } of paths)
    if (text !== "" && text !== "-" && !text.includes(GAP))
      shell.files.set(joinPath(shell.folder, text), { text: GAP });
  return paths.length > 0 && paths.every(({ text }) => text !== "-") ? "" : GAP;
}

function lastPart(url: Field): Field {
  const [path = ""] = url.text.split(/[?#]/);
  return { ...url, text: path.slice(path.lastIndexOf("/") + 1) };
}

/** Remembers what `tee` and `dd of=…` write, and hands it on. */
export function writeInput({ args, stdin, shell }: Copying): string {
  const text = args.some((arg) => arg.text.startsWith("if=")) ? GAP : stdin.text.slice(stdin.at);
  stdin.at = stdin.text.length;
  const isAppended = args.some((arg) => arg.text === "-a" || arg.text === "--append");
  for (const { text: word } of args) {
    const path = word.replace(/^of=/, "");
    if (
      /^-|^(?:if|bs|count|conv|status|seek|skip|oflag|iflag|ibs|obs)=/.test(path) ||
      path.includes(GAP) ||
      (isDevice(path) && !path.startsWith("/dev/fd/"))
    )
      continue;
    const key = joinPath(shell.folder, path);
    const before = isAppended ? shell.files.get(key) : undefined;
    shell.files.set(key, { text: (before && "text" in before ? before.text : "") + text });
  }
  return text;
}
