import { homedir, userInfo } from "node:os";
import { isAbsolute } from "node:path";

/**
 * The user's home directory: HOME, or what the system says. A relative or empty HOME does not count, because it would lie in
 * the project of the call, and the project's files would be the user's. A user whom the system does not know has none.
 */
export function homeDir({ HOME = "" }: Readonly<Record<string, string | undefined>> = process.env): string {
  if (isAbsolute(HOME)) return HOME;
  for (const ask of [homedir, () => userInfo().homedir]) {
    try {
      const path = ask();
      if (isAbsolute(path)) return path;
    } catch {
      // The system has no entry for this user.
    }
  }
  return NOWHERE;
}

/** Nothing lies in a file, and nothing can be made there. */
const NOWHERE = "/dev/null";
