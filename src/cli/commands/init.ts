import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { join, relative } from "node:path";
import { createInterface } from "node:readline/promises";
import { parseDocument } from "../../config/document.ts";
import { readEntry } from "../../config/entry.ts";
import { shapeOf } from "../../config/shape.ts";
import { VERSION } from "../../decide/version.ts";
import { entryAt } from "../../fs/resolve-path.ts";
import type { Hook } from "../../hook/hook.ts";
import { problems } from "../../problem/problem.ts";
import { HOOK_TEMPLATES } from "../../templates/index.ts";
import type { CommandInput } from "../command.ts";
import { rootOf, shortPath } from "../configuration.ts";
import type { Exit } from "../exit-codes.ts";
import { columns, paintFor } from "../show/terminal-text.ts";
import { approveOwnWriting, OWN_WRITING, type OwnWriting } from "./approve-own-hooks.ts";
import { templateNamed } from "./templates.ts";

/** Writes the first configuration of a project. What is there already stays as it is. */
export async function run(input: CommandInput): Promise<Exit> {
  const { io } = input;
  const root = rootOf(input);
  const folder = join(root, ".sluice");
  const present = FILES.map((name) => join(folder, name)).find((path) => existsSync(path));
  if (present !== undefined) return isThereAlready(present, input);
  const templates = (await choose(input)).map(templateNamed);
  const path = join(folder, "hooks.yaml");
  const { stringify } = await import("yaml");
  const { result: isOurs, trust } = approveOwnWriting(root, input, () => {
    const text = firstFile(templates, schemaLine(folder, root), stringify);
    const isWritten = writeNew(folder, path, text);
    return { result: isWritten, hooks: isWritten ? hooksIn(path, text) : [] };
  });
  if (!isOurs) return isThereAlready(path, input);
  const ignore = join(folder, ".gitignore");
  if (!existsSync(ignore)) writeFileSync(ignore, "hooks.local.*\n");
  report(input, { path, written: true, templates: templates.map(({ name }) => name), trust });
  if (!input.has("json")) nextSteps(io);
  return "done";
}

/** What is there stays; templates that were named are not in it. */
function isThereAlready(path: string, input: CommandInput): Exit {
  const stated = input.texts("template").map((name) => templateNamed(name).name);
  report(input, { path, written: false, templates: [], trust: "nothing" });
  if (stated.length > 0) input.io.err(`\`sluice templates add ${stated.join(" ")}\` adds what you named.`);
  return stated.length > 0 ? "problem" : "done";
}

/** Writes the first file; `false` when somebody else did so in the meantime. */
function writeNew(folder: string, path: string, text: string): boolean {
  try {
    mkdirSync(folder, { recursive: true });
  } catch (cause) {
    throw PROBLEMS.noFolder({ why: (cause as Error).message }, { place: { file: folder }, cause });
  }
  try {
    writeFileSync(path, text, { flag: "wx" });
    return true;
  } catch (cause) {
    if (existsSync(path)) return false;
    const isLink = entryAt(path)?.isSymbolicLink() === true;
    const why = isLink ? "a link lies there that leads to no file." : (cause as Error).message;
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

/** The file a newcomer reads first, so it explains itself. */
function firstFile(
  templates: readonly Hook[],
  schema: string,
  stringify: (value: unknown, options: { lineWidth: number }) => string,
): string {
  const hooks = templates.map((hook) => {
    const entry = stringify([hook.toJSON()], { lineWidth: 0 }).trimEnd().replaceAll(/^/gm, "  ");
    return entry.replaceAll(/[ \t]+$/gm, "");
  });
  return [
    schema,
    "# The hooks of this project. `sluice check` reads this file and says what is wrong with it;",
    "# `sluice fire <event>` tries it out; `sluice events` lists the events that a hook can match.",
    "# Your own additions, kept out of git, go into hooks.local.yaml beside it.",
    "",
    "# The built-in guards against lost files, lost work and lost secrets: standard, strict or paranoid. Only your own",
    "# configuration can lower them. `sluice list` shows them, `sluice explain <command>` says what they think of one.",
    "guards: standard",
    "",
    "hooks:",
    hooks.length === 0 ? EXAMPLES : hooks.join("\n\n"),
  ]
    .join("\n")
    .trimEnd()
    .concat("\n");
}

/** The line that gives editors completion: the installed package's schema, or the published one. */
function schemaLine(folder: string, root: string): string {
  const installed = join(root, "node_modules", "sluice", "schema.json");
  const schema = existsSync(installed)
    ? relative(folder, installed).replaceAll("\\", "/")
    : `https://unpkg.com/sluice@${VERSION}/schema.json`;
  return `# yaml-language-server: $schema=${schema}`;
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
    io.out(`Wrote ${path} with ${done.templates.join(", ") || "two small examples"}.`);
    if (done.trust !== "nothing") io.out(OWN_WRITING[done.trust]);
  } else io.out(`${path} is there already; nothing was changed. \`sluice templates add <name>\` adds to it.`);
}

function nextSteps(io: CommandInput["io"]): void {
  const paint = paintFor(io);
  io.out("");
  io.out(`${paint.name("sluice list")}   shows what is active here`);
  io.out(`${paint.name("sluice check")}  reads it again after you have changed it`);
  io.out(`${paint.name("sluice test")}   tries the examples that stand under the hooks`);
  io.out(`${paint.name('sluice fire tool:pre_execute --tool bash --args \'{"command":"sudo ls"}\'')}  tries it out`);
}

const FILES = ["hooks.yaml", "hooks.json"];

const PROBLEMS = problems("init", {
  noFolder: ({ why }: { why: string }) => ({
    what: `The folder for the hooks cannot be made, and nothing was written: ${why}`,
    fix: "Remove the file in its place, or make its parent folder writable for you.",
  }),
  notWritten: ({ why }: { why: string }) => ({
    what: `The hooks file cannot be written: ${why}`,
    fix: "Remove what lies there, or make its folder writable for you; then run `sluice init` again.",
  }),
});

/** What a newcomer reads and changes first. */
const EXAMPLES = `  # Rules are checked in process, within microseconds; the first that matches decides. @shell is the
  # shell tool of every agent, whatever the agent calls it. \`sluice explain "sudo ls"\` shows why.
  - name: no-sudo
    event: tool:pre_execute:@shell
    rules: |
      args.command runs "sudo" -> deny("sudo is not for agents. Ask the user to run it.")
    # \`sluice test\` tries these.
    examples:
      deny: ["sudo ls", "cd /tmp; env A=1 s\\\\udo rm x"]
      allow: ["ls sudoers", "git commit -m 'when to run sudo ls'"]

  # A command hook gets the event on standard input. What it prints when a session starts is context
  # for the agent; at a gate, an exit code other than 0 denies, and what it printed is the reason.
  - name: welcome
    event: session:start
    command: echo "Hooks are active here. A denied call comes with its reason."`;
