import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { ranWithoutTrace } from "../contain/plain-run.ts";
import type { Bundle, PartEntry } from "../launcher/load-bundle.ts";
import { boxById, planBox } from "../policies/contain/box-store.ts";
import { exitAs } from "./exit-codes.ts";

/** Runs the command of a contained call. What it has changed is judged by the part with all commands. */
const inside: PartEntry = {
  start: (_answered, _build, otherPart) => {
    const [, , , id = "", dashes, ...words] = process.argv;
    const box = dashes === "--" ? boxById(id, process.env) : undefined;
    if (box?.plan.command !== words.join(" ")) return otherPart("command");
    void ranWithoutTrace(box, process.env).then((end) => {
      if (end === undefined) otherPart("command");
      else exitAs(end.exit ?? NOT_RUN, end.signal);
    });
  },
  warmUp: async () => {
    const [env, root] = [process.env, join(process.cwd(), "project")];
    mkdirSync(root);
    const about = {
      root,
      cwd: root,
      command: "true",
      backend: "bubblewrap",
      event: {},
      tool: "Bash",
      own: [],
      env,
    } as const;
    const settings = { hosts: [], caches: [], limits: { processes: 4096, timeMs: 60_000 } } as const;
    const { id } = planBox({ ...about, settings }, (given) => `sluice inside ${given} -- true`, env);
    const box = boxById(id, env);
    if (box !== undefined) await ranWithoutTrace(box, env);
  },
};

/** The one part of the bundle `inside.cjs`: the program of an agent waits for it. */
export const parts: Bundle["parts"] = { inside: async () => inside };

const NOT_RUN = 125;
