// Runs one campaign: `npm run campaign undo` is tests/campaigns/undo.mjs. Campaigns take minutes and are no part of a test run.
import { existsSync, readdirSync } from "node:fs";
import { fileURLToPath } from "node:url";

const [name = "", ...words] = process.argv.slice(2);
const folder = new URL("../tests/campaigns/", import.meta.url);
const file = new URL(`${name}.mjs`, folder);
if (/^[a-z-]+$/.test(name) && existsSync(file)) {
  process.argv = [process.argv[0], fileURLToPath(file), ...words];
  await import(file.href);
} else {
  const names = readdirSync(folder).flatMap((entry) => /^([a-z-]+)\.mjs$/.exec(entry)?.[1] ?? []);
  console.error(`There is no campaign "${name}". Write one of: ${names.join(", ")}`);
  process.exitCode = 64;
}
