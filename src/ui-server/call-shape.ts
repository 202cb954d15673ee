import { whyNotLifted } from "../approvals/asked-call.ts";
import { inputShape } from "../approvals/input-shape.ts";
import type { DecisionRecord } from "../trace/record.ts";
import { recordedEvent } from "../trace/recorded-event.ts";
import type { SourceRecord } from "./call-source.ts";
import type { CallDetail } from "./wire.ts";

/** What a recorded call has in common with others like it. */
export function shapeOf(record: DecisionRecord): string {
  const event = recordedEvent(record);
  return event === undefined ? (record.tool ?? record.event) : inputShape(event);
}

/** What a person may do about an objection, as `sluice why` reports it. */
export function mayPass({ call, action, results, machine }: SourceRecord): CallDetail["may"] {
  // What passes on a machine is decided there.
  if (machine !== undefined) return { once: false, always: false };
  const objecting = results.filter((result) => result.action === action && action !== "continue");
  const isFirm =
    objecting.length === 0 ||
    objecting.some(
      ({ hook, layer, code }) => whyNotLifted({ hook: { name: hook, layer }, code }, action) !== undefined,
    );
  const isGuards = objecting.every(({ hook, file }) => file === undefined && hook.startsWith("guard:"));
  return { once: call !== undefined && !isFirm, always: call !== undefined && !isFirm && isGuards };
}
