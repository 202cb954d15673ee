import { homedir, userInfo } from "node:os";
import { isAbsolute } from "node:path";

/**
 * The user's home directory: HOME, or the system's entry. A relative or empty HOME is ignored, because the project's own
 * files would then be the user's. A user who is unknown to the system has no home directory.
 */
export function homeDir({ HOME = "" }: Readonly<Record<string, string | undefined>> = process.env): string {
  if (isAbsolute(HOME)) return HOME;
  for (const ask of [homedir, () => userInfo().homedir]) {
    try {
      const path = ask();
      if (isAbsolute(path)) return path;
    } catch {
      // The system does not have an entry for this user.
    }
  }
  return NOWHERE;
}

/** A path below which no file can exist. */
const NOWHERE = "/dev/null";
