import { readFileSync } from "node:fs";
import { readCall } from "../../src/adapters/read-call.ts";
import type { HookEvent } from "../../src/index.ts";

/** What an agent does, in no agent's own words. */
export type Act =
  | { readonly writes: string; readonly content?: string }
  | { readonly edits: string; readonly content?: string }
  | { readonly deletes: string }
  | { readonly runs: string }
  | { readonly reads: string }
  | { readonly fetches: string }
  | { readonly server: string; readonly tool: string; readonly args: object }
  | { readonly wrote: readonly string[] }
  | "stops";

/** The agents whose calls the recipes are tried with. */
export const AGENTS = ["claude-code", "codex", "gemini-cli", "copilot", "opencode"] as const;
type Agent = (typeof AGENTS)[number];

/** The event of an act, read from the payload that the agent would send: a recorded one with other arguments. */
export function eventOf(agent: Agent, act: Act, root = "/home/dev/project"): HookEvent {
  const { text, hookEvent } = payloadOf(agent, act, root);
  const read = readCall({ text, agent, hookEvent });
  if (read.kind !== "event") throw new Error(`${agent} cannot say ${JSON.stringify(act)}: ${JSON.stringify(read)}`);
  return read.event;
}

/** What the agent sends for an act, and the hook event where its line states one. */
export function payloadOf(agent: Agent, act: Act, root: string): { text: string; hookEvent: string | undefined } {
  const { payload, hookEvent } = PAYLOADS[agent](act, root);
  return { text: JSON.stringify(payload).replaceAll("/home/dev/project", root), hookEvent };
}

interface Sent {
  readonly payload: object;
  readonly hookEvent?: string;
}

const PAYLOADS: Readonly<Record<Agent, (act: Act, root: string) => Sent>> = {
  "claude-code": (act, root) => {
    if (act === "stops") return { payload: recorded("claude-code/Stop") };
    if ("reads" in act) return asked("claude-code/PreToolUse.Read", { file_path: at(root, act.reads) });
    if ("fetches" in act) return asked("claude-code/PreToolUse.WebFetch", { url: act.fetches, prompt: "x" });
    if ("server" in act) return named("claude-code/PreToolUse.Read", `mcp__${act.server}__${act.tool}`, act.args);
    if ("runs" in act) return asked("claude-code/PreToolUse.Bash", { command: act.runs });
    if ("deletes" in act) return asked("claude-code/PreToolUse.Bash", { command: `rm ${act.deletes}` });
    if ("wrote" in act) return asked("claude-code/PostToolUse.Edit", edit(`${root}/${act.wrote[0]}`, "x"));
    if ("edits" in act) return asked("claude-code/PreToolUse.Edit", edit(at(root, act.edits), act.content));
    return asked("claude-code/PreToolUse.Write", { file_path: at(root, act.writes), content: act.content ?? "x" });
  },
  codex: (act) => {
    if (act === "stops") return { payload: recorded("codex/Stop") };
    if ("reads" in act) return asked("codex/PreToolUse.Bash", { command: `cat ${act.reads}` });
    if ("fetches" in act) return asked("codex/PreToolUse.Bash", { command: `curl ${act.fetches}` });
    if ("server" in act) return named("codex/PreToolUse.Bash", `mcp__${act.server}__${act.tool}`, act.args);
    if ("runs" in act) return asked("codex/PreToolUse.Bash", { command: act.runs });
    if ("deletes" in act) return patched(`*** Delete File: ${act.deletes}`);
    if ("wrote" in act) return patched(act.wrote.map((path) => update(path, "x")).join("\n"), "PostToolUse");
    if ("edits" in act) return patched(`${update("README.md", "x")}\n${update(act.edits, act.content ?? "x")}`);
    return patched(`*** Add File: ${act.writes}\n${added(act.content ?? "x")}`);
  },
  "gemini-cli": (act, root) => {
    if (act === "stops") return { payload: recorded("gemini-cli/AfterAgent") };
    if ("reads" in act) return asked("gemini-cli/BeforeTool.read_file", { file_path: at(root, act.reads) });
    if ("fetches" in act)
      return named("gemini-cli/BeforeTool.read_file", "web_fetch", { prompt: `Summarize ${act.fetches}` });
    if ("server" in act) return named("gemini-cli/BeforeTool.read_file", `mcp_${act.server}_${act.tool}`, act.args);
    if ("runs" in act) return asked("gemini-cli/BeforeTool.run_shell_command", { command: act.runs });
    if ("deletes" in act) return asked("gemini-cli/BeforeTool.run_shell_command", { command: `rm ${act.deletes}` });
    if ("wrote" in act)
      return asked("gemini-cli/AfterTool.write_file", { file_path: `${root}/${act.wrote[0]}`, content: "x" });
    if ("edits" in act)
      return asked("gemini-cli/BeforeTool.replace", { instruction: "x", ...edit(at(root, act.edits), act.content) });
    return asked("gemini-cli/BeforeTool.write_file", {
      file_path: at(root, act.writes),
      content: act.content ?? "x",
    });
  },
  copilot: (act, root) => {
    if (act === "stops") return { payload: recorded("copilot/agentStop"), hookEvent: "agentStop" };
    const said = (toolName: string, toolArgs: object, hookEvent = "preToolUse"): Sent => ({
      payload: { ...recorded(`copilot/${hookEvent}`), toolName, toolArgs },
      hookEvent,
    });
    if ("runs" in act) return said("bash", { command: act.runs, description: "x" });
    if ("reads" in act) return said("view", { path: at(root, act.reads) });
    if ("fetches" in act) return said("web_fetch", { url: act.fetches });
    if ("server" in act) return said(`${act.server}-${act.tool}`, act.args);
    if ("deletes" in act) return said("bash", { command: `rm ${act.deletes}`, description: "x" });
    if ("wrote" in act) return said("create", { path: `${root}/${act.wrote[0]}`, file_text: "x" }, "postToolUse");
    if ("edits" in act) return said("edit", { path: at(root, act.edits), old_str: "a", new_str: act.content ?? "x" });
    return said("create", { path: at(root, act.writes), file_text: act.content ?? "x" });
  },
  opencode: (act, root) => {
    if (act === "stops")
      return { payload: { hook: "event", input: { event: recorded("opencode/event-session.idle") }, cwd: root } };
    const said = (tool: string, args: object, hook = "tool.execute.before"): Sent => {
      const { input, output } = recorded(`opencode/${hook}`) as { input: object; output: object };
      return { payload: { hook, input: { ...input, tool, args }, output: { ...output, args }, cwd: root } };
    };
    if ("runs" in act) return said("bash", { command: act.runs, description: "x" });
    if ("reads" in act) return said("read", { filePath: at(root, act.reads) });
    if ("fetches" in act) return said("webfetch", { url: act.fetches, format: "text" });
    if ("server" in act) return said(`${act.server}_${act.tool}`, act.args);
    if ("deletes" in act) return said("bash", { command: `rm ${act.deletes}`, description: "x" });
    if ("wrote" in act)
      return said("write", { filePath: `${root}/${act.wrote[0]}`, content: "x" }, "tool.execute.after");
    if ("edits" in act)
      return said("edit", { filePath: at(root, act.edits), oldString: "a", newString: act.content ?? "x" });
    return said("write", { filePath: at(root, act.writes), content: act.content ?? "x" });
  },
};

function asked(name: string, tool_input: object): Sent {
  return { payload: { ...recorded(name), tool_input } };
}

/** The same of a tool of another name. */
function named(name: string, tool_name: string, tool_input: object): Sent {
  return { payload: { ...recorded(name), tool_name, tool_input } };
}

function at(root: string, path: string): string {
  return path.startsWith("/") ? path : `${root}/${path}`;
}

function edit(file_path: string, content = "x"): object {
  return { file_path, old_string: "a", new_string: content };
}

function patched(lines: string, hookEvent = "PreToolUse"): Sent {
  return asked(`codex/${hookEvent}.apply_patch`, { command: `*** Begin Patch\n${lines}\n*** End Patch` });
}

function update(path: string, content: string): string {
  return `*** Update File: ${path}\n@@\n-a\n${added(content)}`;
}

function added(content: string): string {
  return content
    .split("\n")
    .map((line) => `+${line}`)
    .join("\n");
}

function recorded(name: string): object {
  return JSON.parse(readFileSync(new URL(`../../fixtures/payloads/${name}.json`, import.meta.url), "utf8")) as object;
}
