import { Hook } from "../hook/hook.ts";
import { CANARY_REASON } from "../trace/outcome.ts";

/** Names a mark; calls that hold it are denied. It can only tighten, so any caller may set it. */
export const CANARY_VARIABLE = "SLUICE_CANARY";

/** The hook that denies what `sluice doctor` makes up, when it is asked for. */
export function canaryHooks(mark: string | undefined): readonly Hook[] {
  if (mark === undefined || !/^[0-9a-f]{16}$/.test(mark)) return [];
  const rule = {
    field: "args.command",
    operator: "contains",
    value: mark,
    action: "deny",
    reason: canaryReason(mark),
  } as const;
  return [new Hook({ name: "canary", event: "tool:pre_execute", type: "inline", inline_rules: [rule] })];
}

/** The reason of such a denial. */
export function canaryReason(mark: string): string {
  return `${CANARY_REASON}${mark}`;
}
