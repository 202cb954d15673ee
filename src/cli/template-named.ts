import type { Hook } from "../hook/hook.ts";
import { didYouMean } from "../problem/nearest.ts";
import { problems } from "../problem/problem.ts";
import { HOOK_TEMPLATES } from "../templates/index.ts";

/** The template of that name; a problem that names the nearest one otherwise. */
export function templateNamed(name: string): Hook {
  const template = new Map<string, Hook>(Object.entries(HOOK_TEMPLATES)).get(name);
  if (template === undefined) throw PROBLEMS.unknownTemplate({ name });
  return template;
}

const PROBLEMS = problems("usage", {
  unknownTemplate: ({ name }: { name: string }) => ({
    what: `There is no template "${name}".`,
    fix: `${didYouMean(name, Object.keys(HOOK_TEMPLATES))} \`sluice templates\` lists them all.`.trim(),
  }),
});
