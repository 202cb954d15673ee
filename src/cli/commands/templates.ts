import { changeFile } from "../../config/change-file.ts";
import { HookConfig } from "../../config/hook-config.ts";
import { Hook } from "../../hook/hook.ts";
import { didYouMean } from "../../problem/nearest.ts";
import { problems } from "../../problem/problem.ts";
import { HOOK_TEMPLATES } from "../../templates/index.ts";
import { type CommandInput, USAGE } from "../command.ts";
import { rootOf, shortPath } from "../configuration.ts";
import type { Exit } from "../exit-codes.ts";
import { columns, paintFor } from "../show/terminal-text.ts";
import { approveOwnWriting, OWN_WRITING } from "./first-config.ts";

/** Lists the templates, shows one as YAML, or adds some to the project's file. */
export async function run(input: CommandInput): Promise<Exit> {
  const [verb, ...names] = input.words;
  if (verb === undefined) return list(input);
  if (verb === "show") return show(names, input);
  if (verb === "add") return add(names, input);
  throw USAGE.unknownSubcommand({ command: "templates", word: verb, known: ["show", "add"] });
}

function list({ has, io }: CommandInput): Exit {
  const rows = Object.entries<Hook>(HOOK_TEMPLATES);
  if (has("json"))
    io.out(
      JSON.stringify(
        rows.map(([name, hook]) => ({ name, ...hook.toJSON() })),
        null,
        2,
      ),
    );
  else {
    const paint = paintFor(io);
    for (const line of columns(rows.map(([name, hook]) => [paint.name(name), hook.eventPattern, hook.description])))
      io.out(line);
    io.out(`\n${paint.name("sluice templates add <name>…")} puts them into the project's file.`);
  }
  return "done";
}

async function show(names: readonly string[], { has, io }: CommandInput): Promise<Exit> {
  if (names.length === 0) throw PROBLEMS.noTemplateName({ verb: "show" });
  const specs = names.map((name) => templateNamed(name).toJSON());
  if (has("json")) io.out(JSON.stringify(specs, null, 2));
  else {
    const { stringify } = await import("yaml");
    io.out(stringify({ hooks: specs }, { lineWidth: 0 }).trimEnd());
  }
  return "done";
}

function add(names: readonly string[], input: CommandInput): Exit {
  if (names.length === 0) throw PROBLEMS.noTemplateName({ verb: "add" });
  const templates = names.map(templateNamed);
  const root = rootOf(input);
  const path = HookConfig.getProjectPath(root) ?? root;
  const { result: added, trust } = changeFile(path, () =>
    approveOwnWriting(root, input, () => {
      const hooks = addMissing(root, templates);
      return { result: hooks.map(({ name }) => name), hooks };
    }),
  );
  if (input.has("json"))
    input.io.out(JSON.stringify({ path, added, present: names.filter((name) => !added.includes(name)), trust }));
  else {
    for (const name of names)
      input.io.out(added.includes(name) ? `added ${name} to ${shortPath(path, input.io)}` : `${name} is there already`);
    if (added.length > 0 && trust !== "nothing") input.io.out(OWN_WRITING[trust]);
  }
  return "done";
}

/** Adds what is not there yet, and reports what was added. */
function addMissing(root: string, templates: readonly Hook[]): readonly Hook[] {
  const present = HookConfig.loadProject(root, { strict: true });
  const missing = templates.filter(({ name }) => present.every((hook) => hook.name !== name));
  const copies = missing.map((template) => Hook.fromJSON(template.toJSON()));
  if (copies.length > 0) HookConfig.saveProject(root, [...present, ...copies]);
  return copies;
}

/** The template of that name; a problem that names the nearest one otherwise. */
export function templateNamed(name: string): Hook {
  const template = new Map<string, Hook>(Object.entries(HOOK_TEMPLATES)).get(name);
  if (template === undefined) throw PROBLEMS.unknownTemplate({ name });
  return template;
}

const PROBLEMS = problems("usage", {
  noTemplateName: ({ verb }: { verb: string }) => ({
    what: `\`sluice templates ${verb}\` needs the name of a template.`,
    fix: "`sluice templates` lists them all.",
  }),
  unknownTemplate: ({ name }: { name: string }) => ({
    what: `There is no template "${name}".`,
    fix: `${didYouMean(name, Object.keys(HOOK_TEMPLATES))} \`sluice templates\` lists them all.`.trim(),
  }),
});
