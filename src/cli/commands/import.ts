import { existsSync } from "node:fs";
import { resolve } from "node:path";
import { ADAPTERS, adapterNamed } from "../../adapters/index.ts";
import { changeFile } from "../../config/change-file.ts";
import { loadLayers } from "../../config/load.ts";
import { writeAtomic } from "../../fs/write-atomic.ts";
import { type Addition, addition, keepReadable, missing } from "../../install/import/addition.ts";
import type { ForeignFinding, Imported, Left } from "../../install/import/foreign-hooks.ts";
import { hooksInFile, hooksOfAgent, hooksOfProject } from "../../install/import/sources.ts";
import type { InstallContext } from "../../install/install-context.ts";
import { didYouMean } from "../../problem/nearest.ts";
import { problems } from "../../problem/problem.ts";
import type { CommandInput } from "../command.ts";
import { shortPath } from "../configuration.ts";
import type { Exit } from "../exit-codes.ts";
import { approveOwnWriting, OWN_WRITING } from "./first-config.ts";
import { installContext, scopeOf } from "./install-options.ts";
import { writeChanges } from "./write-settings.ts";

/** Turns hooks that agents, git and others have already into hooks of Sluice; the originals stay where they are. */
export async function run(input: CommandInput): Promise<Exit> {
  const { io } = input;
  const around = installContext(input);
  const scope = input.text("scope") === undefined ? "project" : scopeOf(input);
  const found = await keepReadable(findings(input, scope, around));
  const layers = [scope] as const;
  const present = loadLayers(around.root, { layers }).hooks;
  const all = found.filter((one): one is Imported => one.kind === "imported");
  const left = found.filter((one): one is Left => one.kind === "left");
  const fresh = missing(all, present);
  const where = { env: io.env, home: around.home };
  const adding =
    fresh.length === 0
      ? undefined
      : addition(
          scope,
          around.root,
          fresh.map(({ spec }) => spec),
          where,
        );
  const changes =
    adding === undefined ? [] : [{ ...adding, agent: "import", isProgram: false, original: adding.before }];
  const exit = await writeChanges(changes, input, {
    verb: "import",
    write: () => write(adding, scope, around.root, input),
    written: () => `${fresh.length} ${fresh.length === 1 ? "hook" : "hooks"} added`,
    unchanged:
      all.length === 0 ? "Nothing to do: no hooks were found." : "Nothing to do: all of them are here already.",
    more: {
      imported: fresh.map(({ spec, file, notes }) => ({ name: spec.name, file, notes })),
      left: left.map(leftJson),
    },
  });
  if (!input.has("json")) report(fresh, left, input);
  return exit;
}

/** From the named agent or file; without one, from everything in this scope. */
function findings(
  { words: [word], io }: CommandInput,
  scope: "user" | "project",
  around: InstallContext,
): readonly ForeignFinding[] {
  if (word === undefined) {
    const own = scope === "project" ? hooksOfProject(around.root) : [];
    return [...ADAPTERS.flatMap((adapter) => hooksOfAgent(adapter, scope, around)), ...own];
  }
  const adapter = adapterNamed(word);
  if (adapter !== undefined) return hooksOfAgent(adapter, scope, around);
  const path = resolve(io.cwd, word);
  if (!existsSync(path)) throw PROBLEMS.nothingThere({ word, ids: ADAPTERS.map(({ id }) => id) });
  return hooksInFile(path, around.root, ADAPTERS);
}

function write(adding: Addition | undefined, scope: "user" | "project", root: string, input: CommandInput): void {
  if (adding === undefined) return;
  const { path, after, hooks } = adding;
  changeFile(path, () => {
    if (scope === "user") return writeAtomic(path, after);
    const { trust } = approveOwnWriting(root, input, () => {
      writeAtomic(path, after);
      return { result: path, hooks };
    });
    if (trust !== "nothing" && !input.has("json")) input.io.err(OWN_WRITING[trust]);
  });
}

function report(fresh: readonly Imported[], left: readonly Left[], { io }: CommandInput): void {
  for (const { spec, notes } of fresh) for (const note of notes) io.err(`${String(spec.name)}: ${note}.`);
  for (const { what, file, why } of left) io.err(`left out, ${shortPath(file, io)}: ${what}\n  ${why}.`);
  const files = [...new Set(fresh.filter(({ isNeeded }) => isNeeded !== true).map(({ file }) => shortPath(file, io)))];
  if (files.length > 0)
    io.err(`The originals still run as well. Remove them from ${files.join(", ")} once \`sluice install\` is done.`);
}

function leftJson({ what, file, why }: Left): object {
  return { what, file, why };
}

const PROBLEMS = problems("usage", {
  nothingThere: ({ word, ids }: { word: string; ids: readonly string[] }) => ({
    what: `"${word}" is neither an agent nor a file.`,
    fix: `${didYouMean(word, ids)} Write \`sluice import\`, \`sluice import <agent>\` or \`sluice import <file>\`.`.trim(),
  }),
});
