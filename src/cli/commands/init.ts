import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline/promises";
import { ADAPTERS } from "../../adapters/index.ts";
import type { Scope } from "../../adapters/recipe.ts";
import { parseDocument } from "../../config/document.ts";
import { readEntry } from "../../config/entry.ts";
import { configFolder, presentConfig } from "../../config/locate.ts";
import { shapeOf } from "../../config/shape.ts";
import { isWired } from "../../doctor/agent.ts";
import { makeDir } from "../../fs/make-dir.ts";
import { entryAt } from "../../fs/resolve-path.ts";
import type { Hook } from "../../hook/hook.ts";
import { detect } from "../../install/install-context.ts";
import { problems } from "../../problem/problem.ts";
import { HOOK_TEMPLATES } from "../../templates/index.ts";
import type { CommandInput } from "../command.ts";
import { rootOf, shortPath } from "../configuration.ts";
import type { Exit } from "../exit-codes.ts";
import { columns, paintFor } from "../show/terminal-text.ts";
import { approveOwnWriting, firstText, OWN_WRITING, type OwnWriting } from "./first-config.ts";
import { installContext, scopeOf } from "./install-options.ts";
import { templateNamed } from "./templates.ts";

/** Writes the first configuration of a project, or of a user. A file that exists stays as it is. */
export async function run(input: CommandInput): Promise<Exit> {
  const scope = scopeOf(input, "project");
  const root = rootOf(input);
  const folder = configFolder(scope, root, input.io);
  const present = presentConfig(folder);
  if (present !== undefined) return isThereAlready(present, input);
  const templates = (await choose(input)).map(templateNamed);
  const path = join(folder, "hooks.yaml");
  const { stringify } = await import("yaml");
  const text = firstText(templates, { scope, folder, root }, stringify);
  const write = () => {
    const isWritten = writeNew(folder, path, text);
    const ignore = join(folder, ".gitignore");
    if (isWritten && scope === "project" && !existsSync(ignore)) writeFileSync(ignore, "hooks.local.*\n");
    return { result: isWritten, hooks: isWritten ? hooksIn(path, text) : [] };
  };
  // What a user writes for themselves needs no approval.
  const { result: isOurs, trust } =
    scope === "user" ? { ...write(), trust: "nothing" as const } : approveOwnWriting(root, input, write);
  if (!isOurs) return isThereAlready(path, input);
  report(input, { path, written: true, templates: templates.map(({ name }) => name), trust });
  if (!input.has("json")) nextSteps(scope, input);
  return "done";
}

/** A file that exists stays; templates that were named are not in it. */
function isThereAlready(path: string, input: CommandInput): Exit {
  const stated = input.texts("template").map((name) => templateNamed(name).name);
  report(input, { path, written: false, templates: [], trust: "nothing" });
  if (stated.length > 0) input.io.err(`\`sluice templates add ${stated.join(" ")}\` adds what you named.`);
  return stated.length > 0 ? "problem" : "done";
}

/** Writes the first file; `false` when another process did so in the meantime. */
function writeNew(folder: string, path: string, text: string): boolean {
  try {
    makeDir(folder);
  } catch (cause) {
    throw PROBLEMS.noFolder({ why: (cause as Error).message }, { place: { file: folder }, cause });
  }
  try {
    writeFileSync(path, text, { flag: "wx" });
    return true;
  } catch (cause) {
    if (existsSync(path)) return false;
    const isLink = entryAt(path)?.isSymbolicLink() === true;
    const why = isLink ? "there is a symlink to a file that does not exist." : (cause as Error).message;
    throw PROBLEMS.notWritten({ why }, { place: { file: path }, cause });
  }
}

/** The stated templates; else what a person picks; else none: the first file has hooks of its own. */
async function choose(input: CommandInput): Promise<readonly string[]> {
  const stated = input.texts("template");
  if (stated.length > 0) return stated;
  if (input.has("yes") || input.has("json") || !input.io.isTerminal) return [];
  const names = Object.keys(HOOK_TEMPLATES);
  const paint = paintFor(input.io);
  const rows = names.map((name, index) => [
    paint.dim(String(index + 1)),
    paint.name(name),
    templateNamed(name).description,
  ]);
  for (const line of columns(rows)) input.io.err(line);
  const lines = createInterface({ input: process.stdin, output: process.stderr });
  try {
    const answer = await lines.question("Begin with which? (names or numbers; Enter for two small examples) ");
    return picked(answer, names);
  } finally {
    lines.close();
  }
}

function picked(answer: string, names: readonly string[]): readonly string[] {
  const words = answer.split(/[\s,]+/).filter((word) => word !== "");
  return words.map((word) => names[Number(word) - 1] ?? word);
}

interface Done {
  readonly path: string;
  readonly written: boolean;
  readonly templates: readonly string[];
  readonly trust: OwnWriting;
}

/** The hooks of the text that was written, read from the text itself. */
function hooksIn(path: string, text: string): Hook[] {
  const read = parseDocument(path, text);
  if (read.state !== "read") return [];
  const { list } = shapeOf(read.document, "project");
  return list.entries.flatMap((entry) => readEntry(entry, read.document, "project", {}).hook ?? []);
}

function report(input: CommandInput, done: Done): void {
  const { io } = input;
  const path = shortPath(done.path, io);
  if (input.has("json")) io.out(JSON.stringify({ ...done, path: done.path }));
  else if (done.written) {
    io.out(`Wrote ${path} with the standard guards${withHooks(input, done)}.`);
    if (done.trust !== "nothing") io.out(OWN_WRITING[done.trust]);
  } else io.out(`${path} is there already; nothing was changed. \`sluice templates add <name>\` adds to it.`);
}

function withHooks(input: CommandInput, { templates }: Done): string {
  if (templates.length > 0) return ` and ${templates.join(", ")}`;
  return scopeOf(input, "project") === "user" ? "" : " and two small examples";
}

/** Nothing fires before an agent calls, so that step comes first. */
function nextSteps(scope: Scope, input: CommandInput): void {
  const { io } = input;
  const paint = paintFor(io);
  const around = installContext(input);
  const found = detect(ADAPTERS, around).map(({ adapter }) => adapter);
  const silent = found.filter((adapter) => !isWired(adapter, around)).map(({ id }) => id);
  const whom = found.length === 0 ? "an agent" : `${silent.join(", ")} (found here)`;
  const where =
    scope === "user" ? "" : " in all your projects; --scope project does it for everyone who works on this one";
  io.out("");
  io.out(
    found.length > 0 && silent.length === 0
      ? `Next: ${paint.name("sluice doctor")}  shows that ${found.map(({ id }) => id).join(", ")} (found here) call Sluice`
      : `Next: ${paint.name(`sluice install ${silent.join(" ") || "<agent>"}`)}  lets ${whom} call Sluice${where}`,
  );
  io.out(`${paint.name("sluice list")}   shows what is active here`);
  io.out(`${paint.name("sluice check")}  reads it again after you have changed it`);
  io.out(`${paint.name("sluice test")}   tries the examples of the hooks`);
  io.out(`${paint.name('sluice fire tool:pre_execute --tool bash --args \'{"command":"sudo ls"}\'')}  tries it out`);
}

const PROBLEMS = problems("init", {
  noFolder: ({ why }: { why: string }) => ({
    what: `The folder for the hooks cannot be made, and nothing was written: ${why}`,
    fix: "Remove the file in its place, or make its parent folder writable for you.",
  }),
  notWritten: ({ why }: { why: string }) => ({
    what: `The hooks file cannot be written: ${why}`,
    fix: "Remove the file at this path, or make its folder writable for you; then run `sluice init` again.",
  }),
});
