import { existsSync } from "node:fs";
import { join } from "node:path";
import { APPROVED_RUN, DIALOG_RUN } from "./approved.mjs";
import { ASKED_RUN } from "./asked.mjs";
import { CONTAINED_RUN } from "./contained.mjs";
import { HANDSHAKE_RUN, USER_HANDSHAKE_RUN } from "./handshake.mjs";
import { blocked, counted, heard, heardOnce, told } from "./judges.mjs";
import { SECRET } from "./kinds.mjs";
import { POSTED_RUNS } from "./posted.mjs";
import { REPLAYED_RUN } from "./replayed.mjs";
import { UNASKED_RUN } from "./unasked.mjs";

/**
 * The runs of one agent. Each has the user's hooks, the kinds of calls that the model asks for, and the cells of the table
 * that are judged by it: a cell answers with what is wrong, or with nothing.
 */
export const RUNS = [
  {
    calls: ["shell", "write", "look", "edit", "read", "mcp"],
    hooks: ({ log }) => [
      { event: "tool:pre_execute", command: `echo "pre $SLUICE_TOOL_NAME" >> '${log}'` },
      { event: "tool:post_execute", command: `echo "post $SLUICE_TOOL_NAME" >> '${log}'` },
    ],
    cells: {
      "fires once before each call": (seen) => [...seen.notRun(), ...counted(seen, "pre")],
      "fires once after each call": (seen) => counted(seen, "post"),
    },
  },
  {
    calls: ["shell", "write", "look", "edit", "mcp"],
    hooks: () => [
      denying("tool:pre_execute:@shell,tool:pre_execute:@write,tool:pre_execute:*mark", "the quokka objects"),
    ],
    cells: {
      "deny stops the shell": blocked("shell", "the quokka objects"),
      "deny stops a write": blocked("write", "the quokka objects"),
      "deny stops an edit": blocked("edit", "the quokka objects"),
      "deny stops an MCP tool": blocked("mcp", "the quokka objects"),
    },
  },
  {
    calls: [["shell", "write"]],
    hooks: ({ log }) => [{ event: "tool:pre_execute", command: `echo "pre $SLUICE_TOOL_NAME" >> '${log}'` }],
    cells: { "fires once for each of two calls at once": (seen) => [...seen.notRun(), ...counted(seen, "pre")] },
  },
  {
    calls: ["shell", "write"],
    scopes: ["project"],
    hooks: ({ log }) => [
      { event: "tool:pre_execute", command: `echo "pre $SLUICE_TOOL_NAME" >> '${log}'` },
      { event: "tool:post_execute", command: `echo "post $SLUICE_TOOL_NAME" >> '${log}'` },
    ],
    cells: {
      "fires once, installed for the project": (seen) => [
        ...seen.notRun(),
        ...counted(seen, "pre"),
        ...counted(seen, "post"),
      ],
    },
  },
  {
    calls: ["shell", "write"],
    hooks: ({ log }) =>
      ["session:start", "user:prompt_submit", "session:stop"].map((event) => ({
        event,
        command: `echo "${event}" >> '${log}'`,
      })),
    cells: {
      "receives one start of the session": heardOnce("session:start"),
      "receives one prompt": heardOnce("user:prompt_submit"),
      "receives one stop": heardOnce("session:stop"),
    },
  },
  {
    calls: ["read", "mcp"],
    hooks: () => [denying("tool:pre_execute:@read,tool:pre_execute:@mcp", "the quokka objects")],
    cells: {
      "deny stops a read": blocked("read", "the quokka objects"),
      "@mcp names an MCP tool": blocked("mcp", "the quokka objects"),
    },
  },
  {
    calls: ["agent", "wait"],
    sub: ["shell"],
    needs: "agent",
    hooks: () => [denying("tool:pre_execute:@shell", "the quokka objects")],
    cells: { "deny stops the shell of a sub-agent": blocked("shell", "the quokka objects") },
  },
  {
    calls: ["agent", "wait"],
    sub: ["shell"],
    needs: "agent",
    hooks: () => [denying("subagent:start", "no sub-agents today")],
    cells: {
      "a denied sub-agent is told to stop": (seen) => [
        ...told("Stop at once and do nothing: no sub-agents today")(seen),
      ],
    },
  },
  {
    calls: ["shell", "write"],
    hooks: () => [
      saying("tool:pre_execute:@shell", {
        action: "modify",
        modified_data: { patch: { command: "touch changed.txt" } },
      }),
    ],
    cells: {
      "a changed command never runs as it was": ({ ran }) => (ran("shell") ? ["the original command ran"] : []),
      "modify reaches the tool": ({ place, notRun }) => [
        ...(existsSync(join(place.project, "changed.txt")) ? [] : ["the changed command did not run"]),
        ...notRun("write"),
      ],
    },
  },
  {
    calls: ["shell"],
    hooks: () => [
      saying("session:start", { context: "word-of-the-session" }),
      saying("user:prompt_submit", { context: "word-with-the-prompt" }),
      saying("tool:pre_execute", { context: "word-before-the-tool" }),
      saying("tool:post_execute", { context: "word-after-the-tool" }),
    ],
    cells: {
      "context of the session reaches the model": told("word-of-the-session"),
      "context of the prompt reaches the model": told("word-with-the-prompt"),
      "context before a tool reaches the model": told("word-before-the-tool"),
      "context after a tool reaches the model": told("word-after-the-tool"),
    },
  },
  {
    calls: ["shell", "write"],
    hooks: () => [
      { event: "tool:pre_execute:@shell", command: "kill -9 $$", onError: "deny" },
      { event: "tool:pre_execute:@write", command: "sleep 60", timeout: 1, onError: "deny" },
    ],
    cells: {
      "a crash denies where told to": blocked("shell", ""),
      "a hang denies where told to": blocked("write", ""),
    },
  },
  {
    calls: ["shell", "write"],
    hooks: () => [
      { event: "tool:pre_execute:@shell", command: "kill -9 $$", onError: "continue" },
      { event: "tool:pre_execute:@write", command: "sleep 60", timeout: 1, onError: "continue" },
    ],
    cells: {
      "a crash lets pass where told to": ({ notRun }) => notRun("shell"),
      "a hang lets pass where told to": ({ notRun }) => notRun("write"),
    },
  },
  {
    calls: ["failing"],
    hooks: () => [saying("tool:error", { context: "word-about-the-failure" })],
    cells: { "context after a failed call reaches the model": told("word-about-the-failure") },
  },
  {
    calls: ["shell"],
    hooks: () => [saying("tool:pre_execute", { action: "ask", reason: "may the quokka" })],
    cells: {
      "ask runs nothing where no person can answer": ({ ran }) => (ran("shell") ? ["the tool ran"] : []),
      "the model is told why, and the run ends": blocked("shell", "may the quokka"),
    },
  },
  {
    calls: ["write", "look", "edit"],
    hooks: () => [
      ruling('path glob "write.txt" -> deny("the quokka owns it")'),
      ruling('content contains "after" -> deny("not these words")'),
    ],
    cells: {
      "a rule about a path stops a write": blocked("write", "the quokka owns it"),
      "a rule about content stops an edit": blocked("edit", "not these words"),
    },
  },
  {
    calls: ["write", "look", "edit"],
    hooks: ({ log }) => [
      {
        event: "tool:post_execute",
        matcher: { path_patterns: ["{write,edit}.txt"], tools: ["@write"] },
        command: `echo formatted >> '${log}'`,
      },
    ],
    cells: { "a hook for files runs after a write and an edit": ({ place }) => heard(place, "formatted", 2) },
  },
  {
    calls: ["monitor"],
    needs: "monitor",
    hooks: () => [denying("tool:pre_execute:@shell", "the quokka objects")],
    cells: { "@shell names a tool that watches a command": blocked("monitor", "the quokka objects") },
  },
  {
    calls: ["shell", "write"],
    hooks: ({ config }) => [
      { event: "tool:pre_execute:@shell", command: `printf '{ "hooks": [' > '${config}/sluice/hooks.json'` },
    ],
    cells: {
      "a configuration that breaks in the session is told": ({ model, printed }) =>
        [...model.told, printed].some((text) => text.includes("sluice/hooks.json"))
          ? []
          : ["neither the model nor the user was told"],
    },
  },
  {
    calls: ["shell"],
    hooks: () => [denying("user:prompt_submit", "not this prompt")],
    cells: {
      "a denied prompt never reaches the model": ({ model }) =>
        model.told.length === 0 ? [] : ["the model was asked"],
    },
  },
  {
    calls: ["shell"],
    hooks: ({ root }) => [
      {
        event: "session:stop",
        command: `test -e '${root}/asked' || { touch '${root}/asked'; echo "run the tests first"; exit 1; }`,
      },
    ],
    cells: { "a denied stop keeps the agent working": told("run the tests first") },
  },
  {
    calls: ["show"],
    hooks: () => [denying("tool:post_execute:@shell", "the quokka regrets")],
    cells: {
      "an objection afterwards reaches the model, with the result": (seen) => [
        ...(seen.results.show?.includes(SECRET) ? [] : [`the result is lost: ${seen.results.show?.slice(0, 300)}`]),
        ...told("the quokka regrets")(seen),
      ],
    },
  },
  HANDSHAKE_RUN,
  USER_HANDSHAKE_RUN,
  ...POSTED_RUNS,
  REPLAYED_RUN,
  UNASKED_RUN,
  ASKED_RUN,
  CONTAINED_RUN,
  APPROVED_RUN,
  DIALOG_RUN,
];

/** The rows of the printed table. */
export const CELLS = RUNS.flatMap(({ cells }) => Object.keys(cells));

function denying(event, reason) {
  return { event, command: `echo '${reason}'; exit 1` };
}

function ruling(rules) {
  return { event: "tool:pre_execute", type: "inline", rules };
}

function saying(event, answer) {
  return { event, command: `echo '${JSON.stringify(answer)}'` };
}
