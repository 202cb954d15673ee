// Judges labelled rows by class: `node bench/guards <folder or file…> [--gtfobins <file>]`. bench/README.md describes the rows and the options.
import { parseArgs } from "node:util";
import { safetyNet, sluice } from "./contenders.mjs";
import { BadRowError, gtfobinsRows, labelledRows } from "./rows.mjs";

const OPTIONS = {
  gtfobins: { type: "string" },
  classes: { type: "string" },
  preset: { type: "string", default: "standard" },
  home: { type: "string", default: "/home/dev" },
  project: { type: "string" },
  misses: { type: "boolean", default: false },
  rounds: { type: "string", default: "3" },
  alone: { type: "boolean", default: false },
  json: { type: "boolean", default: false },
  help: { type: "boolean", default: false },
};

const USAGE = `node bench/guards <folder or file…> [options]

  --gtfobins <file>   also judges {program, class, command} rows, all of which are to be stopped
  --classes <a,b>     only these classes
  --preset <name>     standard (default), strict or paranoid
  --home <folder>     the home of the user, /home/dev by default
  --project <folder>  the project, which is the working directory of every call; <home>/project by default
  --rounds <n>        each row is judged n times, and the shortest time is taken (3 by default)
  --alone             Sluice only
  --misses            lists every row that was not judged as labelled
  --json              the figures as JSON`;

/** The row of the table that sums up all classes. */
const ALL = "all";

process.exitCode = await main();

async function main() {
  try {
    return await judgedLists(parseArgs({ allowPositionals: true, options: OPTIONS }));
  } catch (error) {
    const isMistake =
      error instanceof BadRowError || error.code === "NOT_BUILT" || /^(?:ERR_PARSE_ARGS|ENOENT)/.test(error.code);
    if (!isMistake) throw error;
    console.error(error.message);
    return 2;
  }
}

async function judgedLists({ values: flags, positionals }) {
  if (flags.help || (positionals.length === 0 && flags.gtfobins === undefined)) {
    console.log(USAGE);
    return flags.help ? 0 : 2;
  }
  const classes = flags.classes?.split(",");
  const rows = [
    ...positionals.flatMap(labelledRows),
    ...(flags.gtfobins === undefined ? [] : gtfobinsRows(flags.gtfobins)),
  ].filter((row) => classes === undefined || classes.includes(row.class));
  // The guards read the home from the environment, as an agent's shell does.
  process.env.HOME = flags.home;
  const contenders = [await sluice(flags.preset), ...(flags.alone ? [] : [await safetyNet(flags.home)])];
  const rounds = Math.max(1, Number(flags.rounds) || 1);
  const project = flags.project ?? `${flags.home}/project`;
  const figures = [];
  for (const contender of contenders) {
    figures.push({ label: contender.label, ...(await judgedBy(contender, rows, project, rounds)) });
    contender.end?.();
  }
  if (flags.json) console.log(JSON.stringify(figures, null, 2));
  else print(figures, flags);
  return 0;
}

/** Every row, several times: the verdict, and the shortest time. */
async function judgedBy(contender, rows, cwd, rounds) {
  const classes = new Map();
  const missed = [];
  for (const row of rows) {
    let [fastest, verdict] = [Number.POSITIVE_INFINITY, undefined];
    for (let round = 0; round < rounds; round++) {
      const begin = performance.now();
      verdict = await contender.judge(row, cwd);
      fastest = Math.min(fastest, performance.now() - begin);
    }
    const sums = [figureOf(classes, row.class), figureOf(classes, ALL)];
    for (const sum of sums) count(sum, row, verdict, fastest);
    if (verdict !== undefined && verdict.isStopped !== row.isDangerous)
      missed.push({
        class: row.class,
        what: row.isDangerous ? "passed" : "stopped",
        call: shown(row),
        why: verdict.why,
      });
  }
  return { classes: Object.fromEntries([...classes].sort(byName)), missed };
}

function byName([one], [other]) {
  return Number(one === ALL) - Number(other === ALL) || one.localeCompare(other);
}

function figureOf(classes, name) {
  const known = classes.get(name);
  if (known !== undefined) return known;
  const figure = { dangerous: 0, caught: 0, everyday: 0, alarms: 0, readsOnly: 0, readAlarms: 0, ms: 0, judged: 0 };
  classes.set(name, figure);
  return figure;
}

/** A contender that cannot read a call has neither caught it nor raised an alarm; the row counts all the same. */
function count(sum, row, verdict, ms) {
  const isStopped = verdict?.isStopped === true;
  if (verdict !== undefined) {
    sum.judged++;
    sum.ms += ms;
  }
  if (row.isDangerous) {
    sum.dangerous++;
    if (isStopped) sum.caught++;
    return;
  }
  sum.everyday++;
  if (isStopped) sum.alarms++;
  if (!row.readsOnly) return;
  sum.readsOnly++;
  if (isStopped) sum.readAlarms++;
}

function shown({ command, tool, args }) {
  return command ?? `${tool} ${JSON.stringify(args)}`;
}

function print(figures, { misses }) {
  const names = Object.keys(figures[0].classes);
  const head = ["class", ...figures.flatMap(({ label }) => [`${label}: caught`, "alarms", "µs"])];
  const lines = names.map((name) => [
    name,
    ...figures.flatMap(({ classes }) => {
      const { dangerous, caught, everyday, alarms, ms, judged } = classes[name];
      return [share(caught, dangerous), share(alarms, everyday), judged === 0 ? "–" : Math.round((ms / judged) * 1000)];
    }),
  ]);
  printTable([head, ...lines]);
  for (const { label, classes } of figures) {
    const { readsOnly, readAlarms } = classes[ALL] ?? { readsOnly: 0, readAlarms: 0 };
    if (readsOnly > 0) console.log(`\n${label}: ${share(readAlarms, readsOnly)} of those that only read were stopped`);
  }
  if (!misses) return;
  for (const { label, missed } of figures) {
    console.log(`\n${label}: ${missed.length} judged otherwise than labelled`);
    for (const { class: name, what, why, call } of missed)
      console.log(`${name}\t${what}${why === "" ? "" : ` (${why})`}\t${JSON.stringify(call)}`);
  }
}

function share(part, whole) {
  return whole === 0 ? "–" : `${part}/${whole} ${((100 * part) / whole).toFixed(1)} %`;
}

function printTable(lines) {
  const widths = lines[0].map((_, column) => Math.max(...lines.map((line) => String(line[column]).length)));
  for (const line of lines)
    console.log(
      line.map((cell, at) => (at === 0 ? cell.padEnd(widths[at]) : String(cell).padStart(widths[at]))).join("  "),
    );
}
