import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { build } from "esbuild";
import { library } from "../built.mjs";
import { rows, sideBySide } from "../measure.mjs";

/** What the single steps of one call cost. Nothing here has a target; it says where time goes. */
export async function parts({ quick }) {
  const package_ = await library();
  const inside = await insideParts();
  const contenders = [
    ...eventParts(package_),
    hookFromJson(package_),
    ...patterns(inside),
    ...[1, 10, 100].map((size) => adding(package_, inside, size)),
  ];
  const figures = await sideBySide(contenders, { rounds: quick ? 40 : 400, warmUpMs: quick ? 30 : 150 });
  return {
    what: "what the steps of one call cost inside the process",
    rows: rows(figures, { unit: "µs", to: () => NEW_EVENT }),
    targets: [],
    notes: [],
  };
}

const NEW_EVENT = "new HookEvent";

/** Steps that are no part of the public package, bundled as the library is. */
async function insideParts() {
  const folder = mkdtempSync(join(tmpdir(), "sluice-bench-"));
  const outfile = join(folder, "parts.mjs");
  try {
    await build({
      stdin: {
        contents: 'export { aggregate } from "./decision/aggregate.ts"; export * from "./event/pattern.ts";',
        resolveDir: fileURLToPath(new URL("../../src", import.meta.url)),
      },
      outfile,
      bundle: true,
      format: "esm",
      platform: "node",
      target: "node20",
      logLevel: "error",
    });
    return await import(pathToFileURL(outfile).href);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function eventParts({ HookEvent }) {
  const event = HookEvent.toolPreExecute("bash", ARGS, { sessionId: "s-1", cwd: "/project" });
  const many = (label, act) => ({
    label,
    run: (times) => {
      let size = 0;
      for (let index = 0; index < times; index++) size += act(index);
      return size;
    },
  });
  return [
    many(NEW_EVENT, (index) => new HookEvent({ type: "PreToolUse", toolName: "bash", timestamp: index }).timestamp),
    many("HookEvent.toEnv", () => Object.keys(event.toEnv()).length),
    many("JSON.stringify(event)", () => JSON.stringify(event).length),
  ];
}

function hookFromJson({ Hook }) {
  return {
    label: "Hook.fromJSON",
    run: (times) => {
      let size = 0;
      for (let index = 0; index < times; index++) {
        size += Hook.fromJSON({ event: "tool:pre_execute:@shell", command: "true", timeout: 5 }).name.length;
      }
      return size;
    },
  };
}

function patterns({ compilePattern, matchesPattern }) {
  const known = compilePattern("tool:*:mcp__*__read");
  let fresh = 0;
  return [
    {
      label: "compile a pattern never seen",
      run: (times) => {
        let size = 0;
        for (let index = 0; index < times; index++) size += compilePattern(`tool:*:mcp__${fresh++}__*`).events.size;
        return size;
      },
    },
    {
      label: "test a compiled glob pattern",
      run: (times) => {
        let size = 0;
        for (let index = 0; index < times; index++)
          size += matchesPattern(known, "tool:pre_execute", TOOLS[index & 3]) ? 1 : 0;
        return size;
      },
    },
  ];
}

function adding({ Hook, HookEvent }, { aggregate }, size) {
  const event = HookEvent.toolPreExecute("bash", ARGS);
  const hook = Hook.fromJSON({ event: "tool:pre_execute", command: "true" });
  const results = Array.from({ length: size }, (_, index) => ({
    hook,
    action: ["continue", "deny", "ask"][index % 3],
    reason: `reason ${index}`,
    context: `context ${index}`,
  }));
  return {
    label: `aggregate ${size} ${size === 1 ? "result" : "results"}`,
    run: (times) => {
      let count = 0;
      for (let index = 0; index < times; index++) count += aggregate({ event, results }).contexts.length;
      return count;
    },
  };
}

const ARGS = { command: "git push --force origin main", description: "publish" };
const TOOLS = ["mcp__a__read", "mcp__b__write", "bash", "mcp__c__read"];
