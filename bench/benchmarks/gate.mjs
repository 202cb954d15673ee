import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { library } from "../built.mjs";
import { rows, sideBySide } from "../measure.mjs";

/** Whether a file may be written is decided in microseconds, links and all, where intents are enforced. */
export async function gate({ quick }) {
  const folder = mkdtempSync(join(tmpdir(), "sluice-bench-"));
  const { XDG_STATE_HOME, XDG_CONFIG_HOME } = process.env;
  Object.assign(process.env, { XDG_STATE_HOME: join(folder, "state"), XDG_CONFIG_HOME: join(folder, "config") });
  try {
    const { createHookEngine } = await library();
    const [alone, recorded] = [
      await engineIn(createHookEngine, folder, "off"),
      await engineIn(createHookEngine, folder, "on"),
    ];
    const figures = await sideBySide(
      [
        asking(PASSED, alone, "src/a/deep/file.ts", true),
        asking(REFUSED, alone, "other/file.ts", false),
        asking(TRACED, recorded, "src/a/deep/file.ts", true),
      ],
      { rounds: quick ? 60 : 600, warmUpMs: quick ? 300 : 1500 },
    );
    const cost = Number((figures.get(PASSED).median * 1000).toPrecision(3));
    return {
      what: "an extension host asks whether a file may be written: intents enforced, one in progress and selected",
      rows: rows(figures, { unit: "µs", to: () => PASSED }),
      targets: [{ what: "the gate on a file write", target: 150, measured: cost, unit: " µs", met: cost <= 150 }],
      notes: ["With the trace, the file as it is before the call is kept on the disk as well."],
    };
  } finally {
    for (const [name, value] of Object.entries({ XDG_STATE_HOME, XDG_CONFIG_HOME }))
      if (value === undefined) delete process.env[name];
      else process.env[name] = value;
    rmSync(folder, { recursive: true, force: true });
  }
}

const PASSED = "preToolUse, a write in scope";
const REFUSED = "preToolUse, a write out of scope";
const TRACED = "the same in scope, with the trace of changes";

async function engineIn(createHookEngine, folder, trace) {
  const root = join(folder, `project-${trace}`);
  const files = {
    [join(root, ".sluice/hooks.yaml")]: "intents: { mode: enforce }\nhooks: []\n",
    [join(folder, "config/sluice/hooks.yaml")]: `trace: ${trace}\nhooks: []\n`,
    [join(root, ".orchestration/active_intents.yaml")]: INTENTS,
    [join(root, "src/a/deep/file.ts")]: "export const a = 1;\n".repeat(50),
  };
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text);
  }
  const engine = createHookEngine({ root, sessionId: `s-${trace}` });
  await engine.selectActiveIntent("INT-001");
  return engine;
}

function asking(label, engine, file_path, isAllowed) {
  const call = { toolName: "Edit", toolInput: { file_path, old_string: "a", new_string: "b" }, toolUseId: "t-1" };
  return {
    label,
    run: async (times) => {
      for (let turn = 0; turn < times; turn++)
        if ((await engine.preToolUse(call)).allow !== isAllowed) return Number.NaN;
      return times;
    },
  };
}

const INTENTS = `active_intents:
  - id: INT-001
    name: Do the work
    status: IN_PROGRESS
    owned_scope: ["src/**"]
    constraints: []
    acceptance_criteria: []
`;
