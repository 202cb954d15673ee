// Builds a copy of the sources in another folder: every bundle, and with them the id, has to be the same as in dist/.
import { spawnSync } from "node:child_process";
import { cpSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("..", import.meta.url));
const base = mkdtempSync(join(realpathSync(tmpdir()), "sluice-built-"));
try {
  const folder = join(base, "another folder");
  for (const part of ["src", "scripts", "native", "ui", "schema.json", "package.json", "tsconfig.json"])
    cpSync(join(root, part), join(folder, part), { recursive: true });
  symlinkSync(join(root, "node_modules"), join(folder, "node_modules"));
  const words = [join(folder, "scripts/build.mjs"), "--no-types", "--no-pages", "--no-compile", "--quiet"];
  const { status } = spawnSync(process.execPath, words, { stdio: "inherit" });
  if (status !== 0) throw new Error(`the build in another folder ended with ${status}`);
  const [here, there] = [bundlesIn(join(root, "dist")), bundlesIn(join(folder, "dist"))];
  const names = [...new Set([...here.keys(), ...there.keys()])];
  const different = names.filter((name) => here.get(name) !== there.get(name));
  for (const name of different)
    console.error(
      `dist/${name} is another one in another folder: it is older than the sources (npm run build), or depends on where it is built`,
    );
  const [, id] = /\bid: ?"([0-9a-f]{12})"/.exec(here.get("sluice.cjs") ?? "") ?? [];
  if (id === undefined) console.error("dist/sluice.cjs names no build: run `npm run build`");
  if (different.length > 0 || id === undefined) process.exitCode = 1;
  else console.log(`build ${id}: ${names.length} bundles are the same in another folder`);
} finally {
  rmSync(base, { recursive: true, force: true });
}

/** The bundles of a build, by name. */
function bundlesIn(dist) {
  const names = readdirSync(dist, { recursive: true }).filter(
    (file) => /js$/.test(file) && !/^(?:ui|native|extension-host)[\\/]/.test(file),
  );
  return new Map(names.sort().map((file) => [file, readFileSync(join(dist, file), "utf8")]));
}
