import { userInfo } from "node:os";

/** What differs from system to system where an engine and its clients meet. */
export interface System {
  /** A socket with a name in a folder, or a named pipe. */
  readonly meets: "socket" | "pipe";
  /** The folder that the system keeps for this user alone, where the modes of files say nothing. */
  readonly profile: string | undefined;
  /** How the names of pipes begin; nothing where they are files. */
  readonly pipes: string;
  /** No small client runs there, so node itself asks the engine before it loads the rest of the command. */
  readonly nodeAsks: boolean;
}

/** The rows of that table. */
export function systemOf(platform: NodeJS.Platform = process.platform): System {
  return platform === "win32"
    ? { meets: "pipe", profile: userInfo().homedir, pipes: String.raw`\\.\pipe\sluice-`, nodeAsks: true }
    : { meets: "socket", profile: undefined, pipes: "", nodeAsks: false };
}
