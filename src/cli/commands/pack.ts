import { existsSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import { makeDir } from "../../fs/make-dir.ts";
import { createFile } from "../../fs/write-atomic.ts";
import { checkPack, testPack } from "../../packs/check-pack.ts";
import { localCandidate } from "../../packs/local-source.ts";
import { scaffold } from "../../packs/scaffold.ts";
import { problems } from "../../problem/problem.ts";
import { type CommandInput, USAGE } from "../command.ts";
import { shortPath } from "../configuration.ts";
import type { Exit } from "../exit-codes.ts";
import { countsOf, paintFor, plural, visible } from "../show/terminal-text.ts";
import { testText } from "../show/test-text.ts";

/** Lists the packs that are in use; for authors: begins one, checks it, tries its examples. */
export async function run(input: CommandInput): Promise<Exit> {
  const [verb = "list", word, extra] = input.words;
  if (verb === "list" && word !== undefined) throw USAGE.unexpectedArgument({ command: "pack list", extra: word });
  if (verb === "list") return (await import("./packs.ts")).run(input);
  if (extra !== undefined) throw USAGE.unexpectedArgument({ command: `pack ${verb}`, extra });
  if (verb === "init") return init(word, input);
  if (verb === "check") return check(resolve(input.io.cwd, word ?? "."), input);
  if (verb === "test") return test(resolve(input.io.cwd, word ?? "."), input);
  throw USAGE.unknownSubcommand({ command: "pack", word: verb, known: ["list", "init", "check", "test"] });
}

function init(word: string | undefined, input: CommandInput): Exit {
  const { io } = input;
  if (word === undefined) throw PACK_USAGE.noPackFolder(undefined);
  const folder = resolve(io.cwd, word.startsWith("@") ? basename(word) : word);
  const files = scaffold(input.text("name") ?? (word.startsWith("@") ? word : basename(folder)));
  const taken = Object.keys(files).find((path) => existsSync(join(folder, path)));
  if (taken !== undefined) throw PACK_USAGE.taken({ path: shortPath(join(folder, taken), io) });
  for (const [path, text] of Object.entries(files)) {
    makeDir(dirname(join(folder, path)));
    createFile(join(folder, path), text);
    if (!input.has("json")) io.out(shortPath(join(folder, path), io));
  }
  if (input.has("json")) io.out(JSON.stringify({ folder, files: Object.keys(files) }, null, 2));
  else {
    const shown = shortPath(folder, io);
    const source = /^[/~]/.test(shown) ? shown : `./${shown}`;
    io.out(`\nNext: \`sluice pack test ${shown}\`, then \`sluice add ${source}\` in a project.`);
  }
  return "done";
}

async function check(folder: string, input: CommandInput): Promise<Exit> {
  const { io } = input;
  const candidate = localCandidate(folder, io.cwd);
  const { content, problems: errors, warnings } = await checkPack(candidate, folder);
  const hooks = content?.hooks.map(({ name }) => name) ?? [];
  if (input.has("json")) io.out(JSON.stringify({ ok: errors.length === 0, hooks, errors, warnings }, null, 2));
  else {
    const paint = paintFor(io);
    for (const problem of errors) io.out(`${paint.bad("✗")} ${visible(problem.format())}\n`);
    for (const problem of warnings) io.out(`${paint.warn("!")} ${visible(problem.format())}\n`);
    const mark = errors.length === 0 ? paint.good("✓") : paint.bad("✗");
    io.out(
      `${mark} ${visible(candidate.name)} ${candidate.version}: ${plural(hooks.length, "hook")}, ${countsOf({ errors, warnings })}`,
    );
  }
  return errors.length === 0 ? "done" : "problem";
}

async function test(folder: string, input: CommandInput): Promise<Exit> {
  const { io } = input;
  const report = await testPack(await checkPack(localCandidate(folder, io.cwd), folder), folder, input.text("only"));
  if (input.has("json")) io.out(JSON.stringify(report, null, 2));
  else for (const line of testText(report, io)) io.out(line);
  return report.ok ? "done" : "problem";
}

const PACK_USAGE = problems("usage", {
  noPackFolder: () => ({
    what: "`sluice pack init` needs a folder or a name.",
    fix: "Write `sluice pack init git-safety`, or `sluice pack init @acme/git-safety`.",
  }),
  taken: ({ path }: { path: string }) => ({
    what: `${path} is there already. Nothing was written.`,
    fix: "Choose another folder, or move the file away.",
  }),
});
