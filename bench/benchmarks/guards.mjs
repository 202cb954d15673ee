import { library } from "../built.mjs";
import { rows, sideBySide } from "../measure.mjs";

/** All guards of a preset look at an ordinary command within microseconds, and at a hostile one within milliseconds. */
export async function guards({ quick }) {
  const package_ = await library();
  const contenders = [...PRESETS.map((preset) => guarded(package_, preset)), ...(await peers())];
  const figures = await sideBySide(contenders, {
    rounds: quick ? 60 : 400,
    warmUpMs: quick ? 300 : 2000,
    batchMs: 5,
  });
  const median = Number((figures.get(labelOf("standard")).median * 1000).toPrecision(3));
  const slowest = await hostile(package_);
  return {
    what: "every guard of a preset over a command of 200 bytes that passes, in a warm process",
    rows: rows(figures, { unit: "µs", to: () => labelOf("standard") }),
    targets: [
      { what: "the standard preset over 200 bytes", target: 60, measured: median, unit: " µs", met: median <= 60 },
      ...slowest.map(({ what, ms, action }) => ({
        what: `100 KB of ${what} (${action})`,
        target: 200,
        measured: Number(ms.toPrecision(3)),
        unit: " ms",
        met: ms <= 200,
      })),
    ],
    notes:
      contenders.length === PRESETS.length ? ["cc-safety-net is not installed, so it is not measured beside it."] : [],
  };
}

const PRESETS = ["standard", "strict", "paranoid"];
const labelOf = (preset) => `guardHooks, ${preset}`;

const COMMAND =
  "cd packages/core && npx vitest run src/rule/evaluate.test.ts src/rule/operators.test.ts --reporter=dot --no-coverage 2>&1 | grep -vE '^ *(ok|pass)' | tail -60 && git status --short --branch src";

function guarded({ HookEvent, HookExecutor, HookRegistry, guardHooks }, preset) {
  const executor = executorOf({ HookExecutor, HookRegistry, guardHooks }, preset);
  return {
    label: labelOf(preset),
    run: async (times) => {
      let sum = 0;
      for (let index = 0; index < times; index++) {
        const event = HookEvent.toolPreExecute("bash", { command: COMMAND }, { cwd: "/home/ada/project" });
        const { action } = await executor.decide(event);
        if (preset === "standard" && action !== "continue") throw new Error(`the command was ${action}`);
        sum += action.length;
      }
      return sum;
    },
  };
}

function executorOf({ HookExecutor, HookRegistry, guardHooks }, preset) {
  const registry = new HookRegistry();
  registry.loadHooks(guardHooks(preset));
  return new HookExecutor({ registry });
}

/** How long texts that are made to be slow keep a guard; each ends with a verdict. */
async function hostile(package_) {
  const executor = executorOf(package_, "standard");
  await executor.decide(package_.HookEvent.toolPreExecute("bash", { command: COMMAND }));
  const found = [];
  for (const [what, command] of Object.entries(HOSTILE)) {
    const begin = performance.now();
    const { action } = await executor.decide(package_.HookEvent.toolPreExecute("bash", { command }));
    found.push({ what, action, ms: performance.now() - begin });
  }
  return found;
}

const SIZE = 100_000;
const fill = (text) => text.repeat(Math.ceil(SIZE / text.length)).slice(0, SIZE);
const HOSTILE = {
  "commands before a deletion": `${fill("true; ")}; rm -rf src`,
  "nested substitutions": `${"$(".repeat(SIZE / 2)}`,
  "nested quotes": fill("\"$(echo '"),
  "braces that multiply": `echo ${fill("{a,b}")}`,
  "open brackets": fill("[["),
  "variables that grow": `a=x; ${fill('a="$a$a"; ')} $a`,
  backslashes: fill("\\"),
  "here documents": fill("cat <<E\n"),
  "folders in folders": fill("cd a; echo > ../b; "),
  "files emptied again and again": fill("cat a > a; "),
  "links to links": `${Array.from({ length: 2000 }, (_, at) => `ln -s l${at} l${at + 1}; echo > l${at}/x; `).join("")}`,
  blanks: `${fill(" ")}ls`,
  "empty lines of code": `python3 - <<E\nimport os; os.environ${fill("\n")}\nE`,
  "one long word": `echo ${fill("a")}`,
};

/** The same question to another guard, in the same process. */
async function peers() {
  const { checkCommand } = await import("cc-safety-net/api");
  const cwd = process.cwd();
  return [
    {
      label: "cc-safety-net",
      run: (times) => {
        let sum = 0;
        for (let index = 0; index < times; index++) sum += checkCommand({ command: COMMAND, cwd }).kind.length;
        return sum;
      },
    },
  ];
}
