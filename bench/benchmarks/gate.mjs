import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { loadSource } from "../../scripts/load-source.mjs";
import { library } from "../built.mjs";
import { rows, sideBySide } from "../measure.mjs";

/** Whether a file may be written is decided in microseconds where intents are enforced, links and all. */
export async function gate({ quick }) {
  const folder = mkdtempSync(join(tmpdir(), "sluice-bench-"));
  const before = Object.fromEntries(HOMES.map((name) => [name, process.env[name]]));
  Object.assign(process.env, { XDG_STATE_HOME: join(folder, "state"), XDG_CONFIG_HOME: join(folder, "config") });
  try {
    const pace = { rounds: quick ? 60 : 600, warmUpMs: quick ? 500 : 2000 };
    // By itself first: the whole host in the same process is other code on the same ways.
    const figures = await sideBySide([await alone(folder)], pace);
    const whole = await sideBySide(
      [
        await asked("off", WHOLE, folder, "src/a/deep/file.ts", true),
        await asked("off", REFUSED, folder, "other/file.ts", false),
        await asked("on", TRACED, folder, "src/a/deep/file.ts", true),
      ],
      pace,
    );
    for (const [label, figure] of whole) figures.set(label, figure);
    const cost = Number((figures.get(ALONE).median * 1000).toPrecision(3));
    return {
      what: "whether a file may be written: intents enforced, one in progress and selected",
      rows: rows(figures, { unit: "µs", to: () => ALONE }),
      targets: [{ what: "the gate on a file write", target: 150, measured: cost, unit: " µs", met: cost <= 150 }],
      notes: [
        "The gate reads the intents, the session's choice and every link on the way to the file anew each time. What an extension host waits for is all of `preToolUse`, with the protection of Sluice's own files; with the trace, the file as it was is kept on the disk as well.",
      ],
    };
  } finally {
    for (const [name, value] of Object.entries(before))
      if (value === undefined) delete process.env[name];
      else process.env[name] = value;
    rmSync(folder, { recursive: true, force: true });
  }
}

const HOMES = ["XDG_STATE_HOME", "XDG_CONFIG_HOME"];
const ALONE = "the gate of intents, a write in scope";
const WHOLE = "preToolUse, a write in scope";
const REFUSED = "preToolUse, a write out of scope";
const TRACED = "preToolUse in scope, with the trace of changes";

/** The gate itself, without hooks and host. */
async function alone(folder) {
  const sources = ["policies/intent/gate.ts", "policies/intent/binding.ts", "event/event.ts"];
  const source = await loadSource(fileURLToPath(new URL("../..", import.meta.url)), sources);
  const root = projectIn(folder, "alone");
  const about = { sessionId: "s-1", cwd: root };
  const event = () => source.HookEvent.toolPreExecute("Edit", { ...INPUT, file_path: "src/a/deep/file.ts" }, about);
  source.bindSession(root, event(), "INT-001");
  const options = { root, onUnknown: "ask", canAsk: true, approved: false };
  return {
    label: ALONE,
    run: (times) => {
      for (let turn = 0; turn < times; turn++) if (source.gate(event(), options).kind !== "passes") return Number.NaN;
      return times;
    },
  };
}

async function asked(trace, label, folder, file_path, isAllowed) {
  const { createHookEngine } = await library();
  mkdirSync(join(folder, "config/sluice"), { recursive: true });
  writeFileSync(join(folder, "config/sluice/hooks.yaml"), `trace: ${trace}\nhooks: []\n`);
  const root = projectIn(folder, `asked-${trace}-${isAllowed}`);
  const engine = createHookEngine({ root, sessionId: "s-1" });
  await engine.selectActiveIntent("INT-001");
  const call = { toolName: "Edit", toolInput: { ...INPUT, file_path }, toolUseId: "t-1" };
  return {
    label,
    run: async (times) => {
      for (let turn = 0; turn < times; turn++)
        if ((await engine.preToolUse(call)).allow !== isAllowed) return Number.NaN;
      return times;
    },
  };
}

function projectIn(folder, name) {
  const root = join(folder, name);
  for (const [path, text] of Object.entries(FILES)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  }
  return root;
}

const INPUT = { old_string: "a", new_string: "b" };

const FILES = {
  ".sluice/hooks.yaml": "intents: { mode: enforce }\nhooks: []\n",
  "src/a/deep/file.ts": "export const a = 1;\n".repeat(50),
  ".orchestration/active_intents.yaml": `active_intents:
  - id: INT-001
    name: Do the work
    status: IN_PROGRESS
    owned_scope: ["src/**"]
    constraints: []
    acceptance_criteria: []
`,
};
