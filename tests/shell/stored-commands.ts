import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { GUARDS } from "../../src/policies/guards/index.ts";

/** Every command line of the corpora, and the texts in the input of tools. */
export function storedCommands(): string[] {
  const files = FOLDERS.flatMap((folder) =>
    readdirSync(folder, { recursive: true, encoding: "utf8" }).map((name) => join(folder, name)),
  );
  return files
    .filter((file) => file.endsWith(".jsonl"))
    .flatMap((file) => readFileSync(file, "utf8").split("\n"))
    .flatMap((line) => (line === "" ? [] : textsIn(JSON.parse(line))));
}

/** What the guards stop and let pass by their own tables. */
export function guardedCommands(): string[] {
  return Object.values(GUARDS)
    .flatMap(({ stops, passes }) => [...stops(), ...passes()])
    .flatMap((one) => (typeof one === "string" ? [one] : textsIn(one.args)));
}

function textsIn(value: unknown): string[] {
  if (typeof value === "string") return [value];
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]) => (ABOUT.has(key) ? [] : textsIn(inner)));
}

/** What a corpus says about a row. */
const ABOUT: ReadonlySet<string> = new Set(["class", "why", "tool"]);
const FOLDERS = ["corpora", "shell"].map((name) => join(import.meta.dirname, "../../fixtures", name));
