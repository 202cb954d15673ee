import { join } from "node:path";
import { parseDocument } from "../../config/document.ts";
import { configFolder } from "../../config/locate.ts";
import { PACK_FILE } from "../../config/pack-lock.ts";
import { PARAMETER_TYPES, readParameters } from "../../config/pack-parameters.ts";
import { member } from "../../config/tree.ts";
import type { PackCandidate, PackSearch } from "../../packs/candidate.ts";
import { type PackHome, packHome } from "../../packs/installation.ts";
import { problems } from "../../problem/problem.ts";
import type { CommandInput } from "../command.ts";
import { rootOf } from "../configuration.ts";

/** Where a command installs packs: in the project, or with `--scope user` in the user's own configuration. */
export function homeOf(input: CommandInput): PackHome {
  const scope = input.text("scope") ?? "project";
  if (scope !== "user" && scope !== "project") throw PROBLEMS.noScope({ scope });
  return packHome(configFolder(scope, rootOf(input), input.io), scope);
}

/** Where a command looks for packs. */
export function searchOf(input: CommandInput, home: PackHome): PackSearch {
  const { io } = input;
  const root = home.layer === "user" ? home.folder : rootOf(input);
  return { root, cwd: io.cwd, env: io.env, isOffline: input.has("offline"), shipped: shippedIn(io) };
}

/** The folder with the packs that come with the command. */
export function shippedIn({ build }: CommandInput["io"]): string | undefined {
  return build === undefined ? undefined : join(build.dist, "..", "packs");
}

/** The values that `--with word=value` gives, each as its parameter wants it, on top of those from before. */
export function givenIn(input: CommandInput, candidate: PackCandidate, before: unknown): unknown {
  const stated = input.texts("with");
  if (stated.length === 0) return before;
  const text = candidate.files.find(({ path }) => path === PACK_FILE)?.content.toString("utf8") ?? "";
  const read = parseDocument(PACK_FILE, text);
  const tree = read.state === "read" ? member(read.document.tree, "parameters")?.value : undefined;
  const { parameters } = readParameters(tree);
  const values = stated.map((word) => {
    const at = word.indexOf("=");
    if (at < 1) throw PROBLEMS.noWith({ word });
    const [name, value] = [word.slice(0, at), word.slice(at + 1)];
    const parameter = parameters.get(name);
    return [name, parameter === undefined ? value : PARAMETER_TYPES[parameter.type].read(value)] as const;
  });
  return { ...Object(before), ...Object.fromEntries(values) };
}

const PROBLEMS = problems("usage", {
  noScope: ({ scope }: { scope: string }) => ({
    what: `--scope ${scope}: neither user nor project.`,
    fix: "Leave it out for this project, or write --scope user for all of yours.",
  }),
  noWith: ({ word }: { word: string }) => ({
    what: `--with ${word}: no value.`,
    fix: "Write --with branches=main,release, for example; a list has commas.",
  }),
});
