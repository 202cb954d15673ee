import { readFileSync } from "node:fs";
import { join } from "node:path";
import { ROOT, type Workshop } from "./workshop.ts";

/** Runs a block of commands; where it shows `$ command` and then output, that is what the command has to print. */
export async function runShell(text: string, workshop: Workshop): Promise<void> {
  if (/^\$ /m.test(text)) await runSession(text, workshop);
  else await runScript(text, workshop);
}

async function runScript(text: string, workshop: Workshop): Promise<void> {
  const { exitCode, output } = await workshop.run("sh", ["-e", "-c", withoutNpm(text)]);
  if (exitCode !== 0) throw new Error(`ended with exit code ${exitCode}:\n${output}`);
}

/** All commands run in one shell, so that a `cd` lasts and `$?` is what a reader sees. */
async function runSession(text: string, workshop: Workshop): Promise<void> {
  const turns = readSession(text);
  const script = turns.map(({ command }) => `${withoutNpm(command)}\n${MARK}`).join("\n");
  const { output } = await workshop.run("sh", ["-c", `exec 2>&1\n${script}`]);
  const answers = output.split(MARKED);
  for (const [index, { command, shown }] of turns.entries()) {
    const [said = "", exitCode = "none"] = answers.slice(index * 2, index * 2 + 2);
    if (exitCode === "none") throw new Error(`"$ ${command}" ended the shell:\n${said}`);
    if (shown === undefined && exitCode !== "0")
      throw new Error(`"$ ${command}" ended with exit code ${exitCode}:\n${said}`);
    if (shown !== undefined && !isNpm(command) && !isAsShown(said, shown)) {
      throw new Error(`"$ ${command}" is shown to print\n${shown}\nbut it prints\n${normal(said)}`);
    }
  }
}

interface Turn {
  readonly command: string;
  /** What stands below the command; nothing when the page leaves it out. */
  readonly shown: string | undefined;
}

function readSession(text: string): Turn[] {
  const [before = "", ...turns] = text.split(/^\$ /m);
  if (before.trim() !== "") throw new Error(`shows output before the first command: ${before.trim()}`);
  return turns.map((turn) => {
    const lines = turn.split("\n");
    const last = lines.findIndex((line) => !line.endsWith("\\"));
    const shown = lines.slice(last + 1).join("\n");
    return { command: lines.slice(0, last + 1).join("\n"), shown: shown.trim() === "" ? undefined : normal(shown) };
  });
}

/** `…` stands for anything: the rest of a line, or on a line of its own for any number of lines. */
function isAsShown(said: string, shown: string): boolean {
  const lines = shown.split("\n").map((line) => (line.trim() === "…" ? "(?:.*\n)*?" : `${pattern(line)}\n`));
  return new RegExp(`^${lines.join("")}$`).test(`${normal(said)}\n`);
}

function pattern(line: string): string {
  return line
    .split("…")
    .map((part) => part.replaceAll(/[.*+?^${}()|[\]\\]/g, "\\$&"))
    .join(".*");
}

/** What differs from run to run is the same in both. */
function normal(text: string): string {
  return text
    .replaceAll(/\d+(?:\.\d+)? ?(?:ms|µs)\b/g, "N ms")
    .replaceAll(/\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d(?:\.\d+)?Z?/g, "TIME")
    .replaceAll(/[ \t]+$/gm, "")
    .trim();
}

/** What npm does takes long or needs a network: it is checked to exist, and everything around it runs. */
function withoutNpm(text: string): string {
  return text.replaceAll(/\bnpx (?=sluice\b)/g, "").replaceAll(NPM, (_, before: string, words: string) => {
    const why = whyNoScript(words.trim());
    if (why !== undefined) throw new Error(why);
    return `${before}true `;
  });
}

function isNpm(command: string): boolean {
  return command.search(NPM) >= 0;
}

function whyNoScript(words: string): string | undefined {
  const [verb = "", name = ""] = words.split(/\s+/);
  if (["ci", "install", "i"].includes(verb)) return undefined;
  const script = verb === "run" ? name : verb;
  const { scripts } = JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8"));
  return Object.hasOwn(scripts, script)
    ? undefined
    : `names "npm ${words}", but package.json has no script "${script}"`;
}

const NPM = /(^|&& *|; *)npm ([^&;|\n#]*)/gm;
const MARK = '_code=$?; printf \'\\036%s\\n\' "$_code"; (exit "$_code")';
const MARKED = new RegExp(`${String.fromCharCode(0o36)}(\\d+)\n`);
