import { once } from "../event/once.ts";
import type { Adapter, AgentHookEvent, FittedDecision, Reply } from "./adapter.ts";
import {
  contextOnly,
  exitTwo,
  groupedEntry,
  hookEvent,
  hookEventName,
  keepsTranscriptsIn,
  postToolUseSaidTwice,
  preToolUse,
  promptHookEvent,
  shellCanary,
  showUser,
  silent,
  specific,
  toolHookEvent,
  withContext,
} from "./claude-family.ts";
import { lostKeys, type Payload, textAt } from "./payload.ts";
import { inVariable, mcpServers } from "./recipe.ts";
import { theirInput } from "./shell-input.ts";

const HOOK_EVENTS = once(
  () =>
    ({
      SessionStart: hookEvent("session:start", ["context"], contextOnly),
      UserPromptSubmit: promptHookEvent("user:prompt_submit", ["deny", "modify", "context"], prompt),
      PreToolUse: toolHookEvent("tool:pre_execute", ["deny", "modify", "approve"], mergedInput, {
        refuses: losesKeys,
        note: "a change that takes a key away is denied, because Droid would put the key back",
      }),
      PostToolUse: toolHookEvent("tool:post_execute", ["feedback", "context"], postToolUseSaidTwice, {
        note: "a tool that failed comes here too; an objection is sent twice, as a block and as context",
      }),
      Notification: hookEvent("session:notification", [], showUser),
      Stop: hookEvent("session:stop", ["deny"], exitTwo),
      SubagentStop: hookEvent("subagent:stop", ["deny"], exitTwo),
      PreCompact: hookEvent("session:pre_compact", [], exitTwo),
      SessionEnd: hookEvent("session:end", [], silent),
    }) as const satisfies Record<string, AgentHookEvent>,
);

/** Factory Droid: Claude's wire with its own levels of autonomy. */
export const droid: Adapter = {
  id: "droid",
  title: "Factory Droid",
  docs: "https://docs.factory.ai/reference/hooks-reference",
  version: "0.225.2",
  proven: { version: "0.225.2", date: "2026-11-19" },
  program: "droid",
  recognises,
  hookEventOf: hookEventName,
  nameKeys: ["hook_event_name"],
  get hookEvents() {
    return HOOK_EVENTS();
  },
  messageKey: "systemMessage",
  seconds: 120,
  projectVariables: ["FACTORY_PROJECT_DIR", "DROID_PROJECT_DIR"],
  recipe: {
    kind: "entries",
    files: { user: ".factory/hooks.json", project: ".factory/hooks.json" },
    // The file has hook events on its top level. Droid ignores what is under a key `hooks` there, as older versions of Sluice wrote it.
    entry: (wanted) => ({ ...groupedEntry(wanted), at: [wanted.hookEvent] }),
    mcp: mcpServers({ user: ".factory/mcp.json", project: ".factory/mcp.json" }, { type: "stdio" }),
    traces: [".factory"],
    projectDir: inVariable("FACTORY_PROJECT_DIR"),
    anyShell: true,
    afterwards: {
      user: "Droid runs no hooks in a folder before you have trusted it.",
      project: "Droid runs no hooks in a folder before you have trusted it.",
    },
  },
  canary: shellCanary("Execute", { permission_mode: "off" }),
  escapes: {
    words: ["hooksDisabled"],
    files: { user: [".factory/settings.json"], project: [".factory/settings.json", ".factory/settings.local.json"] },
  },
  limits: [
    "`ask` has no effect in Droid: what needs approval is denied.",
    "When several hooks decide about one call, Droid follows the one that answers first.",
    "A hook that crashes or takes too long lets the tool run.",
    "The start of a sub-agent reaches no hook.",
    "`hooksDisabled` in its settings, or a policy that allows managed hooks only, switches Sluice off.",
  ],
  quirks: [
    {
      behaviour: "a changed input is merged into the original, key by key, so a key that was taken away stays",
      answer: "such a change is denied",
    },
    {
      behaviour: "hook events under a key `hooks` in `hooks.json` are ignored, and every call runs",
      answer: "they are on the top level of the file; `sluice install` moves what an older version wrote",
    },
    { behaviour: "exit code 3 ends the whole agent", answer: "it is never used" },
  ],
};

/** Its levels of autonomy have names of their own. */
function recognises(payload: Payload): boolean {
  if (hookEventName(payload) === undefined) return false;
  return AUTONOMY.test(textAt(payload, "permission_mode") ?? "") || keepsTranscriptsIn(payload, ".factory");
}

/** Another input works without `allow`, which would approve more than the hooks did. */
function mergedInput(outcome: FittedDecision, payload: Payload): Reply {
  const reason = outcome.action === "deny" ? withContext(outcome) : outcome.reason;
  return preToolUse({ ...outcome, reason, context: "" }, payload);
}

function losesKeys(outcome: FittedDecision, payload: Payload): string | undefined {
  const lost = lostKeys(payload.tool_input, theirInput(payload.tool_input, outcome.input));
  return lost.length === 0 ? undefined : `Droid cannot take ${lost.map((key) => `\`${key}\``).join(", ")} away`;
}

function prompt(outcome: FittedDecision, payload: Payload): Reply {
  if (outcome.action === "deny") return exitTwo(outcome);
  if (outcome.input === undefined) return contextOnly(outcome, payload);
  const context = outcome.context === "" ? {} : { additionalContext: outcome.context };
  return specific(outcome, payload, { updatedInput: { prompt: outcome.input }, ...context });
}

const AUTONOMY = /^(off|spec|auto-(low|medium|high))$/;
