// An extension host in small: a page without any power, a process with hooks, and messages between them.
import { randomBytes, randomUUID } from "node:crypto";
import { cpSync, mkdirSync, mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { createHookEngine } from "sluice";
import { presentAssistantMessage } from "./assistant-message.mjs";
import { Questions } from "./questions.mjs";
import { scriptedAnswer } from "./scripted-assistant.mjs";
import { Sidecar } from "./sidecar.mjs";
import { TOOLS } from "./tools.mjs";
import { serveWebView } from "./web-view.mjs";

const { values: options } = parseArgs({
  options: {
    root: { type: "string" },
    port: { type: "string", default: "0" },
    session: { type: "string", default: randomUUID() },
    "answer-within": { type: "string", default: "300" },
  },
});

const root = options.root === undefined ? sampleProject() : realpathSync(resolve(options.root));
const state = {
  project: basename(root),
  session: options.session,
  tools: Object.entries(TOOLS).map(([name, { does, input }]) => ({ name, does, input: Object.keys(input) })),
  selected: null,
  intents: [],
  timeline: [],
  questions: [],
  trace: { records: [], verdict: "", map: "" },
};

const sidecar = new Sidecar(root);
const questions = new Questions(state, { seconds: Number(options["answer-within"]), changed: show });
const engine = createHookEngine({ root, sessionId: options.session, onAsk: (decision) => questions.ask(decision) });
let presented = Promise.resolve();
const host = { root, engine, sidecar, state, show };

/** What each message of the page sets going. The assistant's calls wait for each other. */
const RECEIVED = {
  prompt: ({ text }) => present([{ type: "text", who: "you", text }, ...scriptedAnswer(text)]),
  call_tool: ({ tool, input }) => present([{ type: "tool_use", name: tool, input }]),
  answer: ({ question, approved }) => questions.answer(question, approved),
};

Object.assign(state, await sidecar.read());
const webView = await serveWebView({
  port: Number(options.port),
  token: randomBytes(24).toString("base64url"),
  state: () => state,
  receive: (message) => RECEIVED[message.kind](message),
});
console.log(`project  ${root}`);
console.log(`open     ${webView.address}`);

function present(blocks) {
  presented = presented.then(() => presentAssistantMessage(blocks, host)).catch((error) => console.error(error));
}

function show() {
  webView.post({ kind: "state", state });
}

/** A copy of the sample project, with a memory of its own; both are gone when the host ends. */
function sampleProject() {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "sluice-extension-host-")));
  const project = join(folder, "sample-project");
  cpSync(new URL("project", import.meta.url), project, { recursive: true });
  process.env.XDG_STATE_HOME = join(folder, "state");
  mkdirSync(process.env.XDG_STATE_HOME);
  process.on("exit", () => rmSync(folder, { recursive: true, force: true }));
  return project;
}

for (const signal of ["SIGINT", "SIGTERM"]) process.on(signal, () => process.exit(0));
