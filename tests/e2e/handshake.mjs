import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { blocked } from "./judges.mjs";

/** The calls of a session that works under an intent: how this agent writes a file, and how it calls a tool of our MCP server. */
export function handshakeCalls(write, tool) {
  return {
    early: (place) => write(place, FILES.early),
    list: () => tool("list_intents", {}),
    select: () => tool("select_active_intent", { intent_id: INTENT }),
    inside: (place) => write(place, FILES.inside),
    outside: (place) => write(place, FILES.outside),
  };
}

/** Whether the writes of such a session have happened. */
export const HANDSHAKE_KINDS = Object.fromEntries(
  ["early", "inside", "outside"].map((kind) => [kind, ({ project }) => existsSync(join(project, FILES[kind]))]),
);

/** A session that has to select an intent, through the MCP server that `sluice install` has registered. */
export const HANDSHAKE_RUN = {
  calls: ["early", "list", "select", "inside", "look", "edit", "outside"],
  needs: "select",
  hooks: () => [],
  files: ({ project }) => ({
    [join(project, ".sluice", "hooks.yaml")]: "intents:\n  mode: enforce\n",
    [join(project, ".orchestration", "active_intents.yaml")]: INTENTS,
  }),
  cells: {
    "a write without an intent is denied": blocked("early", "INTENT_REQUIRED"),
    "the model selects an intent through the registered MCP server": ({ results }) => [
      ...lacking(results, "list", "can be selected"),
      ...lacking(results, "select", "<intent_context>"),
      ...lacking(results, "select", "src/auth/**"),
    ],
    "a write in the intent's scope runs, and the trace has it": ({ place, notRun }) => [
      ...notRun("inside"),
      ...untraced(place),
    ],
    "writes outside of the scope are denied": (seen) =>
      ["edit", "outside"].flatMap((kind) => blocked(kind, "SCOPE_VIOLATION")(seen)),
  },
};

/** The same, with everything in the user's own settings. */
export const USER_HANDSHAKE_RUN = {
  ...HANDSHAKE_RUN,
  scopes: ["user"],
  cells: {
    "all of this, installed for the user": (seen) => Object.values(HANDSHAKE_RUN.cells).flatMap((cell) => cell(seen)),
  },
};

function lacking(results, kind, words) {
  return results[kind]?.includes(words) ? [] : [`${kind} does not say ${words}, but: ${results[kind]?.slice(0, 300)}`];
}

function untraced({ project }) {
  const path = join(project, ".orchestration", "agent_trace.jsonl");
  if (!existsSync(path)) return ["there is no trace"];
  const records = readFileSync(path, "utf8")
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));
  const paths = records.flatMap(({ files }) => files.map(({ relative_path }) => relative_path));
  return [
    ...(records.every(({ intent_id }) => intent_id === INTENT) ? [] : ["a record has another intent"]),
    ...(paths.join() === FILES.inside ? [] : [`the trace has: ${paths.join(", ") || "nothing"}`]),
  ];
}

const INTENT = "INT-001";
const FILES = { early: "src/auth/early.txt", inside: "src/auth/inside.txt", outside: "outside.txt" };
const INTENTS = `active_intents:
  - id: ${INTENT}
    name: Authentication
    status: IN_PROGRESS
    owned_scope: ["src/auth/**"]
    constraints: ["No other providers"]
    acceptance_criteria: ["The tests pass"]
`;
