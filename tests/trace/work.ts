import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { onTestFinished } from "vitest";
import { aggregate } from "../../src/decision/aggregate.ts";
import type { Decision } from "../../src/decision/decision.ts";
import { HookEvent } from "../../src/event/event.ts";
import { callChanges } from "../../src/policies/intent/call-changes.ts";
import { diskLookups } from "../../src/runners/disk-lookups.ts";
import type { ChangeRecord } from "../../src/trace/change/change-record.ts";
import { tracePaths } from "../../src/trace/change/trace-paths.ts";
import type { Traced } from "../../src/trace/change/traced.ts";
import { underTrace } from "../../src/trace/change/under-trace.ts";

/** One call of a tool: what it is told, and what it does to the disk. */
interface ToolCall {
  readonly tool: string;
  readonly input: object;
  readonly does: () => void;
  readonly session?: string;
  readonly id?: string;
  readonly fails?: boolean;
  /** The agent says nothing when the call has ended. */
  readonly isNeverEnded?: boolean;
}

/** A project whose changes are traced. */
export interface Work {
  readonly root: string;
  readonly state: string;
  readonly env: Record<string, string>;
  path(name: string): string;
  write(name: string, text: string | Uint8Array): void;
  read(name: string): string;
  /** Announces a call, lets it happen unless it is denied, tells its end. */
  call(call: ToolCall): Promise<{ before: Decision; after: Decision | undefined }>;
  records(): ChangeRecord[];
}

const isOpen = async (event: HookEvent) => callChanges(event).unknowns.length > 0;

/** Makes a project with these files. */
export function work(files: Readonly<Record<string, string>> = {}, rules: Partial<Traced> = {}): Work {
  const folder = mkdtempSync(join(tmpdir(), "sluice-work-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const root = join(folder, "project");
  const env = { XDG_STATE_HOME: join(folder, "state"), HOME: folder };
  const traced: Traced = {
    root,
    env,
    trace: "on",
    isTraceStated: true,
    intents: { mode: "off" },
    version: "9.9.9",
    isOpen,
    ...rules,
  };
  const place = tracePaths({ root, env });
  const path = (name: string) => join(root, name);
  const write = (name: string, text: string | Uint8Array) => {
    mkdirSync(dirname(path(name)), { recursive: true });
    writeFileSync(path(name), text);
  };
  mkdirSync(root);
  for (const [name, text] of Object.entries(files)) write(name, text);
  let count = 0;
  return {
    root,
    state: place.state,
    env,
    path,
    write,
    read: (name) => readFileSync(path(name), "utf8"),
    async call({ tool, input, does, session = "s1", id = `call${++count}`, fails = false, isNeverEnded = false }) {
      const about = { toolName: tool, sessionId: session, cwd: root, agent: "json" };
      const data = { tool_args: input, tool_use_id: id };
      const announced = new HookEvent({ type: "tool:pre_execute", data, ...about });
      const before = await underTrace(aggregate({ event: announced, results: [] }), traced, diskLookups);
      if (before.action === "deny") return { before, after: undefined };
      does();
      if (isNeverEnded) return { before, after: undefined };
      const type = fails ? "tool:error" : "tool:post_execute";
      const ended = new HookEvent({
        type,
        data: { ...data, ...(fails ? { error: "no" } : { tool_result: {} }) },
        ...about,
      });
      return { before, after: await underTrace(aggregate({ event: ended, results: [] }), traced, diskLookups) };
    },
    records: () => {
      try {
        return readFileSync(place.file, "utf8")
          .trimEnd()
          .split("\n")
          .map((line) => JSON.parse(line) as ChangeRecord);
      } catch {
        return [];
      }
    },
  };
}
