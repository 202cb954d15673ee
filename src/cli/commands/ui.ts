import { setPriority } from "node:os";
import { dirname, join, resolve } from "node:path";
import { setFlagsFromString } from "node:v8";
import { PASSKEY_HOST } from "../../approvals/passkey.ts";
import { whyNoPerson } from "../../approvals/person.ts";
import { personChannel } from "../../approvals/person-channel.ts";
import { VERSION } from "../../decide/version.ts";
import { writeAtomic } from "../../fs/write-atomic.ts";
import { announceUiPort } from "../../policies/protect/ui-ports.ts";
import { problems } from "../../problem/problem.ts";
import { coldCommand } from "../../server/cold-command.ts";
import { journalFolder } from "../../trace/journal.ts";
import { journalSource, storeSource } from "../../ui-server/call-source.ts";
import { replayInProcess } from "../../ui-server/draft-replay.ts";
import { exportPage } from "../../ui-server/export-page.ts";
import { buildInProcess, indexFolder } from "../../ui-server/journal-index.ts";
import type { UiContext } from "../../ui-server/route.ts";
import { startUiServer, type UiOptions, type UiServer } from "../../ui-server/ui-server.ts";
import { BUILD_CALL_INDEX, type CommandInput, JUDGE_DRAFT } from "../command.ts";
import { rootOf, shortPath } from "../configuration.ts";
import type { Exit } from "../exit-codes.ts";
import { chosenRecords, recordQuery } from "../recorded-calls.ts";
import { plural } from "../show/terminal-text.ts";
import { placeOf } from "./confirm.ts";
import { openBrowser } from "./open-browser.ts";
import { personActs, type UiTerminal, uiTerminal } from "./ui-terminal.ts";

/** Serves the pages for the browser until it is interrupted. */
export async function run(input: CommandInput): Promise<Exit> {
  const { io } = input;
  // The pages wait most of the time, and what they read is used once: a small young generation and no optimised code halve
  // the memory that long journals need, and reading is as fast, because most of it is parsing JSON.
  setFlagsFromString("--semi-space-growth-factor=1");
  setFlagsFromString("--no-opt");
  const terminal = uiTerminal(io);
  const store = input.text("store");
  const journal = journalFolder(io.env);
  const context: Omit<UiOptions, "assets"> & Pick<UiContext, "source"> = {
    journal,
    source: store === undefined ? journalSource(journal) : storeSource(storeAddress(store)),
    env: io.env,
    hello: {
      version: VERSION,
      root: rootOf(input),
      home: io.env.HOME ?? "",
      confirms: whyNoPerson(io) ?? true,
      ...(store !== undefined && { store: withoutPassword(store) }),
    },
    acts: personActs(input, terminal),
    replayDraft: replayInProcess([...coldCommand(), JUDGE_DRAFT]),
    buildIndex: buildInProcess([...coldCommand(), BUILD_CALL_INDEX, journal, indexFolder(io.env)], io.env),
  };
  const assets = join(dirname(coldCommand()[1] ?? ""), "ui");
  const file = input.text("export");
  if (file !== undefined) {
    terminal.close();
    return writeExport(resolve(io.cwd, file), context, assets, input);
  }
  const server = await started(input, {
    ...context,
    assets,
    port: portOf(input.text("port")),
    onLogin: (outcome) => {
      if (outcome === "none") io.err("Somebody typed a code, and there is none. Press Enter for a new one.");
      if (outcome === "wrong") io.err("Somebody typed a wrong code.");
      if (outcome === "in") io.err("A browser is logged in. Press Enter for a code for another one.");
    },
  });
  const forget = announceUiPort(server.port, { env: io.env });
  try {
    tell(server, input);
    // After the browser is started, which would inherit it: a call of an agent never waits for the pages.
    yieldToCalls();
    await interrupted(server, terminal, input);
  } finally {
    forget();
    terminal.close();
    await server.close();
  }
  return "done";
}

/** Processes that decide calls come before this one, and before those that it starts. */
function yieldToCalls(): void {
  try {
    setPriority(LOW_PRIORITY);
  } catch {
    // A system that does not allow it serves the pages as any other program.
  }
}

const LOW_PRIORITY = 10;

/** Writes the calls of a stretch of time into one file that needs no server. */
async function writeExport(
  file: string,
  context: Pick<UiContext, "journal" | "source" | "env" | "hello">,
  assets: string,
  input: CommandInput,
): Promise<Exit> {
  const { io } = input;
  const since = input.text("since") ?? EXPORTED;
  const query = recordQuery({
    ...input,
    text: (option) => (option === "since" ? since : option === "project" ? "all" : input.text(option)),
  });
  const range = `calls since ${since}`;
  const chosen =
    input.text("store") === undefined ? chosenRecords(context.journal, query) : context.source.records(query.since);
  const { html, calls, detailed } = await exportPage(chosen, context, {
    range,
    withoutArguments: input.has("redact"),
    assets,
  });
  if (calls === 0) throw PROBLEMS.nothingToExport({ since });
  writeAtomic(file, html);
  if (input.has("json")) io.out(JSON.stringify({ file, calls, detailed }));
  else
    io.out(
      `${shortPath(file, io)}: ${plural(calls, "call")} since ${since}, ${detailed} of them with all that is known. It opens in any browser.`,
    );
  return "done";
}

const EXPORTED = "7d";

function storeAddress(text: string): string {
  if (/^postgres(?:ql)?:\/\/./i.test(text)) return text;
  throw USAGE.noStore({});
}

/** What a page may show of the address of a database. */
function withoutPassword(store: string): string {
  const { protocol, host, pathname } = new URL(store);
  return `${protocol}//${host}${pathname}`;
}

async function started(input: CommandInput, options: UiOptions): Promise<UiServer> {
  try {
    return await startUiServer(options);
  } catch (cause) {
    const { code } = Object(cause) as NodeJS.ErrnoException;
    if (code === "EADDRINUSE" || code === "EACCES")
      throw PROBLEMS.portTaken({ port: input.text("port") ?? "" }, { cause });
    throw cause;
  }
}

function tell(server: UiServer, input: CommandInput): void {
  const { io } = input;
  const code = server.newCode();
  const channel = personChannel(placeOf(io));
  const hasPasskey = typeof channel === "object" && channel.passkeys.length > 0;
  // Browsers accept passkeys for names of hosts alone.
  const url = hasPasskey ? server.url.replace("127.0.0.1", PASSKEY_HOST) : server.url;
  if (input.has("json")) {
    io.out(JSON.stringify({ url, code }));
    return;
  }
  io.out(`  address  ${url}`);
  io.out(`  code     ${code}   works once; the page asks for it`);
  io.err("Only browsers on this machine reach it. Enter shows a new code, Ctrl-C ends it.");
  if (!input.has("no-open") && io.isTerminal) openBrowser(url);
}

/** Waits for the signal that ends the server; every Enter at the terminal that answers no question makes a new code. */
async function interrupted(server: UiServer, terminal: UiTerminal, { io }: CommandInput): Promise<void> {
  terminal.onIdleLine(() => io.out(`  code     ${server.newCode()}`));
  await new Promise<void>((resolve) => {
    for (const signal of SIGNALS) process.once(signal, () => resolve());
    terminal.onInterrupt(resolve);
  });
}

const SIGNALS = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

function portOf(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const port = Number(text);
  if (Number.isInteger(port) && port >= 0 && port < 65_536) return port;
  throw USAGE.noPort({ text });
}

const PROBLEMS = problems("ui", {
  nothingToExport: ({ since }: { since: string }) => ({
    what: `No call is recorded since ${since}, so no file was written.`,
    fix: "Name a longer time, such as --since 30d.",
  }),
  portTaken: ({ port }: { port: string }) => ({
    what: `Port ${port} cannot be opened: another program has it, or it needs more rights.`,
    fix: "Leave --port out: any free port is taken.",
  }),
});

const USAGE = problems("usage", {
  noStore: (_: object) => ({
    what: "--store: not the address of a database.",
    fix: "Write what machines ship to: --store postgres://user@host/database.",
  }),
  noPort: ({ text }: { text: string }) => ({
    what: `--port ${text}: not the number of a port.`,
    fix: "Write --port 7777, or leave it out.",
  }),
});
