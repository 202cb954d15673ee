import { existsSync } from "node:fs";
import { fileURLToPath, pathToFileURL } from "node:url";

const dist = new URL("../dist/", import.meta.url);

/** The library as a user gets it. */
export function library() {
  return import(pathToFileURL(builtFile("index.js")).href);
}

/** The path of a built file; a missing one is told with the step that makes it. */
export function builtFile(name) {
  const path = fileURLToPath(new URL(name, dist));
  if (existsSync(path)) return path;
  throw Object.assign(new Error(`dist/${name} is not there. Run \`npm run build\` first.`), { code: "NOT_BUILT" });
}
