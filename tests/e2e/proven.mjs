import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

/** Writes the version and the day into the adapter of an agent whose whole run has passed; says what it did, or why not. */
export function recordProof({ agent, cells }, { rows, date, folder = ADAPTERS }) {
  const path = join(folder, `${agent.id}.ts`);
  const seen = rows.filter((row) => row in cells);
  const failed = seen.filter((row) => cells[row].wrong?.length > 0);
  const missing = rows.find((row) => cells[row]?.missing);
  if (missing !== undefined) return `${agent.id}: not proven: ${cells[missing].missing}`;
  if (failed.length > 0) return `${agent.id}: not proven: ${failed.length} of ${seen.length} cells failed`;
  if (seen.length < rows.length) return `${agent.id}: not proven: only ${seen.length} of ${rows.length} cells were run`;
  if (!existsSync(path)) return `${agent.id}: every cell passed; it has no adapter of its own to write that into`;
  writeFileSync(path, withProof(readFileSync(path, "utf8"), agent.version, date));
  return `${agent.id}: proven with version ${agent.version} on ${date}`;
}

/** The source of an adapter with this proof after its version, in place of an older one. */
export function withProof(source, version, date) {
  const line = `  proven: { version: ${JSON.stringify(version)}, date: ${JSON.stringify(date)} },\n`;
  const fresh = source.replace(/^( {2}version: "[^"]*",\n)(?: {2}proven: .*\n)?/m, `$1${line}`);
  if (!fresh.includes(line)) throw new Error('the adapter has no line `version: "…",` to write the proof after');
  return fresh;
}

const ADAPTERS = fileURLToPath(new URL("../../src/adapters/", import.meta.url));
