import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { bounded } from "./bounded.mjs";

/** Where agents are kept between runs: never inside the repository. */
export const CACHE = process.env.SLUICE_E2E_CACHE ?? join(process.env.XDG_CACHE_HOME ?? tmpdir(), "sluice-e2e");

/** Installs an agent from the registry, once; says where it is, or why it is not there. */
export async function installed({ id, package: name, version }) {
  const folder = join(CACHE, id);
  if (versionIn(folder, name) === version) return { folder };
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, "package.json"), '{"private":true}');
  const args = ["install", "--no-audit", "--no-fund", "--loglevel=error", `${name}@${version}`];
  const { code, stderr, late } = await bounded("npm", args, { cwd: folder, env: process.env, seconds: 600 });
  if (code === 0 && versionIn(folder, name) === version) return { folder };
  return { missing: late ? "npm took longer than 600 s" : `npm: ${shortWord(stderr)}` };
}

function versionIn(folder, name) {
  const manifest = join(folder, "node_modules", name, "package.json");
  return existsSync(manifest) ? JSON.parse(readFileSync(manifest, "utf8")).version : undefined;
}

/** The first two lines have the code and the fact; what follows is advice. */
function shortWord(text) {
  const lines = text.trim().split("\n").slice(0, 2);
  return lines.map((line) => line.replace(/^npm error /, "")).join(": ") || "no word why";
}
