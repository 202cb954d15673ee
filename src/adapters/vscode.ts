import { once } from "../event/once.ts";
import type { Adapter, AgentHookEvent, Decoded, FittedDecision, Reply } from "./adapter.ts";
import {
  blockOrTell,
  contextOnly,
  dated,
  decodeTool,
  denialAsContext,
  exitTwo,
  hookEvent,
  hookEventName,
  isNamed,
  nestedBlockOrTell,
  postToolUse,
  preToolUse,
  promptHookEvent,
  shellCanary,
} from "./claude-family.ts";
import { keepsShape, type Payload, textAt } from "./payload.ts";
import { aroundFile, type Wanted } from "./recipe.ts";
import { theirInput, withOurPath, withTheirPath } from "./shell-input.ts";

const HOOK_EVENTS = once(() =>
  dated({
    SessionStart: hookEvent("session:start", ["context"], contextOnly),
    UserPromptSubmit: promptHookEvent("user:prompt_submit", ["deny"], exitTwo),
    PreToolUse: hookEvent("tool:pre_execute", ["deny", "ask", "modify", "approve", "context"], gate, {
      decode: decodeWithPath,
      refuses: ofAnotherShape,
      note: "a change that gives the input another shape is denied, because VS Code would ignore it",
    }),
    PostToolUse: hookEvent("tool:post_execute", ["feedback", "context"], postToolUse, { decode: decodeWithPath }),
    PreCompact: hookEvent("session:pre_compact", [], exitTwo),
    SubagentStart: hookEvent("subagent:start", ["context"], denialAsContext, {
      note: "a denied sub-agent is asked to stop at once; VS Code starts it all the same",
    }),
    SubagentStop: hookEvent("subagent:stop", ["deny"], blockOrTell),
    Stop: hookEvent("session:stop", ["deny"], nestedBlockOrTell),
  } as const satisfies Record<string, AgentHookEvent>),
);

const FILES = { user: ".copilot/hooks/sluice-vscode.json", project: ".github/hooks/sluice-vscode.json" };
const SHARED =
  "VS Code also runs the hooks of `.claude/settings.json` and those that `sluice install` writes for the command-line " +
  "agent in the same folder: install Sluice for one of them, or a call is decided twice.";

/** VS Code's own agent: Claude's hook events with the editor's tools. */
export const vscode: Adapter = {
  id: "vscode",
  title: "VS Code",
  docs: "https://code.visualstudio.com/docs/agents/reference/hooks-reference",
  version: "2026-08",
  recognises: (payload) => isNamed(payload, HOOK_EVENTS()) && textAt(payload, "timestamp") !== undefined,
  hookEventOf: hookEventName,
  nameKeys: ["hook_event_name"],
  get hookEvents() {
    return HOOK_EVENTS();
  },
  seconds: 120,
  recipe: {
    kind: "files",
    files: (scope, wanted) => [{ path: FILES[scope], text: hookFile(wanted) }],
    mcp: {
      files: { project: ".vscode/mcp.json" },
      at: ["servers"],
      projectDir: "${workspaceFolder}",
      server: ([command, ...args]) => ({ type: "stdio", command, args }),
    },
    projectDir: aroundFile(".github/hooks/sluice-vscode.json"),
    anyShell: true,
    traces: [".vscode", ".config/Code", "Library/Application Support/Code"],
    afterwards: {
      user: SHARED,
      project: `${SHARED} VS Code runs a project's hooks only in a workspace that you trust.`,
    },
  },
  messageKey: "systemMessage",
  alsoReads: [".claude/settings.json"],
  canary: shellCanary("run_in_terminal", { timestamp: "2026-01-01T00:00:00.000Z" }),
  limits: [
    "A hook that crashes or takes too long lets the tool run.",
    "This is the editor's local agent; sessions of other agents inside VS Code use those agents' own hooks.",
    "The end of a session and a tool that failed reach no hook.",
    "Matchers are ignored: every hook runs on every tool.",
  ],
  quirks: [
    {
      behaviour: "a changed input that does not fit the tool's schema is ignored, and the original runs",
      answer: "a change has to keep the keys and the kinds of their values; any other is denied",
    },
    {
      behaviour: "the block of a stop is read only inside `hookSpecificOutput`",
      answer: "it is written there; for a sub-agent on the top level",
    },
    {
      behaviour: "tools name their file `filePath`",
      answer: "hooks see it as `file_path` too",
    },
  ],
};

function decodeWithPath(payload: Payload): Decoded {
  const decoded = decodeTool(payload);
  return { ...decoded, data: { ...decoded.data, tool_args: withOurPath(decoded.data.tool_args) } };
}

function gate(outcome: FittedDecision, payload: Payload): Reply {
  if (outcome.input === undefined) return preToolUse(outcome, payload);
  return preToolUse({ ...outcome, input: withTheirPath(payload.tool_input, outcome.input) }, payload);
}

function ofAnotherShape(outcome: FittedDecision, { tool_input: original }: Payload): string | undefined {
  const input = theirInput(original, withTheirPath(original, outcome.input));
  return keepsShape(original, input) ? undefined : "VS Code ignores an input of another shape";
}

/** Only keys that the editor reads: the command-line agent that shares this folder finds nothing to run. */
function hookFile(wanted: readonly Wanted[]): string {
  const hooks = Object.fromEntries(
    wanted.map(({ hookEvent, command, windows = command, seconds }) => [
      hookEvent,
      [{ type: "command", linux: command, osx: command, windows, timeout: seconds }],
    ]),
  );
  return `${JSON.stringify({ hooks }, null, 2)}\n`;
}
