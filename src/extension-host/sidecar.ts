import { stat } from "node:fs/promises";
import { join } from "node:path";
import { intentsPath, knownIntents } from "../policies/intent/intents-file.ts";
import { intentMapText, mappedIntents, writeIntentMap } from "../trace/change/intent-map.ts";
import { changes } from "../trace/change/read-changes.ts";
import { tracePaths } from "../trace/change/trace-paths.ts";
import { traceVerdict, verifyTrace } from "../trace/change/verify.ts";
import type { HostState } from "./state.ts";

/** What the sidecar has to show. */
export type SidecarContent = Pick<HostState, "intents" | "trace">;

/** The folder `.orchestration` of a project: intents, trace and the map of both. The hooks write it. */
export class Sidecar {
  readonly #root: string;
  #seen = "";
  #content: SidecarContent = { intents: [], trace: { records: [], verdict: "", map: "" } };

  constructor(root: string) {
    this.#root = root;
  }

  /** The intents, the latest hundred records, the verdict about the hash chain, and the map; read again if a file has changed. */
  async read(): Promise<SidecarContent> {
    const now = await this.#lastChanges();
    if (now === this.#seen) return this.#content;
    const place = tracePaths({ root: this.#root });
    const records = [...changes(place)];
    const found = knownIntents(this.#root);
    const intents = found.state === "read" ? found.intents : [];
    this.#content = {
      intents: intents.map(({ id, name, status, ownedScope, constraints, acceptanceCriteria }) => ({
        ...{ id, name, status, owned_scope: ownedScope, constraints, acceptance_criteria: acceptanceCriteria },
      })),
      trace: {
        records: records.slice(-MAX_RECORDS),
        verdict: traceVerdict(verifyTrace(place)),
        map: intentMapText(mappedIntents(records)),
      },
    };
    this.#seen = now;
    return this.#content;
  }

  /** The same after a call; `intent_map.md` is written again first, if the call has changed anything. */
  async refresh(): Promise<SidecarContent> {
    if ((await this.#lastChanges()) !== this.#seen) writeIntentMap(tracePaths({ root: this.#root }), "if any");
    return this.read();
  }

  /** When the files were written last. */
  async #lastChanges(): Promise<string> {
    const files = [intentsPath(this.#root), join(this.#root, ".orchestration/agent_trace.jsonl")];
    const times = files.map((file) =>
      stat(file, { bigint: true }).then(
        ({ mtimeNs, size }) => `${mtimeNs} ${size}`,
        () => "none",
      ),
    );
    return (await Promise.all(times)).join("\n");
  }
}

const MAX_RECORDS = 100;
