import { existsSync } from "node:fs";
import { isAbsolute, join, resolve } from "node:path";
import { attempt } from "../event/attempt.ts";
import { readOnce } from "../fs/read-once.ts";
import { foldersAbove, isWithin, realPath } from "../fs/resolve-path.ts";
import { type Problem, problems } from "../problem/problem.ts";

/** An npm package that brings hooks. */
export interface Pack {
  readonly name: string;
  readonly version: string;
  /** Its file of hooks. */
  readonly file: string;
  /** Whether a path is really in the package. */
  readonly holds: (path: string) => boolean;
}

/** Finds a package in the `node_modules` of a folder or of one above; only its `package.json` is read, and nothing is run. */
export function findPack(name: string, folder: string): Pack | Problem {
  if (!NAME.test(name)) return PROBLEMS.packName({ name });
  const home = [folder, ...foldersAbove(folder)]
    .map((above) => join(above, "node_modules", name))
    .find((candidate) => existsSync(join(candidate, "package.json")));
  if (home === undefined) return PROBLEMS.noPack({ name, folder });
  const manifest = manifestIn(home);
  if (manifest === undefined) return PROBLEMS.packUnreadable({ name, home });
  const stated = manifest.sluice;
  const real = realPath(home);
  const holds = (path: string) => isWithin(real, realPath(resolve(path))) && existsSync(path);
  const wanted = typeof stated === "string" ? [stated] : FILES;
  if (wanted.some((file) => isAbsolute(file) || !isWithin(home, resolve(home, file))))
    return PROBLEMS.packEscapes({ name, file: String(stated) });
  const file = wanted.map((candidate) => resolve(home, candidate)).find((candidate) => existsSync(candidate));
  if (file === undefined) return PROBLEMS.packEmpty({ name, home, wanted });
  if (!holds(file)) return PROBLEMS.packEscapes({ name, file });
  return { name, version: typeof manifest.version === "string" ? manifest.version : "0.0.0", file, holds };
}

function manifestIn(home: string): Readonly<Record<string, unknown>> | undefined {
  return attempt(
    () => Object(JSON.parse(readOnce()(join(home, "package.json"))?.text ?? "")) as Record<string, unknown>,
  );
}

const FILES = ["hooks.yaml", "hooks.json"];
const NAME = /^(?:@[a-z0-9~-][\w.~-]*\/)?[a-z0-9~-][\w.~-]*$/i;

const PROBLEMS = problems("config", {
  packName: ({ name }: { name: string }) => ({
    what: `\`extends\` names "${name}", which is neither a path nor the name of a package. Its hooks are missing.`,
    fix: "A path begins with ./ or ../; a package is called like `some-pack` or `@acme/hooks`.",
  }),
  noPack: ({ name, folder }: { name: string; folder: string }) => ({
    what: `\`extends\` names the pack "${name}", which is not in node_modules of ${folder} or above. Its hooks are missing.`,
    fix: `Run \`npm install --save-dev ${name}\`, or write a path: ./${name.replace(/^.*\//, "")}.yaml, for example.`,
  }),
  packUnreadable: ({ name, home }: { name: string; home: string }) => ({
    what: `The pack "${name}" has a package.json in ${home} that cannot be read. Its hooks are missing.`,
    fix: "Install it again.",
  }),
  packEmpty: ({ name, home, wanted }: { name: string; home: string; wanted: readonly string[] }) => ({
    what: `The package "${name}" in ${home} has no hooks: there is no ${wanted.join(" and no ")}.`,
    fix: 'A pack names its file of hooks in package.json: "sluice": "./hooks.yaml".',
  }),
  packEscapes: ({ name, file }: { name: string; file: string }) => ({
    what: `The pack "${name}" names ${file}, which is outside the package. Its hooks are missing.`,
    fix: "Do not use this pack; report this to its authors.",
  }),
});
