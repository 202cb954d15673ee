// What lies in .orchestration, as the page shows it. The hooks write the trace; the command reads and maps it.
import { execFile } from "node:child_process";
import { readFile, stat } from "node:fs/promises";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";

const require = createRequire(import.meta.url);
const manifest = require.resolve("sluice/package.json");
const COMMAND = join(dirname(manifest), require(manifest).bin.sluice);

/** The sidecar of one project. What is shown of a file is read again when the file has changed. */
export class Sidecar {
  #root;
  #read = { intents: "", trace: "" };
  #shown = {};

  constructor(root) {
    this.#root = root;
  }

  /** The intents, the latest records, whether they are whole, and which intent changed which files. */
  async read() {
    const [intents, trace] = await Promise.all([INTENTS, TRACE].map(this.#lastChange));
    const [listed, traced, map] = await Promise.all([
      intents === this.#read.intents ? this.#shown.intents : this.#intents(),
      trace === this.#read.trace ? this.#shown.trace : this.#trace(),
      readFile(join(this.#root, ".orchestration/intent_map.md"), "utf8").catch(() => ""),
    ]);
    this.#read = { intents, trace };
    this.#shown = { intents: listed, trace: { ...traced, map } };
    return this.#shown;
  }

  /** The same after a call: the map of intents is made anew first, unless the call has changed nothing here. */
  async refresh() {
    const [intents, trace] = await Promise.all([INTENTS, TRACE].map(this.#lastChange));
    if (intents === this.#read.intents && trace === this.#read.trace) return this.#shown;
    await this.#sluice("trace", "map");
    return this.read();
  }

  async #intents() {
    return JSON.parse(await this.#sluice("intents", "list", "--json")).intents;
  }

  async #trace() {
    const [traced, verdict] = await Promise.all([
      this.#sluice("trace", "list", "--last", "100", "--json"),
      this.#sluice("trace", "verify"),
    ]);
    return { records: JSON.parse(traced).changes, verdict: verdict.trim() };
  }

  /** When a file of the sidecar was written last. */
  #lastChange = (file) =>
    stat(join(this.#root, ".orchestration", file), { bigint: true }).then(
      ({ mtimeNs }) => mtimeNs,
      () => "none",
    );

  /** What the command prints. A trace that is broken ends it with 1, and its words are wanted most of all. */
  #sluice(...args) {
    return new Promise((done, fail) => {
      execFile(process.execPath, [COMMAND, ...args], { cwd: this.#root }, (error, stdout, stderr) => {
        if (error === null || stdout !== "") done(stdout);
        else fail(new Error(stderr || error.message));
      });
    });
  }
}

const INTENTS = "active_intents.yaml";
const TRACE = "agent_trace.jsonl";
