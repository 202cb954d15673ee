/**
 * What client and engine say to each other on their socket, first to last:
 *
 *     client  SLUICE/1 <the client's secret>\n
 *     engine  SLUICE/1 <the engine's secret>\n        at once: the acknowledgement
 *     client  <bytes of environment> <bytes of folder> <bytes of words> <umask>\n, and these; NUL between values
 *     client  <4 bytes: length><bytes of the payload>, again and again; a length of 0 is the end
 *     engine  HOOKS <seconds>\n                       only where hooks run that could do something; none has begun
 *     client  <4 bytes: all ones>                     go on
 *     engine  DONE <exit code> <bytes of stdout> <bytes of stderr>\n, and these; or COLD\n; or COLD-NET\n
 *
 * A client that sees anything else decides cold. It sends its payload only to an engine that has acknowledged it, so no
 * engine ever decides for a client that has given up waiting for one. No such hook runs before the client has said to go
 * on, and a client that has said so runs none itself: whatever breaks from there on, no hook runs twice.
 */
const GREETING = "SLUICE/1";

/** What a client asks. */
export interface Request {
  /** The words of the cold command: program, file, and what follows. */
  readonly words: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly cwd: string;
  readonly payload: string;
  /** The rights that new files do not get. */
  readonly umask?: number;
}

/** What the engine answers: what is printed, or that the client has to run the cold command, and whether that one needs the network. */
export type Answer =
  | { readonly kind: "done"; readonly stdout: string; readonly stderr: string; readonly exitCode: number }
  | {
      readonly kind: "cold";
      readonly usesNetwork: boolean;
      /** Hooks may have run; the cold command has to be told so, with `--lost`. Whoever talks over a socket knows it already. */
      readonly isLost?: true;
    };

/** Every secret is that long, so the first line is too. */
export const GREETING_BYTES = GREETING.length + " ".length + 64 + "\n".length;

/** The first line of either side. */
export function greeting(secret: string): string {
  return `${GREETING} ${secret}\n`;
}

/** The engine's question whether hooks may begin, and how long the client waits for their answer. */
export function hooksLine(seconds: number): string {
  return `HOOKS ${seconds}\n`;
}

/** The length that no piece of a payload has: go on. */
export const GO_ON = 0xffffffff;

/** An answer as it goes over the socket. */
export function answerBytes(answer: Answer): Buffer {
  if (answer.kind === "cold") return Buffer.from(answer.usesNetwork ? "COLD-NET\n" : "COLD\n");
  const [out, err] = [Buffer.from(answer.stdout), Buffer.from(answer.stderr)];
  return Buffer.concat([Buffer.from(`DONE ${answer.exitCode} ${out.length} ${err.length}\n`), out, err]);
}

/** A request as it goes over the socket, behind the greeting. */
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

/** An answer that has come as a whole; `undefined` while it is on its way or when it is none. */
export function readAnswer(bytes: Buffer): Answer | undefined {
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
