import { signal } from "@preact/signals";
import type { ExportedCalls, Hello, WireError } from "../src/ui-server/wire.ts";

/** What a file holds that `sluice ui --export` has written; undefined if a server answers. */
export const exported: ExportedCalls | undefined = readExported();

function readExported(): ExportedCalls | undefined {
  const text = document.getElementById("sluice-data")?.textContent;
  return text ? (JSON.parse(text) as ExportedCalls) : undefined;
}

/** What is known about the server; undefined before the first answer. */
export const hello = signal<Hello | undefined>(undefined);

/** Whether this browser is logged in; undefined before the first answer. */
export const isLoggedIn = signal<boolean | undefined>(undefined);

/** A request that was refused, with a message for the person. */
export class RequestError extends Error {
  readonly fix: string | undefined;
  readonly status: number;

  constructor({ error, fix }: WireError, status: number) {
    super(error);
    this.fix = fix;
    this.status = status;
  }
}

/** Asks the server who it is; a refusal means that the code has to be typed. */
export async function greet(): Promise<void> {
  if (localStorage.getItem(KEY) === null) {
    isLoggedIn.value = false;
    return;
  }
  try {
    hello.value = await get<Hello>("/api/hello");
    isLoggedIn.value = true;
  } catch (error) {
    if (!(error instanceof RequestError)) throw error;
  }
}

/** Sends the code of the terminal; the key that comes back is stored where only this page reads it. */
export async function logIn(code: string): Promise<void> {
  const { key } = await sent<{ key: string }>("/login", { code });
  localStorage.setItem(KEY, key);
  await greet();
}

/** Reads JSON. */
export async function get<T>(path: string, signal?: AbortSignal): Promise<T> {
  if (exported !== undefined) return fromFile<T>(path, exported);
  return (await checked(await fetch(path, { headers: headers(), ...(signal && { signal }) }))).json() as Promise<T>;
}

function fromFile<T>(path: string, { details }: ExportedCalls): T {
  const found = details[path.slice(path.indexOf("?") + 1)];
  if (found === undefined)
    throw new RequestError(
      { error: "The file holds only the line of this call; its details are in the journal." },
      404,
    );
  return found as T;
}

/** Sends JSON, and reads the answer. */
export async function post<T>(path: string, body: unknown, signal?: AbortSignal): Promise<T> {
  return sent<T>(path, body, signal);
}

async function sent<T>(path: string, body: unknown, signal?: AbortSignal): Promise<T> {
  return (await checked(await fetch(path, { ...posting(body), ...(signal && { signal }) }))).json() as Promise<T>;
}

function posting(body: unknown): RequestInit {
  const own = { ...headers(), "content-type": "application/json" };
  return { method: "POST", body: JSON.stringify(body), headers: own };
}

/** Reads lines as they come, some at a time; a body is posted. */
export async function readLines(
  path: string,
  take: (lines: string[]) => void,
  signal: AbortSignal,
  body?: unknown,
): Promise<void> {
  const request = body === undefined ? { headers: headers() } : posting(body);
  const response = await checked(await fetch(path, { ...request, signal }));
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
  let rest = "";
  while (reader !== undefined) {
    const { value, done } = await reader.read();
    if (done) break;
    const lines = (rest + value).split("\n");
    rest = lines.pop() ?? "";
    if (lines.length > 0) take(lines);
  }
  if (rest !== "") take([rest]);
}

async function checked(response: Response): Promise<Response> {
  if (response.ok) return response;
  if (response.status === 401) isLoggedIn.value = false;
  const told = (await response.json().catch(() => ({ error: `The server answered ${response.status}.` }))) as WireError;
  throw new RequestError(told, response.status);
}

function headers(): Record<string, string> {
  return { "x-sluice-key": localStorage.getItem(KEY) ?? "" };
}

const KEY = "sluice-key";
