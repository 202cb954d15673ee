import { writeFileSync } from "node:fs";
import { userInfo } from "node:os";

/** What differs between operating systems where a daemon and its clients connect. */
export interface System {
  /** A socket with a name in a folder, or a named pipe. */
  readonly transport: "socket" | "pipe";
  /** The folder that the system keeps for this user alone, where the modes of files have no meaning. */
  readonly profile: string | undefined;
  /** How the names of pipes begin; empty where they are files. */
  readonly pipes: string;
  /** No small client runs there, so node itself asks the daemon before it loads the rest of the command. */
  readonly nodeAsks: boolean;
}

/** The properties of an operating system. */
export function systemOf(platform: NodeJS.Platform = process.platform): System {
  return platform === "win32"
    ? { transport: "pipe", profile: userInfo().homedir, pipes: String.raw`\\.\pipe\sluice-`, nodeAsks: true }
    : { transport: "socket", profile: undefined, pipes: "", nodeAsks: false };
}

/** Shows this process as `sluice` and not as `node`: what ends every Node program of a user (`killall node`) leaves it alone. */
export function nameProcess(): void {
  if (process.platform !== "linux") return;
  try {
    writeFileSync("/proc/self/comm", "sluice");
  } catch {
    // Without that name, a daemon that was ended is started by the next call.
  }
}
