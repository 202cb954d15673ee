import fs, { renameSync, writeFileSync } from "node:fs";
import { syncBuiltinESMExports } from "node:module";
import { Socket } from "node:net";
import { dirname } from "node:path";
import { createInterface } from "node:readline";
import { pathToFileURL } from "node:url";
import { COMMANDS } from "../../src/cli/commands/index.ts";
import { EXIT_CODES } from "../../src/cli/exit-codes.ts";
import { processIo } from "../../src/cli/io.ts";
import { main } from "../../src/cli/main.ts";
import { forgetLearned } from "../../src/llm/learned.ts";
import type { CommandReply, CommandRequest, Printed } from "./protocol.ts";

/*
 * A process that runs the command many times, so that a test need not start node for each run. Environment, folder,
 * arguments, standard input and standard output are those of the run; the program's modules are loaded once.
 */

const COMMAND = process.argv[2] ?? "";
const BUILD_ID = /\bid: ?"([0-9a-f]{12})"/.exec(fs.readFileSync(COMMAND, "utf8"))?.[1] ?? "";
const SIGNALS = ["SIGHUP", "SIGINT", "SIGTERM"];
/** What the run at hand reads and has written. */
let stdin = Buffer.alloc(0);
let written: { readonly fd: 1 | 2; readonly bytes: Buffer[] }[] = [];
let current: CommandRequest | undefined;

const { readSync, writeSync, exit } = { readSync: fs.readSync, writeSync: fs.writeSync, exit: process.exit };
fs.readSync = ((fd: number, into: Buffer, ...rest: never[]) =>
  fd === 0 ? takeInput(into) : readSync(fd, into, ...rest)) as typeof fs.readSync;
fs.writeSync = ((fd: number, bytes: Buffer, ...rest: never[]) =>
  fd === 1 || fd === 2 ? print(fd, bytes) && bytes.length : writeSync(fd, bytes, ...rest)) as never;
syncBuiltinESMExports();

// A run that ends its process ends this one too: the next run gets a new one.
process.exit = ((code?: number) => end(code ?? Number(process.exitCode ?? 0))) as never;
process.on("uncaughtException", (error) => {
  print(2, `${error.stack}\n`);
  end(1);
});

const requests = new Socket({ fd: 3 });
requests.on("close", () => exit(0));
let last = Promise.resolve();
createInterface({ input: requests }).on("line", (file) => {
  // One run after another: they share environment, folder and standard input.
  last = last.then(() => answer(JSON.parse(fs.readFileSync(file, "utf8"))));
});

async function answer(request: CommandRequest): Promise<void> {
  current = request;
  stdin = Buffer.from(request.input, "base64");
  written = [];
  process.chdir(request.cwd);
  for (const name of Object.keys(process.env)) if (!(name in request.env)) delete process.env[name];
  Object.assign(process.env, request.env);
  process.argv.splice(1, process.argv.length, request.launcher ?? COMMAND, ...request.args);
  process.exitCode = undefined;
  forgetLearned();
  const code = request.module === undefined ? await ranCommand(request) : await ranModule(request.module);
  await idle();
  for (const signal of SIGNALS) process.removeAllListeners(signal);
  reply(code);
}

async function ranCommand({ args, launcher = COMMAND }: CommandRequest): Promise<number> {
  const build = { launcher, dist: dirname(launcher), id: BUILD_ID };
  const ended = await main(
    args,
    processIo(() => {}, build),
    COMMANDS,
  );
  return EXIT_CODES[ended].code;
}

/** Runs a module as node runs one that it is started with. An assertion that does not hold ends it, as its output is not read. */
async function ranModule(file: string): Promise<number> {
  console.assert = (holds, ...words) => {
    if (!holds) throw new Error(["an assertion does not hold", ...words].join(": "));
  };
  for (const [stream, fd] of [
    [process.stdout, 1],
    [process.stderr, 2],
  ] as const)
    stream.write = ((text: string) => print(fd, text)) as never;
  try {
    await import(pathToFileURL(file).href);
    return 0;
  } catch (error) {
    print(2, `${error instanceof Error ? error.stack : error}\n`);
    return 1;
  }
}

/**
 * A process lives until nothing keeps its event loop busy; so does a run. What an earlier run has left in this process would
 * keep every later one: it is named, and not waited for without an end.
 */
async function idle(): Promise<void> {
  const end = Date.now() + LONGEST_IDLE_MS;
  const busy = () => process.getActiveResourcesInfo().filter((kind) => !OWN.has(kind));
  while (busy().length > 0 && Date.now() < end) await new Promise((done) => setTimeout(done, 2));
  if (busy().length > 0) writeSync(2, `The process for commands is kept by ${busy().join(", ")}.\n`);
}

const LONGEST_IDLE_MS = 15_000;

function takeInput(into: Buffer): number {
  const length = stdin.copy(into);
  stdin = stdin.subarray(length);
  return length;
}

/** A letter may come in two parts: what follows on the same stream belongs to what is there. */
function print(fd: 1 | 2, text: string | Uint8Array): true {
  const last = written.at(-1);
  const bytes = Buffer.from(text as string);
  if (last?.fd === fd) last.bytes.push(bytes);
  else written.push({ fd, bytes: [bytes] });
  return true;
}

function end(code: number): never {
  reply(code, true);
  return exit(0);
}

function reply(code: number, ended = false): void {
  if (current === undefined) return;
  const { reply: file } = current;
  current = undefined;
  const printed = written.map(({ fd, bytes }): Printed => [fd, Buffer.concat(bytes).toString()]);
  writeFileSync(`${file}.draft`, JSON.stringify({ code, printed, ended } satisfies CommandReply));
  renameSync(`${file}.draft`, file);
}

/** The socket of the requests, and what waits here. */
const OWN = new Set(["PipeWrap", "TTYWrap"]);
