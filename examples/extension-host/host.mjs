// An extension host in small: a page without any power, a process with hooks, and messages between them over HTTP.
import { cpSync, mkdirSync, mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { serveWebView, startExtensionHost } from "sluice/extension-host";
import { EXAMPLES, scriptedAnswer } from "./scripted-assistant.mjs";
import { TOOLS } from "./tools.mjs";

const { values: options } = parseArgs({
  options: {
    root: { type: "string" },
    port: { type: "string", default: "0" },
    session: { type: "string" },
    "answer-within": { type: "string", default: "300" },
  },
});

const root = options.root === undefined ? sampleProject() : realpathSync(resolve(options.root));
const host = await startExtensionHost({
  root,
  sessionId: options.session,
  tools: TOOLS,
  examples: EXAMPLES,
  prompted: scriptedAnswer,
  answerWithin: Number(options["answer-within"]),
});
const webView = await serveWebView(host, { port: Number(options.port) });
console.log(`project  ${root}`);
console.log(`open     ${webView.address}`);

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
