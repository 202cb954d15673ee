import { statSync } from "node:fs";
import { filesRunBy } from "../config/examine.ts";
import { type Action, STRICTNESS } from "../decision/result.ts";
import { attempt } from "../event/attempt.ts";
import { once } from "../event/once.ts";
import { readRegularFile } from "../fs/regular-file.ts";
import type { Hook } from "../hook/hook.ts";
import { isPureKind } from "../hook/schema.ts";
import { isGuardHook } from "../policies/guards/guard-hooks.ts";
import { type ProtectedPaths, protectedPaths } from "../policies/protect/protected-paths.ts";
import { type ProtectionContext, protectionContext } from "../policies/protect/protection-context.ts";
import { HookRegistry } from "../registry/registry.ts";
import { readHookRules } from "../rule/hook-rules.ts";
import { asksAboutRecent, eventsOfTeam } from "../rule/recent.ts";
import { fingerprint } from "../trace/fingerprint.ts";
import { guardText, policyHash } from "./policy-hash.ts";
import { type Configuration, type Layers, type ProcessEnvironment, trustedConfiguration } from "./project.ts";

/** What one hook is, as far as it matters when it is not run. */
interface KnownHook {
  /** As records name it. */
  readonly fingerprint: string;
  /** The same rules have the same result, whichever policy they are in. */
  readonly key: string;
  /** The strictest possible action. */
  readonly ceiling: Action;
  readonly mayModify: boolean;
  /** Whether it consists of rules alone, and none asks about what other machines counted. */
  readonly isRule: boolean;
}

/** A policy as it applies to one project, ready to judge recorded calls. Everything in it is taken as approved. */
export interface RecordedPolicy {
  readonly configuration: Configuration;
  /** As records name it. */
  readonly hash: string;
  /** Hooks that decide: enabled, waited for, and not only watching. */
  readonly registry: HookRegistry;
  readonly known: ReadonlyMap<Hook, KnownHook>;
  readonly protection: ProtectionContext;
  /** What is protected, looked up once for all calls. */
  readonly protectedPaths: () => ProtectedPaths;
  readonly asksAboutPast: boolean;
  /** The text of all rules, to find out what they depend on. */
  readonly text: string;
  /** A hash of the files that a hook runs, as they are in this policy. */
  readonly bytesOf: (hook: Hook) => string;
}

/** Prepares layers for the project at `root`. If they were read from another folder, the programs that they run are there, too. */
export function recordedPolicy(
  layers: Layers,
  root: string,
  env: ProcessEnvironment,
  folder: string = root,
): RecordedPolicy {
  const as = (text: string) => (folder === root ? text : text.replaceAll(folder, root));
  const configuration = { ...trustedConfiguration(layers, root, { env, vouching: "all" }), root };
  const protection = protectionContext({ ...configuration, hooks: configuration.written }, env);
  const guards = guardText(configuration.guardPolicy);
  const deciding = configuration.hooks.filter((hook) => hook.enabled && !hook.async && hook.mode !== "monitor");
  const registry = new HookRegistry();
  registry.loadHooks(deciding);
  const members = deciding.flatMap((hook) => (hook.parts.includes(hook) ? [hook] : [hook, ...hook.parts]));
  return {
    configuration,
    hash: policyHash(configuration),
    registry,
    known: new Map(members.map((hook) => [hook, knownHook(hook, guards, as)])),
    protection,
    protectedPaths: once(() => protectedPaths(protection)),
    asksAboutPast: members.some(asksAboutRecent),
    text: deciding
      .filter((hook) => !isGuardHook(hook))
      .map((hook) => JSON.stringify(hook))
      .join("\n"),
    bytesOf: filesHash(folder),
  };
}

/** Files that are large or cannot be read differ from all others only by their paths. */
function filesHash(folder: string): (hook: Hook) => string {
  const known = new Map<Hook, string>();
  return (hook) => {
    const hash =
      known.get(hook) ??
      fingerprint(
        filesRunBy(hook, folder)
          .files.map(({ path }) => textOf(path))
          .join("\0"),
      );
    known.set(hook, hash);
    return hash;
  };
}

function textOf(path: string): string {
  return attempt(() => (statSync(path).size > LARGEST ? "" : readRegularFile(path).toString("latin1"))) ?? "";
}

const LARGEST = 4 * 1024 * 1024;

function knownHook(hook: Hook, guards: string, as: (text: string) => string): KnownHook {
  const isPure = hook.parts.every(({ type }) => isPureKind(type));
  const said = isPure ? hook.parts.flatMap(actionsOf) : EVERYTHING;
  const text = as(JSON.stringify(hook));
  return {
    fingerprint: fingerprint(text),
    key: isGuardHook(hook) ? `${text}\n${guards}` : text,
    ceiling: said.reduce<Action>((most, one) => (STRICTNESS[one] > STRICTNESS[most] ? one : most), "continue"),
    mayModify: said.includes("modify"),
    isRule: isPure && eventsOfTeam(hook).length === 0,
  };
}

const EVERYTHING: readonly Action[] = ["deny", "modify"];

/** The actions that the rules of a hook can have; a hook that cannot be read fails, which means its `on_error`. */
function actionsOf(hook: Hook): Action[] {
  if (hook.type === "cedar") return ["deny"];
  const { written, problems } = readHookRules(hook);
  const said = written.map(({ rule: { action } }) => (action === "warn" ? "continue" : action));
  return problems.length === 0 ? said : [...said, hook.onError];
}
