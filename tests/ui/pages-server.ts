import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import type { PolicyChange } from "../../src/ui-server/route.ts";
import { startUiServer, type UiOptions, type UiServer } from "../../src/ui-server/ui-server.ts";

/** A running server of the pages over a throw-away journal, with pages that are only names. */
export interface PagesServer extends UiServer {
  readonly folder: string;
  readonly journal: string;
  /** Writes records at the end of today's journal. */
  write(...records: readonly object[]): void;
  /** Types a code into the page; the headers of a browser that is logged in. */
  logIn(): Promise<LoggedIn>;
  /** Sends these bytes, and reads until the other side ends, or until this text comes. */
  raw(text: string, until?: RegExp): Promise<string>;
}

/** What a browser that is logged in sends. */
export type LoggedIn = Readonly<Record<"cookie" | "x-sluice-key", string>>;

/** Starts it; the test that asked for it ends it. */
export async function pagesServer(options: Partial<UiOptions> = {}): Promise<PagesServer> {
  const folder = mkdtempSync(join(tmpdir(), "sluice-ui-"));
  const journal = join(folder, "state/sluice/decisions");
  const assets = join(folder, "assets");
  for (const path of [journal, assets, join(folder, "project")]) mkdirSync(path, { recursive: true });
  writeFileSync(
    join(assets, "manifest.json"),
    JSON.stringify({ main: "main-1.js", style: "app-1.css", files: ["main-1.js", "app-1.css"] }),
  );
  writeFileSync(join(assets, "main-1.js"), "export {};");
  writeFileSync(join(assets, "app-1.css"), "body{}");
  writeFileSync(join(assets, "secret.txt"), "not an asset");
  symlinkSync(join(assets, "secret.txt"), join(assets, "link.js"));
  const hello = { version: "1", root: join(folder, "project"), home: folder, confirms: true } as const;
  const env = { HOME: folder, XDG_STATE_HOME: join(folder, "state"), XDG_CONFIG_HOME: join(folder, "config") };
  const refuses = async () => ({ done: false, told: [] });
  const acts = {
    allow: refuses,
    allowOnce: refuses,
    switchHook: refuses,
    savePolicy: refuses,
    previewAllow,
    confirm: async () => false,
  };
  const server = await startUiServer({ journal, assets, env, hello, acts, ...options });
  onTestFinished(async () => {
    await server.close();
    rmSync(folder, { recursive: true, force: true });
  });
  const today = join(journal, `${new Date().toISOString().slice(0, 10)}.jsonl`);
  return {
    ...server,
    folder,
    journal,
    write: (...records) => {
      for (const record of records) writeFileSync(today, `${JSON.stringify(record)}\n`, { flag: "a" });
    },
    logIn: async () => {
      const response = await fetch(`http://127.0.0.1:${server.port}/login`, {
        method: "POST",
        body: JSON.stringify({ code: server.newCode() }),
        headers: { "content-type": "application/json", origin: `http://127.0.0.1:${server.port}` },
      });
      const { key } = (await response.json()) as { key: string };
      const [cookie = ""] = (response.headers.get("set-cookie") ?? "").split(";");
      return { cookie, "x-sluice-key": key };
    },
    raw: (text, until) => exchange(server.port, text, until),
  };
}

function exchange(port: number, text: string, until: RegExp = /(?!)/): Promise<string> {
  return new Promise((resolve) => {
    let answer = "";
    const socket = connect(port, "127.0.0.1", () => socket.write(text));
    const end = () => {
      socket.destroy();
      resolve(answer);
    };
    socket.on("data", (bytes) => {
      answer += bytes;
      if (until.test(answer)) end();
    });
    socket.on("close", end);
    socket.on("error", end);
  });
}

/** A record of the journal, as short as one can be. */
export function recordOf(parts: Readonly<Record<string, unknown>> = {}): Record<string, unknown> {
  return {
    v: 1,
    id: Math.floor(Math.random() * 0xffffff)
      .toString(16)
      .padStart(6, "0"),
    time: new Date().toISOString(),
    kind: "decision",
    agent: "json",
    session_id: "s1",
    event: "tool:pre_execute",
    tool: "Bash",
    action: "continue",
    reasons: [],
    event_json: { type: "tool:pre_execute", tool_name: "Bash", data: { tool_args: { command: "ls" } } },
    results: [],
    duration_ms: 1,
    ...parts,
  };
}

/** A command that has nothing to show. */
export async function previewAllow(): Promise<PolicyChange> {
  return { path: "", before: undefined, after: "" };
}
