import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import cedar from "@cedar-policy/cedar-wasm/nodejs";
import { build } from "esbuild";
import jsonLogic from "json-logic-js";
import { Engine } from "json-rules-engine";
import { rows, sideBySide, target } from "../measure.mjs";

/** Rules cost little more than the code that a person would write for them, and no text can make them slow. */
export async function rules({ quick }) {
  const inside = await insideRules();
  const tools = await inside.prepareTools([rule(inside, 'tool matches "." -> deny()')]);
  const one = await sideBySide(oneRule(inside, tools), { rounds: quick ? 60 : 600, warmUpMs: quick ? 100 : 500 });
  const many = await sideBySide(await manyRules(inside, tools), {
    rounds: quick ? 20 : 100,
    warmUpMs: quick ? 100 : 500,
  });
  const hostile = await sideBySide(hostileTexts(tools), { rounds: quick ? 3 : 15, warmUpMs: 1 });
  const groups = [one, many, hostile];
  return {
    what: "inline rules: one against a closure, 1,000 against other engines, regular expressions on 100 KB of hostile text",
    rows: groups.flatMap((figures) => rows(figures, { unit: "µs", to: () => figures.keys().next().value })),
    targets: [
      target(one, { what: "one rule against a closure", of: ONE, to: CLOSURE, atMost: 3 }),
      ...PEERS.map((peer) => target(many, { what: `1,000 rules against ${peer}`, of: MANY, to: peer, atMost: 1 })),
      slowest("nested", NESTED, hostile),
      slowest("counted", COUNTED, hostile),
    ],
    notes: [
      "The other engines are given the same 1,000 checks, prepared beforehand. Every expression is new to its text: what it learns and what it prepares counts.",
    ],
  };
}

const CLOSURE = "a closure: tool is bash, command has rm -rf";
const ONE = "the same as one inline rule";
const MANY = "1,000 inline rules, the last one matches";
const [JSON_RULES, JSON_LOGIC, CEDAR] = ["json-rules-engine", "json-logic-js", "cedar-wasm"];
const PEERS = [JSON_RULES, JSON_LOGIC, CEDAR];
const SIZE = 1000;

/** What is no part of the public package, bundled as the library is. */
async function insideRules() {
  const folder = mkdtempSync(join(tmpdir(), "sluice-bench-"));
  const outfile = join(folder, "rules.mjs");
  try {
    await build({
      stdin: {
        contents: ["rule/dsl", "rule/evaluate", "rule/tools", "event/event"]
          .map((file) => `export * from "./${file}.ts";`)
          .join("\n"),
        resolveDir: fileURLToPath(new URL("../../src", import.meta.url)),
      },
      outfile,
      bundle: true,
      format: "esm",
      platform: "node",
      target: "node20",
      logLevel: "error",
    });
    return await import(pathToFileURL(outfile).href);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function rule({ readDsl, rulesIn }, text) {
  const { lines, problems } = readDsl(text);
  if (problems.length > 0) throw problems[0];
  return rulesIn(lines)[0].rule;
}

function oneRule(inside, tools) {
  const { HookEvent, compileRules } = inside;
  const evaluate = compileRules(
    [rule(inside, 'tool equals "bash" and args.command contains "rm -rf" -> deny("no")')],
    tools,
  );
  const deny = { action: "deny", reason: "no" };
  const proceed = { action: "continue" };
  const closure = ({ toolName, data }) => {
    const command = data.tool_args?.command;
    return toolName === "bash" && typeof command === "string" && command.includes("rm -rf") ? deny : proceed;
  };
  const events = [
    "git push --force origin main && rm -rf build",
    "git status --short; ls -la src",
    "npm run check",
  ].map((command) => HookEvent.toolPreExecute("bash", { command, description: "work" }));
  // One loop each: in a shared one the engine of the language would compile both for the worse of the two.
  return [
    {
      label: CLOSURE,
      run: (times) => {
        let denied = 0;
        for (let index = 0; index < times; index++) denied += closure(events[index % 3]).action === "deny" ? 1 : 0;
        return denied;
      },
    },
    {
      label: ONE,
      run: (times) => {
        let denied = 0;
        for (let index = 0; index < times; index++) denied += evaluate(events[index % 3]).action === "deny" ? 1 : 0;
        return denied;
      },
    },
  ];
}

async function manyRules(inside, tools) {
  const needles = Array.from({ length: SIZE }, (_, index) => `--needle-${index}-`);
  const command = `git commit -m "a message of ordinary length" --needle-${SIZE - 1}- && npm run build`;
  return [
    ours(inside, tools, needles, command),
    await jsonRules(needles, command),
    jsonLogicRules(needles, command),
    cedarPolicies(needles, command),
  ].map(({ label, decide }) => ({ label, times: 1, run: () => checked(label, decide()) }));
}

/** Every engine has to find the one match. */
function checked(label, found) {
  if (found instanceof Promise) return found.then((value) => checked(label, value));
  if (found !== true) throw new Error(`${label} did not find the match`);
  return 1;
}

function ours(inside, tools, needles, command) {
  const texts = needles.map(
    (needle) => `tool equals "bash" and args.command contains "${needle}" -> deny("${needle}")`,
  );
  const evaluate = inside.compileRules(
    texts.map((text) => rule(inside, text)),
    tools,
  );
  const event = inside.HookEvent.toolPreExecute("bash", { command });
  return { label: MANY, decide: () => evaluate(event).reason === needles.at(-1) };
}

async function jsonRules(needles, command) {
  const engine = new Engine([], { allowUndefinedFacts: true });
  engine.addOperator("includes", (value, needle) => typeof value === "string" && value.includes(needle));
  for (const needle of needles) {
    const all = [
      { fact: "tool", operator: "equal", value: "bash" },
      { fact: "args", path: "$.command", operator: "includes", value: needle },
    ];
    engine.addRule({ conditions: { all }, event: { type: "deny", params: { reason: needle } } });
  }
  const facts = { tool: "bash", args: { command } };
  return {
    label: JSON_RULES,
    decide: async () => (await engine.run(facts)).events[0]?.params?.reason === needles.at(-1),
  };
}

function jsonLogicRules(needles, command) {
  const all = needles.map((needle) => ({
    and: [{ "==": [{ var: "tool" }, "bash"] }, { in: [needle, { var: "args.command" }] }],
  }));
  const data = { tool: "bash", args: { command } };
  return { label: JSON_LOGIC, decide: () => all.findIndex((logic) => jsonLogic.apply(logic, data)) === SIZE - 1 };
}

function cedarPolicies(needles, command) {
  const policies = needles.map(
    (needle) =>
      `forbid(principal, action == Action::"call", resource == Tool::"bash") when { context.command like "*${needle}*" };`,
  );
  const staticPolicies = Object.fromEntries([...policies.entries()].map(([index, text]) => [`p${index}`, text]));
  const parsed = cedar.preparsePolicySet("bench", { staticPolicies });
  if (parsed.type !== "success") throw new Error(`cedar-wasm did not read the policies: ${JSON.stringify(parsed)}`);
  const call = {
    principal: { type: "Agent", id: "a" },
    action: { type: "Action", id: "call" },
    resource: { type: "Tool", id: "bash" },
    context: { command },
    preparsedPolicySetId: "bench",
    entities: [],
  };
  const decide = () => cedar.statefulIsAuthorized(call).response?.diagnostics.reason[0] === `p${SIZE - 1}`;
  return { label: CEDAR, decide };
}

const TEXT = 100 * 1024;
const as = `${"a".repeat(TEXT - 1)}!`;
const ab = randomText("ab");
const flags = `rm ${"-r -f ".repeat(TEXT / 6)}x/ `;

/** Expressions on which a backtracking engine takes longer than anyone waits, each with its worst text. */
const NESTED = [
  ["(a+)+$", as],
  ["(a|a)*$", as],
  ["(a|aa)+$", as],
  ["(.*)*[xy]$", ab],
  ["(x+x+)+y|(a*)*[cd]", as],
  ["^(([a-z])+.)+[A-Z]([a-z])+$", as],
  ["(\\w+\\s?)*$", as],
  ["rm\\s+.*-.*r.*f.*\\/$", flags],
  ["(?i)(?:a|b|ab)*[cd]", ab],
];

/** The most that a text can do to an engine in linear time: every count multiplies what it has to keep in mind. */
const COUNTED = [
  ["[ab]*a[ab]{12}[cd]", ab],
  ["[ab]*a[ab]{100}[cd]", ab],
  ["[ab]*a[ab]{450}[cd]", ab],
  ["[ab]*a(?:[ab]{14}c?){16}[de]", ab],
  ["(?:(?:(?:a[ab]{90})+[ab]{90})+[ab]{90})+[cd]", ab],
  ["(?m)(?:^|\\b|a)[ab\\s]*a[ab\\s]{400}[cd]\\b", randomText("ab \n")],
];

function hostileTexts(tools) {
  const scan = { label: "indexOf over the same 100 KB", run: (times) => repeated(times, () => ab.indexOf("abc")) };
  let round = 0;
  const tests = [...NESTED, ...COUNTED].map(([pattern, text]) => ({
    label: pattern,
    times: 1,
    // A new expression every time: one that has met its text before has learned it.
    prepare: () => tools.regex(`${pattern}|zq${round++}z`),
    run: (times, test) => repeated(times, () => (test(text) ? 1 : 0)),
  }));
  return [scan, ...tests];
}

function randomText(letters) {
  let state = 12345;
  return Array.from({ length: TEXT }, () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return letters[Math.floor((state / 2 ** 32) * letters.length)];
  }).join("");
}

function repeated(times, act) {
  let sum = 0;
  for (let index = 0; index < times; index++) sum += act();
  return sum;
}

/** The one kind of target that is no ratio: a person waits for it, whatever the machine. */
function slowest(kind, expressions, figures) {
  const medians = expressions.map(([label]) => figures.get(label).median);
  const measured = Number(Math.max(...medians).toPrecision(3));
  return { what: `the slowest ${kind} expression on 100 KB`, target: 50, measured, unit: " ms", met: measured <= 50 };
}
