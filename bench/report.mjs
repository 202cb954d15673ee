import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

const here = (name) => fileURLToPath(new URL(name, import.meta.url));

/** Prints a benchmark for a person at a terminal. */
export function printResult({ name, what, rows, targets, notes, machine, quick }) {
  console.log(`\n${name}: ${what}${quick ? " (quick)" : ""}`);
  console.log(`${place(machine)}\n`);
  console.log(columns([FIGURES, ...rows.map(figure)]));
  if (targets.length > 0) console.log(`\n${columns([TARGETS, ...targets.map(aim)])}`);
  for (const note of notes) console.log(`\n${note}`);
}

/** Keeps a benchmark's figures as JSON beside the code. */
export function storeResult(result) {
  mkdirSync(here("results"), { recursive: true });
  writeFileSync(here(`results/${result.name}.json`), `${JSON.stringify(result, null, 2)}\n`);
}

/** Writes the stored figures into README.md, between its markers. */
export function writeReadme(names) {
  const text = readFileSync(here("README.md"), "utf8");
  const figures = names.map(stored).filter(Boolean).map(markdown).join("\n\n");
  const between = /(<!-- figures:begin -->\n)[\s\S]*?(<!-- figures:end -->)/;
  writeFileSync(
    here("README.md"),
    text.replace(between, (_, begin, end) => `${begin}\n${figures}\n\n${end}`),
  );
}

function stored(name) {
  try {
    return JSON.parse(readFileSync(here(`results/${name}.json`), "utf8"));
  } catch (error) {
    if (error.code === "ENOENT") return undefined;
    throw error;
  }
}

function markdown({ name, what, rows, targets, notes, machine, date }) {
  const parts = [`### ${name}`, `${what[0].toUpperCase()}${what.slice(1)}. ${place(machine)}, ${date.slice(0, 10)}.`];
  if (targets.length > 0) parts.push(table([TARGETS, ...targets.map(aim)]));
  parts.push(table([FIGURES, ...rows.map(figure)]), ...notes);
  return parts.join("\n\n");
}

const FIGURES = ["", "median", "p90", "p99", "ratio", "to"];
const TARGETS = ["target", "at most", "measured", "met"];

function figure({ label, unit, median, p90, p99, ratio, to }) {
  const times = (value) => `${value} ${unit}`;
  return [label, times(median), times(p90), times(p99), ratio === undefined ? "" : `${ratio}x`, to ?? ""];
}

function aim({ what, target, measured, met, unit = "x" }) {
  return [what, `${target}${unit}`, `${measured}${unit}`, met ? "yes" : "no"];
}

function place({ cpu, cores, arch, os, node, load }) {
  return `${cores} x ${cpu} (${arch}), ${os}, node ${node}, load ${load}`;
}

function columns(lines) {
  return aligned(lines)
    .map((cells) => `  ${cells.join("   ")}`.trimEnd())
    .join("\n");
}

function table(lines) {
  const [head, ...body] = aligned(lines.map((line) => line.map((cell) => cell.replaceAll("|", "\\|"))));
  const rule = head.map((cell, column) => (column === 0 ? "-".repeat(cell.length) : `${"-".repeat(cell.length - 1)}:`));
  return [head, rule, ...body].map((cells) => `| ${cells.join(" | ")} |`).join("\n");
}

/** Every column as wide as its widest cell, words to the left, figures to the right. */
function aligned(lines) {
  const widths = lines[0].map((_, column) => Math.max(3, ...lines.map((line) => line[column].length)));
  return lines.map((line) =>
    line.map((cell, column) => (column === 0 ? cell.padEnd(widths[0]) : cell.padStart(widths[column]))),
  );
}
