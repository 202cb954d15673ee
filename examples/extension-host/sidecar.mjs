// What lies in .orchestration, as the page shows it. The hooks write the trace; the command reads and maps it.
import { execFile } from "node:child_process";
import { readFile, stat } from "node:fs/promises";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";

const require = createRequire(import.meta.url);
const manifest = require.resolve("sluice/package.json");
const COMMAND = join(dirname(manifest), require(manifest).bin.sluice);

/** The sidecar of one project. */
export class Sidecar {
  #root;
  #changed = "";
  #shown = {};

  constructor(root) {
    this.#root = root;
  }

  /** The intents, the latest records, whether they are whole, and which intent changed which files. */
  async read() {
    const [listed, traced, verdict, map] = await Promise.all([
      this.#sluice("intents", "list", "--json"),
      this.#sluice("trace", "list", "--last", "100", "--json"),
      this.#sluice("trace", "verify"),
      readFile(join(this.#root, ".orchestration/intent_map.md"), "utf8").catch(() => ""),
    ]);
    const { changes: records } = JSON.parse(traced);
    return { intents: JSON.parse(listed).intents, trace: { records, verdict: verdict.trim(), map } };
  }

  /** The same after a call: the map of intents is made anew first, unless the call has changed nothing here. */
  async refresh() {
    const changed = (await Promise.all(["active_intents.yaml", "agent_trace.jsonl"].map(this.#lastChange))).join();
    if (changed === this.#changed) return this.#shown;
    await this.#sluice("trace", "map");
    this.#shown = await this.read();
    this.#changed = changed;
    return this.#shown;
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
