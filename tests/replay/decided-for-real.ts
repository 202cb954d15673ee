import { mkdirSync, mkdtempSync, realpathSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { readCall } from "../../src/adapters/read-call.ts";
import { decideInProject } from "../../src/decide/in-project.ts";
import { readLayers } from "../../src/decide/layers.ts";
import { trustedConfiguration } from "../../src/decide/project.ts";
import type { Action } from "../../src/decision/result.ts";
import { writeSettled } from "../settled-file.ts";
import type { PolicyFiles } from "./policy-changes.ts";
import type { MadeCall } from "./replayed-calls.ts";

/** A project and its user, with a policy; calls of the same project may be decided in several such homes. */
export interface ReplayHome {
  readonly root: string;
  readonly state: string;
  readonly env: Readonly<Record<string, string | undefined>>;
}

/** Makes the files of a policy; the project is the same folder for every policy. */
export function homeWith(root: string, files: PolicyFiles): ReplayHome {
  const home = mkdtempSync(join(realpathSync(tmpdir()), "sluice-replay-home-"));
  for (const [path, text] of [
    [join(home, "config/sluice"), files.user],
    [join(root, ".sluice"), files.project],
  ] as const) {
    mkdirSync(path, { recursive: true });
    writeSettled(join(path, "hooks.yaml"), text);
  }
  const state = join(home, "state");
  const env = { PATH: process.env.PATH, HOME: home, XDG_CONFIG_HOME: join(home, "config"), XDG_STATE_HOME: state };
  Object.assign(process.env, { XDG_CONFIG_HOME: env.XDG_CONFIG_HOME });
  return { root, state, env };
}

/** Decides calls for real, one after the other, and writes the journal: what each came to. */
export async function decidedForReal({ root, env }: ReplayHome, calls: readonly MadeCall[]): Promise<Action[]> {
  const configuration = trustedConfiguration(readLayers(root), root, { env, vouching: "all" });
  const actions: Action[] = [];
  for (const { agent, payload } of calls) {
    const read = readCall({ text: "", value: payload, agent });
    if (read.kind !== "event") throw new Error(`${agent}: ${JSON.stringify(read)}`);
    actions.push((await decideInProject(read.event, configuration, { env })).decision.action);
  }
  return actions;
}
