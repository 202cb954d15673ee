import { fstatSync, statSync, writeSync } from "node:fs";
import { devNull } from "node:os";
import type { Build } from "../launcher/load-bundle.ts";

/** The world a command talks to. */
export interface Io {
  out(text: string): void;
  /** Messages that are not a result: warnings, hints, questions. */
  err(text: string): void;
  /** Bytes as they are, without a line of our own around them. */
  write(fd: 1 | 2, text: string): void;
  /** A person sits there: questions make sense. */
  readonly isTerminal: boolean;
  readonly hasColour: boolean;
  /** How many columns a line may have; no end where no terminal shows it. */
  readonly width: number;
  /** Whether the reader of standard output has gone. */
  readonly isClosed?: boolean;
  readonly cwd: string;
  /** Whether the folder in which the command was started has been deleted; `cwd` is then the root of the disk. */
  readonly isCwdDeleted?: boolean;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Told that an agent has its answer, and with which exit code this process has to end for it. */
  readonly answered?: (exitCode: number) => void;
  /** The build that runs; undefined if the source runs. */
  readonly build?: Build | undefined;
}

/** The real world. Node's own streams are touched only on a terminal: they cost more than all the rest of a call. */
export function processIo(answered: (exitCode: number) => void = () => {}, build?: Build): Io {
  const { env } = process;
  const isCwdDeleted = leaveDeletedFolder();
  return {
    out: (text) => write(1, `${text}\n`),
    err: (text) => write(2, `${text}\n`),
    write,
    answered,
    build,
    get isTerminal() {
      return isTerminal(0) && isTerminal(1);
    },
    get hasColour() {
      if (env.NO_COLOR) return false;
      return env.FORCE_COLOR ? env.FORCE_COLOR !== "0" : isTerminal(1);
    },
    get width() {
      return isTerminal(1) ? process.stdout.columns || 80 : Number.POSITIVE_INFINITY;
    },
    get isClosed() {
      return isOutputClosed;
    },
    cwd: process.cwd(),
    isCwdDeleted,
    env,
  };
}

/** Node and every program that is started fail in a folder that was deleted; agents stay in one whose work tree is gone. */
function leaveDeletedFolder(): boolean {
  try {
    process.cwd();
    return false;
  } catch {
    process.chdir("/");
    return true;
  }
}

/** Writes everything. It waits for a pipe that is full; a closed pipe (`sluice list | head`) is not a failure. */
function write(fd: 1 | 2, text: string): void {
  let rest = Buffer.from(text);
  while (rest.length > 0) {
    try {
      rest = rest.subarray(writeSync(fd, rest));
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      if (code === "EPIPE") {
        isOutputClosed ||= fd === 1;
        return;
      }
      if (code !== "EAGAIN") throw error;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1);
    }
  }
}

let isOutputClosed = false;

/** Distinguishes a pipe, a file and the null device without opening a stream. */
function isTerminal(fd: 0 | 1): boolean {
  try {
    const found = fstatSync(fd);
    if (!found.isCharacterDevice() || found.rdev === statSync(devNull).rdev) return false;
    return Boolean((fd === 0 ? process.stdin : process.stdout).isTTY);
  } catch {
    return false;
  }
}

/** Discards all output: for commands that run only so that V8 compiles them. */
export function silentIo(): Io {
  return {
    out: () => {},
    err: () => {},
    write: () => {},
    isTerminal: false,
    hasColour: false,
    width: Number.POSITIVE_INFINITY,
    cwd: process.cwd(),
    env: process.env,
  };
}

/** What the error code of a failed system call means; nothing for other errors. */
export function systemErrorText(error: unknown): string | undefined {
  const { code = "" } = Object(error) as NodeJS.ErrnoException;
  return ERROR_TEXTS[code];
}

const ERROR_TEXTS: Readonly<Record<string, string>> = {
  EACCES: "its permissions forbid it",
  EPERM: "its permissions forbid it",
  EROFS: "the disk is read-only",
  ENOSPC: "the disk is full",
  ENOTDIR: "a part of the path is a file",
  EISDIR: "it is a folder",
  EEXIST: "something else is in its place",
  ELOOP: "its links lead in a circle",
  ENOENT: "it is not there, or is a link that leads nowhere",
};

/** The path or the stream that a system call failed on. */
export function systemErrorPlace(error: unknown): string | undefined {
  const { path, syscall = "" } = Object(error) as NodeJS.ErrnoException;
  return path ?? STREAMS[syscall];
}

const STREAMS: Readonly<Record<string, string>> = { read: "Standard input", write: "Standard output" };
