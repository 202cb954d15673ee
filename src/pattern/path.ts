/** `a/./b//c/../d` as `a/b/d`; backslashes of Windows count as separators. */
export function normalisePath(path: string): string {
  if (!UNTIDY.test(path)) return path;
  const parts: string[] = [];
  const slashed = path.replaceAll("\\", "/");
  const rooted = slashed.startsWith("/");
  for (const part of slashed.split("/")) {
    if (part === "" || part === ".") continue;
    if (part !== "..") parts.push(part);
    else if (parts.length > 0 && parts.at(-1) !== "..") parts.pop();
    else if (!rooted) parts.push("..");
  }
  return (rooted ? "/" : "") + parts.join("/");
}

const UNTIDY = /\\|\/\/|(?:^|\/)\.{1,2}(?:\/|$)|.\/$/;

/** The path relative to a folder, or as it is if it is elsewhere. */
export function relativePath(path: string, folder: string): string {
  const base = normalisePath(folder).replace(/\/$/, "");
  return path.startsWith(`${base}/`) ? path.slice(base.length + 1) : path;
}

/** A normal path that begins at the root, or at the drive of Windows. */
export function isRooted(path: string): boolean {
  return /^(?:\/|[A-Za-z]:\/)/.test(path);
}

/** A folder as a shell's words spell it: on Windows the environment has it with backslashes, which a shell takes for escapes. */
export function shellPath(folder: string | undefined): string | undefined {
  return folder !== undefined && /^[A-Za-z]:\\/.test(folder) ? folder.replaceAll("\\", "/") : folder;
}

/** A path of Git Bash (`/c/Users`) as Windows knows it (`C:/Users`); other paths are returned as they are. */
export function withDrive(path: string): string {
  return path.replace(/^\/([A-Za-z])(?=\/|$)/, "$1:");
}
