import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

// Writes the page of one agent from its table: how to install, what can be blocked, asked and changed there, and what not.

/** The whole page, in Markdown. */
export function agentPage(adapter, { EVENTS: events, provenBy }) {
  return [
    `# ${adapter.title}`,
    "",
    "<!-- made by npm run docs from the agent's own table; edit the table -->",
    "",
    ...[
      install(adapter),
      powers(adapter, events),
      list("What no hook can enforce", adapter.limits),
      quirks(adapter),
      recorded(adapter),
    ].flat(),
    ...provenSentence(adapter, provenBy),
    `Written for version ${adapter.version}.${adapter.docs ? ` [Its own page about hooks](${adapter.docs})` : ""}`,
    "",
  ].join("\n");
}

/** One recorded payload of each hook event, short: what a field of a rule may name. */
function recorded({ id, title, hookEvents }) {
  const folder = join(import.meta.dirname, "../fixtures/payloads", id);
  const files = existsSync(folder) ? readdirSync(folder).sort(plainFirst) : [];
  const shown = Object.keys(hookEvents).flatMap((name) => {
    const beginning = [name, `event-${name}`].map((one) => one.replaceAll(":", "-"));
    const [file] = files.filter((one) => beginning.some((start) => one === `${start}.json` || isCase(one, start)));
    return file === undefined ? [] : [[name, JSON.parse(readFileSync(join(folder, file), "utf8"))]];
  });
  if (shown.length === 0) return [];
  return [
    "## What it sends",
    "",
    `One payload of each hook event, as ${title} wrote it; long texts are cut and ids shortened. \`sluice fire\` and rules read them by the [fields](../rules.md#fields) that all agents have.`,
    "",
    ...shown.flatMap(([name, payload]) => [`### \`${name}\``, "", "```json", ...payloadLines(payload), "```", ""]),
  ];
}

/** The main agent before subagents, which send a few fields more. */
function plainFirst(one, other) {
  const [first, second] = [one, other].map((name) => Number(name.includes("subagent")));
  return first - second || (one < other ? -1 : 1);
}

/** `PreToolUse.Bash.json` is a case of `PreToolUse`. */
function isCase(file, start) {
  return file.startsWith(`${start}.`) && file.slice(start.length + 1).split(".").length === 2;
}

/** One line for each field, however deep it is. */
function payloadLines(payload) {
  const rows = Object.entries(payload).map(([key, value]) => `  ${JSON.stringify(key)}: ${fitted(shortened(value))}`);
  return ["{", ...rows.map((row, at) => (at < rows.length - 1 ? `${row},` : row)), "}"];
}

/** A list shows its first item, an object its first keys, a text its beginning. */
function shortened(value, most = 8) {
  if (typeof value === "string") {
    const text = value.replace(/\b([0-9a-f]{4})[0-9a-f]{4}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\b/g, "$1…");
    return text.length > 80 ? `${text.slice(0, 60)}…` : text;
  }
  if (Array.isArray(value)) return value.slice(0, 1).map((item) => shortened(item, most / 2));
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value).slice(0, most);
  return Object.fromEntries(entries.map(([key, item]) => [key, shortened(item, most / 2)]));
}

function fitted(value) {
  const text = JSON.stringify(value);
  return text.length <= 300 ? text : JSON.stringify(shortened(value, 3));
}

/** One line about an agent, for the list of all of them. */
export function agentRow(adapter, { EVENTS: events, provenBy }) {
  const gates = rowsOf(adapter).filter(([, { as, installed }]) => events[as].gate && installed !== "never");
  const before = rowsOf(adapter).filter(([, { as, installed }]) => as === "tool:pre_execute" && installed !== "never");
  const can = (power) =>
    yes(
      before.length > 0 && before.every(([, row]) => row.can.includes(power)),
      before.some(([, row]) => row.can.includes(power)),
    );
  const stops = gates.filter(([, row]) => row.can.includes("deny"));
  return [
    `[${adapter.title}](agents/${adapter.id}.md)`,
    `\`${adapter.id}\``,
    can("deny"),
    can("ask"),
    can("modify"),
    `${stops.length} of ${gates.length}`,
    adapter.recipe === undefined ? "" : provenBy(adapter),
  ];
}

/** The same fact as the column *proven*, for the page of one agent. */
function provenSentence(adapter, provenBy) {
  if (adapter.recipe === undefined) return [];
  const rest = adapter.proven
    ? ", with the real program against a scripted model."
    : ". No run of the real program has shown yet that these hooks work.";
  return [`Proven: ${provenBy(adapter)}${rest}`, ""];
}

function yes(all, some) {
  if (all) return "yes";
  return some ? "some tools" : "becomes deny";
}

function install({ id, recipe, seconds, hookEvents }) {
  if (recipe === undefined) {
    return [
      "Nothing is installed: a program calls `sluice run json` with an event on its standard input and obeys the answer.",
      "",
    ];
  }
  const where = (scope) =>
    (recipe.kind === "entries" ? [recipe.files[scope]] : ownFiles(recipe, scope))
      .map((file) => `\`${scope === "user" ? "~/" : ""}${file}\``)
      .join(", ");
  const notes = afterwards(recipe.afterwards ?? {});
  return [
    "## Install",
    "",
    `\`sluice install ${id}\` writes ${where("user")} for all your projects; with \`--scope project\` it writes ${where("project")} for everybody who works on this one. \`sluice uninstall ${id}\` takes it back.`,
    "",
    ...server(recipe),
    `The agent waits ${seconds} seconds for an answer${otherwise(hookEvents, seconds)}; Sluice answers before that.`,
    "",
    ...notes.flatMap((note) => [note, ""]),
  ];
}

/** What is left to do, sentence by sentence: what holds for both scopes once, the rest with its scope. */
function afterwards({ user, project }) {
  const sentences = (text = "") => text.split(/(?<=\.) (?=[A-Z`])/).filter(Boolean);
  const shared = sentences(user).filter((sentence) => sentences(project).includes(sentence));
  const rest = (text) =>
    sentences(text)
      .filter((sentence) => !shared.includes(sentence))
      .join(" ");
  return [
    shared.join(" "),
    rest(user) === ""
      ? ""
      : shared.length + rest(project).length === 0
        ? rest(user)
        : `For all your projects: ${rest(user)}`,
    rest(project) === "" ? "" : `With \`--scope project\`: ${rest(project)}`,
  ].filter(Boolean);
}

/** Hook events for which the agent waits another time. */
function otherwise(hookEvents, usual) {
  const others = Object.entries(hookEvents).filter(([, { seconds = usual }]) => seconds !== usual);
  return others.length === 0 ? "" : ` (${others.map(([name, { seconds }]) => `${seconds} at \`${name}\``).join(", ")})`;
}

/** Where the MCP server is registered, and where it is not. */
function server({ mcp }) {
  const { user, project } = mcp?.files ?? {};
  const places = [user && `in \`~/${user}\``, project && `with \`--scope project\` in \`${project}\``].filter(Boolean);
  const missing = user ? "a project" : "your whole account";
  const rest = user && project ? "" : ` For ${missing} no file is known: register \`sluice mcp\` by hand.`;
  return [
    places.length === 0
      ? "Its MCP server is not registered: do that by hand with `sluice mcp`."
      : `The [MCP server](../install.md#the-mcp-server) \`sluice\` is registered ${places.join(" and ")}, unless \`--no-mcp\` leaves it out.${rest}`,
    "",
  ];
}

/** Files of our own have names that depend on nothing but the scope, once a hook event is wanted. */
function ownFiles(recipe, scope) {
  return [
    ...new Set(
      recipe
        .files(scope, [{ hookEvent: "PreToolUse", command: "sluice run", seconds: 1, gate: true }], ["sluice"])
        .map(({ path }) => path),
    ),
  ];
}

function powers(adapter, events) {
  const rows = rowsOf(adapter);
  if (rows.length === Object.keys(events).length) {
    return [
      "Every [event](../events.md) can be sent. The answer is one JSON object with `action`, and `reason`, `context`, `input` or `output` where there is one; the exit code is 0, 2 for deny, 3 for ask.",
      "",
    ];
  }
  const mark = (row, power) => (row.can.includes(power) ? "yes" : "");
  const lines = rows.map(([name, row]) => {
    const { gate } = events[row.as];
    const deny = row.can.includes("deny") ? "yes" : gate ? "**no**" : "";
    const notes = [
      row.installed === "never"
        ? "not installed"
        : row.installed === "if matched"
          ? "installed when a hook matches it"
          : "",
      row.note ?? "",
    ].filter(Boolean);
    return `| ${[`\`${name}\``, `\`${row.as}\``, deny, mark(row, "ask"), mark(row, "modify"), mark(row, "output"), mark(row, "context"), mark(row, "feedback"), notes.join("; ")].join(" | ")} |`;
  });
  return [
    "## What hooks can do",
    "",
    "| hook event | event | deny | ask | change input | change result | words for the model | objection afterwards | |",
    "|---|---|---|---|---|---|---|---|---|",
    ...lines,
    "",
    "What cannot be carried out becomes stricter: where the user cannot be asked, `ask` denies; where the input cannot be changed, `modify` denies. A gate without `deny` cannot be stopped by any hook.",
    "",
  ];
}

function rowsOf({ hookEvents }) {
  return Object.entries(hookEvents);
}

/** What a contained call means for the agent's own rules, where they judge its line. */
const REWRITTEN = {
  behaviour:
    "its own permission rules for commands judge the line that runs a call [contained](../contain.md), not the call itself",
  answer:
    "the line names the commands of the call first, each after `false &&`, so that a rule that denies one of them holds; what a rule allows is asked about, unless it allows `false` and `sluice inside` as well",
};

function quirks({ quirks: own, judgesRewritten }) {
  const quirks = [...own, ...(judgesRewritten ? [REWRITTEN] : [])];
  return list(
    "Where it differs from what one would expect",
    quirks.map(({ behaviour, answer }) => `${sentence(behaviour)} ${sentence(answer)}`),
  );
}

function sentence(text) {
  const first = text.startsWith("`") ? text : text[0].toUpperCase() + text.slice(1);
  return first.endsWith(".") ? first : `${first}.`;
}

function list(title, items) {
  return items.length === 0 ? [] : [`## ${title}`, "", ...items.map((item) => `- ${item}`), ""];
}
