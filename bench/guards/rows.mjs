import { readdirSync, readFileSync, statSync } from "node:fs";
import { basename, join } from "node:path";

/**
 * The labelled rows of a file, or of every `.jsonl` file under a folder: `{ command | tool + args, class, expect }`. `expect` is a verdict
 * (`deny`, `ask`, `stop`, `pass` and their like); without it the name of the file decides: `dangerous-…` or `everyday-…`.
 */
export function labelledRows(path) {
  const files = statSync(path).isDirectory()
    ? readdirSync(path, { recursive: true })
        .filter((name) => name.endsWith(".jsonl"))
        .sort()
        .map((name) => join(path, name))
    : [path];
  if (files.length === 0) throw new BadRowError(`${path} contains no .jsonl file.`);
  return files.flatMap((file) => linesOf(file, (row, place) => labelled(row, labelOfFile(file), place)));
}

/** The rows of GTFOBins, `{ program, class, command }`: all of them are to be stopped. */
export function gtfobinsRows(file, classes) {
  return linesOf(file, (row, place) => labelled(row, "stop", place)).filter(
    (row) => classes === undefined || classes.includes(row.class),
  );
}

/** A row that cannot be used, with its place. */
export class BadRowError extends Error {}

function linesOf(file, read) {
  return readFileSync(file, "utf8")
    .split("\n")
    .flatMap((line, index) => {
      if (line.trim() === "") return [];
      const place = `${file}:${index + 1}`;
      try {
        return [read(JSON.parse(line), place)];
      } catch (error) {
        if (error instanceof SyntaxError) throw new BadRowError(`${place} is not JSON: ${error.message}`);
        throw error;
      }
    });
}

function labelled(row, label, place) {
  const expect = row.expect ?? label;
  if (!Object.hasOwn(LABELS, expect))
    throw new BadRowError(
      `${place} has ${expect === undefined ? "no `expect`" : `\`expect: ${expect}\``}. Write one of ${Object.keys(LABELS).join(", ")}.`,
    );
  const { command, tool, args = row.input, class: kind = "unnamed" } = row;
  if (typeof command !== "string" && typeof tool !== "string")
    throw new BadRowError(`${place} has neither \`command\` nor \`tool\`.`);
  const call = typeof tool === "string" ? { tool, args: args ?? {} } : { tool: "bash", args: { command }, command };
  return { ...call, class: kind, isDangerous: LABELS[expect], readsOnly: row.reads_only === true, place };
}

function labelOfFile(file) {
  return /^(dangerous|everyday|harmless|benign)/.exec(basename(file))?.[1];
}

const LABELS = {
  deny: true,
  ask: true,
  stop: true,
  block: true,
  keep: true,
  dangerous: true,
  pass: false,
  allow: false,
  continue: false,
  everyday: false,
  harmless: false,
  benign: false,
};
