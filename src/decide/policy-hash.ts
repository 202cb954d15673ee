import type { Hook } from "../hook/hook.ts";
import { isGuardHook } from "../policies/guards/guard-hooks.ts";
import type { GuardPolicy } from "../policies/guards/policy.ts";
import { fingerprint } from "../trace/fingerprint.ts";
import { VERSION } from "./version.ts";

/** What decides about calls: the hooks as they are written, and the settings of guards. */
interface HashedPolicy {
  readonly written: readonly Hook[];
  readonly guardPolicy?: GuardPolicy | undefined;
}

/** Twelve digits that identify a set of hooks; computed once for a list of hooks. */
export function policyHash({ written, guardPolicy }: HashedPolicy): string {
  const known = HASHES.get(written);
  if (known !== undefined) return known;
  const hash = fingerprint(`${VERSION}\n${guardText(guardPolicy)}\n${written.map(textOf).join("\n")}`);
  HASHES.set(written, hash);
  return hash;
}

/** Settings of guards, beyond which of their rules are active. */
export function guardText(policy: GuardPolicy | undefined): string {
  if (policy === undefined) return "";
  const { severities, exceptions, isMonitored } = policy;
  return [isMonitored ? "monitor" : "", [...severities].join(), ...exceptions.map(({ text }) => text)].join("\n");
}

const HASHES = new WeakMap<readonly Hook[], string>();

/** A guard comes from the table of this version: it is identified by its active rules and their severity. */
function textOf(hook: Hook): string {
  if (!isGuardHook(hook)) return `${hook.layer} ${JSON.stringify(hook)}`;
  const rules = hook.inlineRules?.map(({ value, action }) => `${value}=${action}`) ?? [];
  return `${hook.name} ${hook.enabled} ${rules.join()}`;
}
