import type { Hook } from "../hook/hook.ts";
import { isGuardHook } from "../policies/guards/guard-hooks.ts";
import type { GuardPolicy } from "../policies/guards/policy.ts";
import { fingerprint } from "../trace/fingerprint.ts";
import { VERSION } from "./version.ts";

/** What decides about calls: the hooks as they are written, and what files say about guards. */
interface HashedPolicy {
  readonly written: readonly Hook[];
  readonly guardPolicy?: GuardPolicy | undefined;
}

/** Twelve digits that tell one set of hooks from another; made once for a list of hooks. */
export function policyHash({ written, guardPolicy }: HashedPolicy): string {
  const known = HASHES.get(written);
  if (known !== undefined) return known;
  const hash = fingerprint(`${VERSION}\n${guardText(guardPolicy)}\n${written.map(textOf).join("\n")}`);
  HASHES.set(written, hash);
  return hash;
}

/** What files say about guards, beyond which of their rules speak. */
export function guardText(policy: GuardPolicy | undefined): string {
  if (policy === undefined) return "";
  const { severities, exceptions, isMonitored } = policy;
  return [isMonitored ? "monitor" : "", [...severities].join(), ...exceptions.map(({ text }) => text)].join("\n");
}

const HASHES = new WeakMap<readonly Hook[], string>();

/** A guard comes from the table of this version: which of its rules speak, and how, tells it from others. */
function textOf(hook: Hook): string {
  if (!isGuardHook(hook)) return `${hook.layer} ${JSON.stringify(hook)}`;
  const rules = hook.inlineRules?.map(({ value, action }) => `${value}=${action}`) ?? [];
  return `${hook.name} ${hook.enabled} ${rules.join()}`;
}
