import { library } from "../built.mjs";
import { rows, sideBySide } from "../measure.mjs";

/** Ten inline hooks around a tool call cost microseconds. */
export async function wrap({ quick }) {
  const package_ = await library();
  const contenders = [{ label: BARE, run: bare }, ...[0, 1, 10].map((size) => wrapped(package_, size))];
  const figures = await sideBySide(contenders, { rounds: quick ? 60 : 600, warmUpMs: quick ? 200 : 1000 });
  const overMs = figures.get(labelOf(10)).median - figures.get(BARE).median;
  const measured = Number((overMs * 1000).toPrecision(3));
  return {
    what: "a tool call with inline hooks before and after it, against the bare call",
    rows: rows(figures, { unit: "µs", to: () => BARE }),
    targets: [{ what: "what 10 inline hooks add to a call", target: 20, measured, unit: " µs", met: measured <= 20 }],
    notes: ["Every hook is a rule that looks at the tool and its command, and none matches."],
  };
}

const BARE = "the bare call";
const labelOf = (size) => `wrapToolCall, ${size} inline ${size === 1 ? "hook" : "hooks"}`;

const SESSION = { sessionId: "s-1" };
const ARGS = { command: "git status --short", description: "what changed" };
const tool = async ({ command }) => command.length;

async function bare(times) {
  let sum = 0;
  for (let index = 0; index < times; index++) sum += await tool(ARGS);
  return sum;
}

function wrapped({ Hook, HooksManager, ToolExecutionHooks }, size) {
  const manager = new HooksManager();
  manager.hooksConfig = { hooks: Array.from({ length: size }, (_, index) => guard(Hook, index)) };
  const hooks = new ToolExecutionHooks(manager);
  return {
    label: labelOf(size),
    run: async (times) => {
      let sum = 0;
      for (let index = 0; index < times; index++) sum += await hooks.wrapToolCall(SESSION, "bash", ARGS, tool);
      return sum;
    },
  };
}

function guard(Hook, index) {
  const rules = `tool equals "bash" and args.command contains "--forbidden-${index}" -> deny("no")`;
  return Hook.fromJSON({ name: `guard ${index}`, type: "inline", event: "tool:pre_execute", rules });
}
