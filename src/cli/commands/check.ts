import { configurationProblems } from "../../check/check-hooks.ts";
import { ownHooks } from "../../check/own-hooks.ts";
import { readText } from "../../config/read-text.ts";
import type { Problem } from "../../problem/problem.ts";
import type { CommandInput } from "../command.ts";
import { rootOf, shortPath, writtenConfiguration } from "../configuration.ts";
import type { Exit } from "../exit-codes.ts";
import { hasErrors, problemFindings, reporterNamed } from "../show/findings.ts";
import { hookCount } from "../show/hook-count.ts";
import { countsOf, type Paint, paintFor, visible } from "../show/terminal-text.ts";

/** Reads everything, runs nothing, and shows each problem at its line. */
export async function run(input: CommandInput): Promise<Exit> {
  const { io } = input;
  const reporter = reporterNamed(input);
  const root = rootOf(input);
  // What may run is the business of `trust`: a problem is one whether its hook is approved or not.
  const configuration = writtenConfiguration(input);
  const { hooks: written, files } = configuration;
  const hooks = ownHooks(written);
  const { errors, warnings } = await configurationProblems({ ...configuration, root });
  const findings = [
    ...problemFindings("error", errors),
    ...problemFindings(input.has("strict") ? "error" : "warning", warnings),
  ];
  const bad = hasErrors(findings);
  if (input.has("json"))
    io.out(JSON.stringify({ root, ok: !bad, hooks: hooks.length, files, errors, warnings }, null, 2));
  else if (reporter !== undefined) {
    for (const line of reporter({ command: "check", findings, root, io })) io.out(line);
  } else {
    const paint = paintFor(io);
    const lines = linesOfFiles();
    for (const problem of errors) io.out(`${show(problem, paint.bad("✗"), paint, input, lines)}\n`);
    for (const problem of warnings) io.out(`${show(problem, paint.warn("!"), paint, input, lines)}\n`);
    const read = files.map(({ path }) => shortPath(path, io)).join(", ") || "no configuration file";
    const counts = `${hookCount(written)}, ${countsOf({ errors, warnings })}`;
    io.out(`${bad ? paint.bad("✗") : paint.good("✓")} ${counts}  ${paint.dim(read)}`);
  }
  return bad ? "problem" : "done";
}

function show(problem: Problem, mark: string, paint: Paint, { io }: CommandInput, lines: LinesOf): string {
  const { place } = problem;
  const shown = place ? problem.at({ ...place, file: shortPath(place.file, io) }) : problem;
  return [`${mark} ${visible(shown.format())}`, ...frame(problem, paint, lines)].join("\n");
}

/** The line of a problem, with a caret under it. */
function frame({ place }: Problem, paint: Paint, lines: LinesOf): string[] {
  if (place?.line === undefined) return [];
  const line = lines(place.file)[place.line - 1];
  if (line === undefined) return [];
  const gutter = `${place.line} │ `;
  const caret = " ".repeat(gutter.length + (place.column ?? 1) - 1);
  return [`    ${paint.dim(gutter)}${visible(line.slice(0, 160))}`, `    ${caret}${paint.bad("^")}`];
}

type LinesOf = (file: string) => readonly string[];

/** Each file is read once, however many problems it has. */
function linesOfFiles(): LinesOf {
  const known = new Map<string, readonly string[]>();
  return (file) => {
    const lines = known.get(file) ?? readLines(file);
    known.set(file, lines);
    return lines;
  };
}

/** No line is shown of a file that does not look like one of ours: a project may lead to any file of its user. */
function readLines(file: string): readonly string[] {
  const read = readText(file);
  const text = "text" in read ? (read.text ?? "") : "";
  return OWN_KEY.test(text) ? text.split(/\r?\n/) : [];
}

const OWN_KEY =
  /^[ \t]*(?:- +|[{,[][ \t]*)*["']?(?:hooks|guards|extends|intents|managed|event|matcher|tests|active_intents|parameters)["']?[ \t]*:/m;
