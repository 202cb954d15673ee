import { chmodSync, existsSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { bounded } from "./bounded.mjs";
import { shellCall } from "./call-of.mjs";
import { environmentOf, writeFiles } from "./place.mjs";

const SLUICE = fileURLToPath(new URL("../../dist/sluice.cjs", import.meta.url));

/** An unknown program that writes in the project and outside: it runs contained, which the model is told. */
export const CONTAINED_RUN = {
  calls: ["shell"],
  hooks: () => [],
  files: (place) => {
    const file = join(place.config, "sluice", "hooks.json");
    const acts = `echo it-ran; touch shell.txt; touch '${outsideOf(place)}'`;
    const program = join(place.project, "prog");
    writeFiles({ [program]: '#!/bin/sh\neval "$(rev < acts)"\n' });
    chmodSync(program, 0o755);
    return { [file]: { contain: "unknown", hooks: [] }, [join(place.project, "acts")]: `${reversed(acts)}\n` };
  },
  script: (agent, place) => [[shellCall(agent, "./prog", place)]],
  cells: {
    "an unknown program runs contained": async ({ place, model }) => {
      const options = { cwd: place.project, env: environmentOf(place), seconds: 60 };
      const { stdout } = await bounded(process.execPath, [SLUICE, "inside", "--list", "--json"], options);
      const boxes = JSON.parse(stdout || "[]");
      const kept = boxes.flatMap(({ changes }) => changes.map(({ path, state }) => `${path} ${state}`));
      const result = model.results.main[0] ?? "";
      return [
        ...(boxes.length === 1 && boxes[0].state === "done" && kept.join() === "shell.txt kept"
          ? []
          : [`boxes: ${JSON.stringify(boxes).slice(0, 600)}`]),
        ...(existsSync(join(place.project, "shell.txt")) ? [] : ["what it wrote in the project is not there"]),
        ...(existsSync(outsideOf(place)) ? ["it wrote outside of the project"] : []),
        ...(/it-ran/.test(result) && /Ran contained: 1 file changed/.test(result)
          ? []
          : [`the model was told: ${result.slice(0, 600)}`]),
      ];
    },
  },
};

function outsideOf({ home }) {
  return join(home, "outside.txt");
}

function reversed(text) {
  return [...text].reverse().join("");
}
