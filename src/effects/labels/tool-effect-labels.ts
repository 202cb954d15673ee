import type { Effect } from "../effect.ts";
import { isDisposable, isOutside } from "../path-class.ts";
import { isSecretFile } from "../secret-files.ts";
import { isMetadataHost } from "../tools/addresses.ts";
import type { ToolActKind } from "../tools/tool-act.ts";
import type { EffectLabel } from "./effect-label.ts";

/** Words about what tools that are no shells do at services, by their input and by the verb of their name. */
export const TOOL_EFFECT_LABELS = {
  "service-data-access": {
    means: "changes who may use a database or how it runs, or reaches through it to its machine",
    on: "run",
    byTool: true,
    holds: (effect) => isAct(effect, "data-access", "data-host"),
  },
  "service-outage": {
    means: "stops, replaces or switches off something at a service",
    on: "run",
    byTool: true,
    holds: (effect) => isAct(effect, "outage"),
  },
  "service-access": {
    means: "changes who may use something at a service: secrets, keys, roles, webhooks, protections",
    on: "run",
    byTool: true,
    holds: (effect) => isAct(effect, "access"),
  },
  "service-merge": {
    means: "merges a change for everybody, or overwrites a branch at a service",
    on: "run",
    byTool: true,
    holds: (effect) => isAct(effect, "merge", "force-push"),
  },
  "send-key": {
    means: "sends a text with a key in it to another machine, by a tool",
    on: "run",
    byTool: true,
    holds: (effect) => isAct(effect, "send-key", "page-secret"),
  },
  "metadata-address": {
    means: "asks the address at which a machine in a cloud gets its keys, by a tool that is no shell",
    on: "network",
    holds: (effect, act) =>
      effect.does === "network" &&
      act.commands.length === 0 &&
      effect.host !== undefined &&
      isMetadataHost(effect.host.text),
  },
  "inner-address": {
    means:
      "opens a file outside of the project, an interface of machines or a name that only looks right, by its address",
    on: "run",
    byTool: true,
    holds: (effect) => isAct(effect, "inner-address"),
  },
  "service-secret": {
    means: "shows a secret that a service keeps, or copies a file with keys to where it is published",
    on: "run",
    byTool: true,
    holds: (effect) => isAct(effect, "show-secret", "copy-secret"),
  },
  "tool-delete-outside": {
    means: "removes something outside of the project, by a tool that is no shell",
    on: "delete",
    holds: (effect, act) =>
      effect.does === "delete" &&
      act.commands.length === 0 &&
      isOutside(effect.path, act.place) &&
      !isDisposable(effect.path, act.place),
  },
  "pipeline-secret": {
    means: "writes a pipeline that gives its secrets away, or runs what strangers wrote with them",
    on: "run",
    byTool: true,
    holds: (effect) => isAct(effect, "ci-secret"),
  },
  "write-auto-run": {
    means: "writes a file by which an editor, a container, a package manager or an agent runs something by itself",
    on: "run",
    byTool: true,
    holds: (effect) => isAct(effect, "auto-run"),
  },
  "write-key": {
    means: "writes over keys or logins of the user, by a tool that is no shell",
    on: "write",
    holds: (effect, act) =>
      effect.does === "write" &&
      act.commands.length === 0 &&
      isSecretFile(effect.path.text) &&
      isOutside(effect.path, act.place),
  },
} as const satisfies Record<string, EffectLabel>;

function isAct(effect: Effect, ...kinds: readonly ToolActKind[]): boolean {
  return effect.does === "run" && effect.act !== undefined && kinds.some((kind) => kind === effect.act?.kind);
}
