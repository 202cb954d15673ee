import type { Request } from "./protocol.ts";
import { isWholePayload } from "./whole-payload.ts";

/** How much of a request has arrived. */
export type RequestState =
  | { readonly state: "unfinished" }
  | { readonly state: "whole"; readonly request: Request }
  /** Too long, or nothing that a client would send. */
  | { readonly state: "refused" };

/** Reads one request piece by piece. The payload is complete at its end, or as soon as it is whole JSON. */
export class RequestReader {
  #bytes: Buffer = Buffer.alloc(0);
  #head: Omit<Request, "payload"> | undefined;
  readonly #payload: Buffer[] = [];
  #length = 0;

  add(piece: Buffer): RequestState {
    this.#bytes = this.#bytes.length === 0 ? piece : Buffer.concat([this.#bytes, piece]);
    if (this.#head === undefined) {
      const read = this.#readHead();
      if (read !== undefined) return { state: read };
    }
    return this.#readPayload();
  }

  #readHead(): "unfinished" | "refused" | undefined {
    const end = this.#bytes.indexOf(NEWLINE);
    if (end === -1) return this.#bytes.length > MAX_LINE ? "refused" : "unfinished";
    const numbers = HEAD.exec(this.#bytes.toString("latin1", 0, end));
    if (numbers === null) return "refused";
    const folder = end + 1 + Number(numbers[1]);
    const words = folder + Number(numbers[2]);
    const total = words + Number(numbers[3]);
    if (total > MAX_HEAD) return "refused";
    if (this.#bytes.length < total) return "unfinished";
    this.#head = {
      env: environmentIn(this.#bytes.subarray(end + 1, folder)),
      cwd: this.#bytes.toString("utf8", folder, words),
      words: this.#bytes.toString("utf8", words, total).split("\0"),
      umask: Number(numbers[4]),
      caller: numbers[5] === undefined ? undefined : Number(numbers[5]),
    };
    this.#bytes = this.#bytes.subarray(total);
    return undefined;
  }

  #readPayload(): RequestState {
    while (this.#bytes.length >= LENGTH_BYTES) {
      const length = this.#bytes.readUInt32BE(0);
      if (length === 0) return this.#whole();
      if (this.#length + length > MAX_PAYLOAD) return { state: "refused" };
      if (this.#bytes.length < LENGTH_BYTES + length) break;
      this.#payload.push(this.#bytes.subarray(LENGTH_BYTES, LENGTH_BYTES + length));
      this.#bytes = this.#bytes.subarray(LENGTH_BYTES + length);
      this.#length += length;
      // Not every agent closes the pipe; whole JSON ends the payload too.
      if (this.#bytes.length === 0 && isWholePayload(this.#payload)) return this.#whole();
    }
    return { state: "unfinished" };
  }

  #whole(): RequestState {
    if (this.#head === undefined) return { state: "refused" };
    return { state: "whole", request: { ...this.#head, payload: Buffer.concat(this.#payload).toString("utf8") } };
  }
}

/** The calls of a session come with the same environment: the same object shows that nothing has changed. */
function environmentIn(bytes: Buffer): Readonly<Record<string, string>> {
  if (last?.bytes.equals(bytes)) return last.env;
  last = { bytes: Buffer.from(bytes), env: parsedEnvironment(bytes.toString("utf8")) };
  return last.env;
}

let last: { readonly bytes: Buffer; readonly env: Readonly<Record<string, string>> } | undefined;

function parsedEnvironment(text: string): Readonly<Record<string, string>> {
  const env: Record<string, string> = {};
  for (const line of text.split("\0")) {
    const at = line.indexOf("=", 1);
    if (at > 0) env[line.slice(0, at)] = line.slice(at + 1);
  }
  return env;
}

/** The bytes of environment, folder and words, the umask, and the process that called the client. */
const HEAD = /^(\d{1,7}) (\d{1,5}) (\d{1,6}) (\d{1,3})(?: (\d{1,10}))?$/;
const NEWLINE = 10;
const LENGTH_BYTES = 4;
const MAX_LINE = 64;
const MAX_HEAD = 4 * 1024 * 1024;
/** A longer payload is decided cold: reading it costs more than starting a process. */
const MAX_PAYLOAD = 1024 * 1024;
