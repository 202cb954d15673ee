/**
 * What client and daemon send each other on their socket, first to last:
 *
 *     client  SLUICE/3 <the client's secret>\n
 *     daemon  SLUICE/3 <the daemon's secret>\n        at once: the acknowledgement
 *     client  <bytes of environment> <bytes of folder> <bytes of arguments> <umask> [<caller>]\n, and these; NUL between values
 *     client  <4 bytes: length><bytes of the payload>, again and again; a length of 0 is the end
 *     daemon  READY <seconds>\n                       only if the call has an effect besides its answer; nothing has been done yet
 *     client  <4 bytes: all ones>                     the confirmation
 *     daemon  HOOKS <seconds>\n                       only where hooks run that start something; none has begun
 *     client  <4 bytes: all ones>                     the confirmation
 *     daemon  DONE <exit code> <bytes of stdout> <bytes of stderr>\n, and these; or COLD\n; or COLD-NET\n
 *     client  <4 bytes: all ones>                     where it was not asked: the answer has arrived
 *
 * A client that receives anything else decides cold. It sends its payload only to a daemon that has acknowledged it, or to
 * a process of the same user, for which the system vouches; it believes only a daemon that has acknowledged it.
 *
 * A slow daemon cannot be distinguished from one that will never answer, so time alone never moves a call from one process
 * to the other: a client gives up waiting only while it has not confirmed, and a daemon does nothing before the
 * confirmation; what passes without a message is answered without a question, and recorded when the client confirms that
 * it has the answer. What such a call writes over is kept before, and forgotten where no confirmation comes. After the first confirmation, a client decides cold when the connection breaks or the daemon asks for it;
 * when the seconds are over, it refuses. After the second confirmation it runs no hook itself, whatever breaks.
 */
const GREETING = "SLUICE/3";

/** What a client asks. */
export interface Request {
  /** The arguments of the cold command: program, file, and what follows. */
  readonly words: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly cwd: string;
  readonly payload: string;
  /** The payload as a value, where it has been parsed already. */
  readonly value?: unknown;
  /** The umask: the rights that new files do not get. */
  readonly umask?: number;
  /** The process that called the client, if it was sent. */
  readonly caller?: number | undefined;
}

/** What the daemon answers: what is printed, or that the client has to run the cold command, and whether that one needs the network. */
export type DaemonAnswer =
  | { readonly kind: "done"; readonly stdout: string; readonly stderr: string; readonly exitCode: number }
  | {
      readonly kind: "cold";
      readonly usesNetwork: boolean;
      /** Hooks may have run; the cold command is called with `--lost` then. A client on a socket knows it already. */
      readonly isLost?: true;
    };

/** The first line of either side. */
export function greeting(secret: string): string {
  return `${GREETING} ${secret}\n`;
}

/** What a daemon asks before it does something: whether it may decide, and whether hooks may begin. */
export type Question = "READY" | "HOOKS";

/** A question, and how many seconds the client waits from then on. */
export function questionLine(question: Question, seconds: number): string {
  return `${question} ${seconds}\n`;
}

/** The question in these bytes, if they are one. */
export function readQuestion(bytes: Buffer): { readonly question: Question; readonly seconds: number } | undefined {
  const [, question, seconds] = /^(READY|HOOKS) (\d{1,6})\n$/.exec(bytes.toString("latin1", 0, MAX_QUESTION)) ?? [];
  return question === "READY" || question === "HOOKS" ? { question, seconds: Number(seconds) } : undefined;
}

const MAX_QUESTION = 16;

/** The length that no piece of a payload has: the confirmation. */
export const CONFIRMED = 0xffffffff;

/** The confirmation as it goes over the socket. */
export function confirmationBytes(): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(CONFIRMED);
  return bytes;
}

/** The client has to run the cold command, with the network. */
export const COLD: DaemonAnswer = { kind: "cold", usesNetwork: true };

/** An answer as it goes over the socket, in UTF-8. */
export function answerText(answer: DaemonAnswer): string {
  if (answer.kind === "cold") return answer.usesNetwork ? "COLD-NET\n" : "COLD\n";
  const { stdout, stderr, exitCode } = answer;
  return `DONE ${exitCode} ${Buffer.byteLength(stdout)} ${Buffer.byteLength(stderr)}\n${stdout}${stderr}`;
}

/** A request as it goes over the socket, after the greeting. */
export function requestBytes({ words, env, cwd, payload, umask = 0o077 }: Request): Buffer {
  const parts = [
    Object.entries(env)
      .map(([name, value]) => `${name}=${value}`)
      .join("\0"),
    cwd,
    words.join("\0"),
  ].map((text) => Buffer.from(text));
  const body = Buffer.from(payload);
  const length = Buffer.alloc(4);
  length.writeUInt32BE(body.length);
  const head = Buffer.from(`${[...parts.map(({ length: bytes }) => bytes), umask].join(" ")}\n`);
  return Buffer.concat([head, ...parts, ...(body.length > 0 ? [length, body] : []), Buffer.alloc(4)]);
}

/** An answer that has arrived as a whole; undefined while it is on its way, or when it is none. */
export function readAnswer(bytes: Buffer): DaemonAnswer | undefined {
  const end = bytes.indexOf("\n");
  const line = bytes.toString("latin1", 0, Math.max(end, 0));
  if (line === "COLD" || line === "COLD-NET") return { kind: "cold", usesNetwork: line === "COLD-NET" };
  const [, code, out, err] = /^DONE (\d{1,3}) (\d{1,9}) (\d{1,9})$/.exec(line) ?? [];
  const body = bytes.subarray(end + 1);
  if (code === undefined || body.length !== Number(out) + Number(err)) return undefined;
  return {
    kind: "done",
    exitCode: Number(code),
    stdout: body.toString("utf8", 0, Number(out)),
    stderr: body.toString("utf8", Number(out)),
  };
}
