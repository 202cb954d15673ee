import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { bounded } from "./bounded.mjs";

/** Where agents are kept between runs: never inside the repository. */
export const CACHE = process.env.SLUICE_E2E_CACHE ?? join(process.env.XDG_CACHE_HOME ?? tmpdir(), "sluice-e2e");

/** Installs an agent from the registry, once, with the Node that it needs; returns where both are, or why they are missing. */
export async function installed({ id, package: name, version, node }) {
  const folder = join(CACHE, id);
  if (versionIn(folder, name) !== version) {
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, "package.json"), '{"private":true}');
    const args = ["install", "--no-audit", "--no-fund", "--loglevel=error", `${name}@${version}`];
    const { code, stderr, late } = await bounded("npm", args, { cwd: folder, env: process.env, seconds: 600 });
    if (late) return { missing: "npm took longer than 600 s" };
    if (code !== 0 || versionIn(folder, name) !== version) return { missing: `npm: ${shortWord(stderr)}` };
  }
  if (node === undefined) return { folder };
  const { folder: nodeFolder, missing } = await installed({ id: `node-${node}`, package: "node", version: node });
  return missing ? { missing: `node ${node}: ${missing}` } : { folder, node: join(nodeFolder, "node_modules/.bin") };
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
