import { spawnSync } from "node:child_process";
import { appendFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { figureOf, rows } from "../measure.mjs";

/** A month of calls is judged by two policies in seconds: from the start of the command to its end, beside reading the same lines. */
export async function replay({ quick }) {
  const folder = mkdtempSync(join(tmpdir(), "sluice-bench-"));
  try {
    const figures = new Map();
    const limits = quick
      ? [[5_000, 1.5]]
      : [
          [5_000, 1.5],
          [50_000, 10],
          [100_000, 60],
        ];
    const targets = limits.map(([count, seconds]) => {
      const place = madeJournal(folder, count);
      const rounds = quick ? 3 : 5;
      const [bare, ours] = [[], []];
      for (let round = 0; round < rounds; round++) {
        bare.push(timed(["-e", READING, place.journal], place));
        ours.push(timed(REPLAY, place, count));
      }
      for (const figure of [
        figureOf(`reading ${count} records: node, JSON.parse`, bare),
        figureOf(ofReplay(count), ours),
      ])
        figures.set(figure.label, figure);
      const measured = Number((figures.get(ofReplay(count)).median / 1000).toPrecision(3));
      return { what: `${count} calls, two policies`, target: seconds, measured, unit: " s", met: measured <= seconds };
    });
    if (!quick) targets.push(memoryTarget(folder));
    return {
      what: "`sluice replay` over a journal: standard guards and ten rules against nine of them, two calls of five unlike all others",
      rows: rows(figures, {
        unit: "ms",
        to: (label) => label.replace(/^replaying (\d+) .*/, "reading $1 records: node, JSON.parse"),
      }),
      targets,
      notes: ["Both are whole processes; the ratio is to a node program that reads and parses the same file."],
    };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** What is kept may grow with shapes and sessions, not with calls. */
function memoryTarget(folder) {
  const [few, many] = [25_000, 500_000].map((count) => {
    const { project, env, journal } = madeJournal(folder, count);
    const { stdout, stderr } = spawnSync(process.execPath, ["--import", PEAK, ...REPLAY], { cwd: project, env });
    if (JSON.parse(String(stdout)).total !== count) throw new Error(`replay: ${stdout}${stderr}`);
    rmSync(journal);
    return Number(/peak (\d+)/.exec(String(stderr))[1]);
  });
  const measured = Number((many / few).toPrecision(3));
  const shown = [many, few].map((peak) => `${Math.round(peak / 1024)} MiB`).join(" and ");
  return {
    what: `peak memory, 500000 calls to 25000 (${shown})`,
    target: 1.3,
    measured,
    unit: "x",
    met: measured <= 1.3,
  };
}

function ofReplay(count) {
  return `replaying ${count} calls by two policies`;
}

const COMMAND = fileURLToPath(new URL("../../dist/sluice.cjs", import.meta.url));
const REPLAY = [COMMAND, "replay", "--policy", "new.yaml", "--against", "old.yaml", "--json"];
const PEAK = `data:text/javascript,process.on("exit",()=>console.error("peak",process.resourceUsage().maxRSS))`;
const READING = `let n=0;for(const line of require("fs").readFileSync(process.argv[1],"utf8").split("\\n"))if(line)n+=JSON.parse(line).results.length;console.log(n)`;

function timed(words, { project, env }, count) {
  const began = performance.now();
  const { stdout, stderr } = spawnSync(process.execPath, words, { cwd: project, env, maxBuffer: 2 ** 28 });
  const took = performance.now() - began;
  if (count !== undefined && JSON.parse(String(stdout)).total !== count) throw new Error(`replay: ${stdout}${stderr}`);
  return took;
}

function madeJournal(folder, count) {
  const [project, state, config] = ["project", "state", "config"].map((name) => join(folder, `${name}-${count}`));
  mkdirSync(project);
  mkdirSync(join(config, "sluice"), { recursive: true });
  mkdirSync(join(state, "sluice/decisions"), { recursive: true });
  writeFileSync(join(config, "sluice/hooks.yaml"), "guards: standard\nhooks: []\n");
  const rules = Array.from(
    { length: 10 },
    (_, at) =>
      `  - { name: r${at}, event: "tool:pre_execute", rules: 'args.command contains "word-${at} " -> deny("no")' }\n`,
  );
  writeFileSync(join(project, "old.yaml"), `hooks:\n${rules.join("")}`);
  writeFileSync(join(project, "new.yaml"), `hooks:\n${rules.slice(1).join("")}`);
  const now = Date.now();
  const journal = join(state, "sluice/decisions", `${new Date(now).toISOString().slice(0, 10)}.jsonl`);
  for (let begin = 0; begin < count; begin += 5_000) {
    const line = (_, index) => recordLine(begin + index, new Date(now - (count - begin - index) * 10), project);
    appendFileSync(journal, Array.from({ length: Math.min(5_000, count - begin) }, line).join(""));
  }
  return {
    journal,
    project,
    env: { PATH: process.env.PATH, HOME: folder, XDG_STATE_HOME: state, XDG_CONFIG_HOME: config },
  };
}

function recordLine(at, time, project) {
  const [first, ...others] = COMMANDS;
  const command =
    at % 5 < 2
      ? `git log --oneline -n ${at} -- src/file-${at}.ts | head -${at % 50}`
      : (others[at % others.length] ?? first);
  const tool_args = { command, description: "what it is for" };
  const session_id = `session-${at % 40}`;
  const event_json = {
    type: "tool:pre_execute",
    timestamp: time.getTime() / 1000,
    data: { tool_args, tool_use_id: `toolu_${at}` },
    tool_name: "Bash",
    session_id,
    cwd: project,
    agent: "claude-code",
  };
  const quiet = Object.fromEntries(Array.from({ length: 17 }, (_, index) => [`guard:${index}`, 0.003]));
  const about = {
    agent: "claude-code",
    session_id,
    event: "tool:pre_execute",
    tool: "Bash",
    cwd: project,
    root: project,
  };
  return `${JSON.stringify({ v: 1, id: (at % 0xffffff).toString(16).padStart(6, "0"), time: time.toISOString(), kind: "decision", action: "continue", ...about, reasons: [], event_json, results: [], quiet, duration_ms: 0.2, resident: true, policy: "0123456789ab", project })}\n`;
}

const COMMANDS = [
  "ls -la",
  "git status --short",
  "npm test -- --reporter=dot",
  "grep -rn 'TODO' src | head -20",
  "cat package.json",
  "node scripts/build.mjs && node dist/index.js",
  "git diff HEAD~1 -- src",
  "echo word-0 now",
  "find . -name '*.test.ts' -newer package.json",
  "sed -n 1,80p README.md",
];
