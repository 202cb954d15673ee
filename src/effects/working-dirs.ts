import { dataField, type EventFacts } from "../event/field.ts";
import { isRooted, normalisePath, relativePath } from "../pattern/path.ts";
import { presentKeys } from "./command-line.ts";
import { GAP } from "./parse/command.ts";

/**
 * The folders in which the command line of a call may run, as seen from the event's own: `.` where the call states none.
 * A call that states several may run in each of them. One that is not certain is a `GAP`, and does not take the
 * event's own folder away.
 */
export function workingDirs(event: EventFacts): readonly string[] {
  const args = dataField(event, "tool_args");
  if (typeof args !== "object" || args === null) return HERE;
  let found: Set<string> | undefined;
  for (const key of presentKeys(args, FOLDER_KEYS)) {
    const stated = (args as Readonly<Record<string, unknown>>)[key];
    if (stated === undefined || stated === null || stated === "") continue;
    found ??= new Set();
    if (typeof stated === "string" && isPlain(stated, event.cwd)) found.add(seenFrom(event.cwd, stated));
    else found.add(".").add(GAP);
  }
  return found === undefined ? HERE : [...found];
}

/** The whole path of such a folder, as far as it can be known. */
export function wholeWorkingDir(
  standing: string,
  cwd: string | undefined,
  home: () => string | undefined,
): string | undefined {
  if (standing === ".") return cwd;
  if (standing === GAP) return undefined;
  if (standing.startsWith("~")) {
    const folder = home();
    return folder === undefined ? undefined : folder + standing.slice(1);
  }
  if (isRooted(standing)) return standing;
  return cwd === undefined ? undefined : `${cwd.replace(/\/$/, "")}/${standing}`;
}

/** Whether its letters alone say which folder it is, however a tool goes there. */
function isPlain(folder: string, cwd: string | undefined): boolean {
  if (folder.includes("\\") && !DRIVE.test(cwd ?? folder)) return false;
  return !ODD.test(folder);
}

function seenFrom(cwd: string | undefined, folder: string): string {
  const path = normalisePath(folder) || ".";
  if (cwd === undefined || path.startsWith("~")) return path;
  const whole = isRooted(path) ? path : normalisePath(`${cwd}/${path}`);
  return whole === normalisePath(cwd) ? "." : relativePath(whole, cwd);
}

const HERE = ["."];
const FOLDER_KEYS =
  "cwd Cwd workdir work_dir workDir working_directory workingDirectory working_dir workingDir dir_path dirPath directory dir".split(
    " ",
  );
/** Blanks around it, invisible characters, variables, another's home, an address, or `..` behind what may be a link. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is invisible.
const ODD = /^\s|\s$|[\u0000-\u001f\u007f-\u009f$`%\uFFFC]|^~[^/]|^[a-z][\w+.-]+:|[^./]\/+(?:\.\/+)*\.\.(?:\/|$)/i;
const DRIVE = /^[A-Za-z]:/;
