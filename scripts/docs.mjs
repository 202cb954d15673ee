// Fills the tables of README.md and docs/ from the tables of the source.
//   node scripts/docs.mjs [--check] [page…]
// A table stands between <!-- table:NAME --> and <!-- /table:NAME -->. With --check nothing is written: a page whose
// tables are stale is named, and the exit code is 1.
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join, relative, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { agentPage, agentRow } from "./agent-page.mjs";
import { apiRows } from "./api-rows.mjs";
import { loadSource } from "./load-source.mjs";
import { problemMessages } from "./messages.mjs";

const root = fileURLToPath(new URL("..", import.meta.url));

/** Every table: the modules it reads, its columns, its rows. A table whose modules are not there is left as it is. */
const TABLES = {
  api: {
    reads: ["problem/problem.ts"],
    columns: ["import from", "name", "kind", "what it is"],
    rows: () => apiRows(root),
  },
  events: {
    reads: ["event/catalogue.ts"],
    columns: ["event", "also called", "gate", "a hook can change", "when"],
    rows: ({ EVENTS }) =>
      Object.entries(EVENTS).map(([name, { aliases, alsoMatchedBy = [], gate, modifies, when }]) => {
        const others = alsoMatchedBy.map((alias) => `${code(alias)} too`);
        return [code(name), [...aliases.map(code), ...others].join(", "), gate ? "yes" : "", modifies ?? "", when];
      }),
  },
  "tool-kinds": {
    reads: ["event/tool-kinds.ts"],
    columns: ["kind", "means", "tools"],
    rows: ({ TOOL_KINDS }) =>
      Object.entries(TOOL_KINDS).map(([kind, { means, names, prefixes = [] }]) => {
        const tools = [...prefixes.map((prefix) => `${prefix}…`), ...names];
        return [code(kind), means, tools.map(code).join(", ")];
      }),
  },
  environment: {
    reads: ["event/environment.ts"],
    columns: ["variable", "means"],
    rows: ({ VARIABLES, PREFIXES }) =>
      Object.entries(VARIABLES).map(([name, { means }]) => [code(`${PREFIXES[0]}${name}`), means]),
  },
  "hook-fields": {
    reads: ["hook/schema.ts"],
    columns: ["key", "in hooks of type", "means"],
    rows: ({ HOOK_FIELDS, KINDS, snake }) => {
      const kinds = Object.entries(KINDS);
      const owners = (key) => kinds.filter(([, { fields }]) => Object.hasOwn(fields, key)).map(([kind]) => code(kind));
      return Object.entries(HOOK_FIELDS).map(([key, { means }]) => [
        code(snake(key)),
        owners(key).join(", ") || "any",
        means,
      ]);
    },
  },
  templates: {
    reads: ["templates/index.ts"],
    columns: ["template", "listens to", "what it does"],
    rows: ({ HOOK_TEMPLATES }) =>
      Object.entries(HOOK_TEMPLATES).map(([name, hook]) => [code(name), code(hook.eventPattern), hook.description]),
  },
  guards: {
    reads: ["policies/guards/index.ts"],
    columns: ["guard", "rule", "watches for", "standard", "strict", "paranoid"],
    rows: ({ GUARDS, PRESETS }) =>
      Object.entries(GUARDS).flatMap(([name, { title, rules }]) =>
        rules.map(({ name: rule, reason, ...presets }, index) => {
          const verdicts = PRESETS.map((preset) => presets[preset] ?? "");
          return [index === 0 ? `${code(`guard:${name}`)} ${title}` : "", code(rule), reason, ...verdicts];
        }),
      ),
  },
  "not-covered": {
    reads: ["policies/guards/not-covered.ts"],
    columns: ["what", "why", "for example", "result", "instead"],
    rows: ({ NOT_COVERED }) =>
      NOT_COVERED.map(({ title, why, command, verdict, instead }) => [title, why, code(command), verdict, instead]),
  },
  effects: {
    reads: ["effects/labels/effect-labels.ts"],
    columns: ["effect", "means that a call"],
    rows: ({ effectLabels }) => Object.entries(effectLabels()).map(([word, means]) => [code(word), means]),
  },
  "call-fields": {
    reads: ["rule/call-fields.ts"],
    columns: ["field", "is"],
    rows: ({ CALL_FIELDS }) => Object.entries(CALL_FIELDS).map(([name, { means }]) => [code(name), means]),
  },
  operators: {
    reads: ["rule/operators.ts"],
    columns: ["operator", "means that the field", "for example"],
    rows: ({ OPERATORS }) =>
      Object.entries(OPERATORS).map(([name, { reads, examples, written }]) => {
        if (written !== undefined) return [code(name), reads, code(written)];
        const [value, wanted] = examples.find(([, , holds]) => holds) ?? [];
        const right = wanted === undefined ? "" : ` ${JSON.stringify(wanted)}`;
        return [code(name), reads, `${code(JSON.stringify(value))} ${code(`${name}${right}`)}`];
      }),
  },
  filters: {
    reads: ["llm/prompt-template.ts"],
    columns: ["filter", "means"],
    rows: ({ FILTERS }) => Object.entries(FILTERS).map(([name, { means }]) => [code(name), means]),
  },
  failures: {
    reads: ["decision/failure.ts"],
    columns: ["failure", "as a message says it"],
    rows: ({ describeFailure }) =>
      failureNames().map((why) => [code(why), `hook "fmt" ${describeFailure({ why, ...sampleOf(why) })}`]),
  },
  commands: {
    reads: ["cli/commands/index.ts", "cli/command.ts"],
    columns: ["command", "what it does", "group"],
    rows: ({ COMMANDS, COMMAND_GROUPS }) =>
      Object.entries(COMMAND_GROUPS).flatMap(([group, title]) =>
        COMMANDS.filter((command) => command.group === group && command.aliasOf === undefined).map(
          ({ name, usage, summary }) => [code(["sluice", name, usage].filter(Boolean).join(" ")), summary, title],
        ),
      ),
  },
  "command-pairs": {
    reads: ["cli/commands/index.ts", "cli/command.ts"],
    columns: ["which one?"],
    rows: ({ COMMANDS, COMMAND_PAIRS }) => [
      ...COMMAND_PAIRS.map((text) => [text]),
      ...COMMANDS.flatMap(({ name, aliasOf }) =>
        aliasOf === undefined ? [] : [[`${code(`sluice ${name}`)} is the older name of ${code(`sluice ${aliasOf}`)}.`]],
      ),
    ],
  },
  stages: {
    reads: ["decide/stages.ts"],
    columns: ["stage", "what it does"],
    rows: ({ STAGES }) => STAGES.map(({ name, does }) => [name, does]),
  },
  fronts: {
    reads: ["decide/fronts.ts", "decide/stages.ts"],
    columns: ["front", "used by", "stages that it leaves out", "why"],
    rows: ({ FRONTS, STAGES }) =>
      FRONTS.map(({ name, from, lacks = [], why = "" }) => {
        const left = STAGES.map((stage) => stage.name).filter((stage) => !lacks.includes(stage));
        const told = left.length < lacks.length ? `all but ${left.join(" and ")}` : lacks.join(", ");
        return [name, from, told || "none", why];
      }),
  },
  agents: {
    reads: ["adapters/index.ts", "adapters/adapter.ts", "event/catalogue.ts"],
    columns: [
      "agent",
      "name",
      "deny a tool",
      "ask about a tool",
      "change a tool's input",
      "gates that can be shut",
      "proven",
    ],
    rows: (source) => inNameOrder(source.ADAPTERS).map((adapter) => agentRow(adapter, source)),
  },
  messages: {
    reads: [],
    columns: ["code", "what it says", "the next step"],
    rows: () =>
      [...problemMessages(join(root, "src"))].map(([name, { what, fix }]) => [
        code(name),
        what.join(" / ") || "in the words of what went wrong",
        fix.join(" / "),
      ]),
  },
  "exit-codes": {
    reads: ["cli/exit-codes.ts"],
    columns: ["exit code", "means"],
    rows: ({ EXIT_CODES }) =>
      Object.entries(EXIT_CODES).map(([key, row]) => [code(String(row.code ?? key)), row.means]),
  },
};

/** One failure of each kind, to show its words. */
const FAILURES = {
  exited: { exitCode: 3 },
  timeout: { afterMs: 1500 },
  signal: { signal: "SIGSEGV" },
  not_found: { program: "prettier" },
  not_executable: { program: "./fmt.sh" },
  spawn_error: { message: "EAGAIN" },
  output_overflow: { bytes: 16 * 1024 * 1024 },
  bad_json: { message: "Unexpected end of JSON input", got: '{"action":' },
  exception: { message: "rules is not iterable" },
};

const flags = process.argv.slice(2).filter((word) => word.startsWith("--"));
const named = process.argv.slice(2).filter((word) => !word.startsWith("--"));
const isCheck = flags.includes("--check");
const unknown = flags.find((flag) => flag !== "--check");
if (unknown !== undefined) fail([`${unknown} is no option; there is --check`]);

if (named.length === 0) await writeAgentPages();
const pages = named.length > 0 ? named.map((page) => resolve(page)) : allPages();
const texts = new Map(pages.map((page) => [page, readFileSync(page, "utf8")]));
const wrong = [...texts].flatMap(([page, text]) => wrongMarkers(page, text));
if (wrong.length > 0) fail(wrong);

const tables = await fill(new Set([...texts.values()].flatMap((text) => markers(text).map(({ name }) => name))));
const stale = [];
for (const [page, text] of texts) {
  const fresh = withTables(text);
  if (fresh === text) continue;
  stale.push(shown(page));
  if (!isCheck) writeFileSync(page, fresh);
}
if (isCheck && stale.length > 0) fail(stale.map((page) => `${page} has stale tables; npm run docs fills them`));
if (!isCheck) for (const page of stale) console.log(`filled the tables of ${page}`);

/** Each agent has a page of its own, made of its table alone. */
async function writeAgentPages() {
  const source = await loadSource(root, TABLES.agents.reads);
  const folder = join(root, "docs/agents");
  const fresh = new Map(source.ADAPTERS.map((adapter) => [`${adapter.id}.md`, agentPage(adapter, source)]));
  const there = existsSync(folder) ? readdirSync(folder) : [];
  const stale = [...new Set([...fresh.keys(), ...there])].filter(
    (name) => !there.includes(name) || readFileSync(join(folder, name), "utf8") !== fresh.get(name),
  );
  if (isCheck && stale.length > 0) fail(stale.map((name) => `docs/agents/${name} is stale; npm run docs writes it`));
  mkdirSync(folder, { recursive: true });
  for (const name of stale) {
    if (fresh.has(name)) writeFileSync(join(folder, name), fresh.get(name));
    else rmSync(join(folder, name));
    console.log(`wrote docs/agents/${name}`);
  }
}

function inNameOrder(adapters) {
  return adapters.toSorted((one, other) => one.title.localeCompare(other.title));
}

function allPages() {
  const docs = join(root, "docs");
  const inDocs = existsSync(docs) ? readdirSync(docs, { recursive: true }).map((page) => join(docs, page)) : [];
  return [join(root, "README.md"), ...inDocs.sort()].filter((page) => page.endsWith(".md") && existsSync(page));
}

function markers(text) {
  return [...text.matchAll(/<!-- (\/?)table:([\w-]+) -->/g)].map(({ 0: whole, 1: slash, 2: name, index }) => ({
    name,
    closes: slash === "/",
    begin: index,
    end: index + whole.length,
    line: text.slice(0, index).split("\n").length,
  }));
}

/** Markers come in pairs, and name a table that exists. */
function wrongMarkers(page, text) {
  const found = markers(text);
  return found.flatMap(({ name, closes, line }, index) => {
    const place = `${shown(page)}:${line}`;
    if (!Object.hasOwn(TABLES, name)) {
      return [`${place} wants the table "${name}"; there are ${Object.keys(TABLES).join(", ")}`];
    }
    const other = found[closes ? index - 1 : index + 1];
    const isPaired = other?.name === name && other.closes !== closes;
    return isPaired ? [] : [`${place} has a marker of the table "${name}" without its other half`];
  });
}

function withTables(text) {
  const found = markers(text);
  let filled = text;
  for (let index = found.length - 2; index >= 0; index -= 2) {
    const table = tables.get(found[index].name);
    if (table === undefined) continue;
    filled = `${filled.slice(0, found[index].end)}\n${table}\n${filled.slice(found[index + 1].begin)}`;
  }
  return filled;
}

/** The text of each table whose modules are there. */
async function fill(names) {
  const possible = [...names].filter((name) => TABLES[name].reads.every((file) => existsSync(join(root, "src", file))));
  if (possible.length === 0) return new Map();
  const source = await loadSource(root, [...new Set(possible.flatMap((name) => TABLES[name].reads))]);
  return new Map(possible.map((name) => [name, table(TABLES[name].columns, TABLES[name].rows(source))]));
}

function table(columns, rows) {
  const line = (cells) => `| ${cells.map(cell).join(" | ")} |`;
  return [line(columns), `|${columns.map(() => "---").join("|")}|`, ...rows.map(line)].join("\n");
}

function cell(text) {
  return text.replaceAll("|", "\\|").replaceAll(/\s+/g, " ").trim();
}

function code(text) {
  return `\`${text}\``;
}

/** The names in the type itself, so that a new failure cannot be forgotten here. */
function failureNames() {
  const source = readFileSync(join(root, "src/decision/failure.ts"), "utf8");
  return [...source.matchAll(/readonly why: "(\w+)"/g)].map(([, why]) => why);
}

function sampleOf(why) {
  return FAILURES[why] ?? fail([`scripts/docs.mjs has no sample of the failure "${why}"; add one to FAILURES`]);
}

function shown(page) {
  return relative(process.cwd(), page);
}

function fail(messages) {
  for (const message of messages) console.error(message);
  process.exit(1);
}
