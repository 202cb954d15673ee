import type { ContainSettings } from "../config/contain-settings.ts";
import { allBoxes, stateOf } from "../policies/contain/box-store.ts";
import { boxSupport } from "../policies/contain/probe.ts";
import { type Finding, fine, note, wrong } from "./finding.ts";

/** Whether this machine can contain calls, as a trial shows it, and what contained calls have left. */
export function examineContain(
  contain: ContainSettings | undefined,
  env: Readonly<Record<string, string | undefined>>,
): Finding[] {
  // Where nothing is to be contained, an earlier trial is good enough.
  const support = boxSupport(env, contain !== undefined);
  const boxes = allBoxes(env);
  const outside = boxes.filter(({ receipt }) => receipt?.failed?.startsWith("contain/no-receipt"));
  const waiting = boxes.filter((box) => stateOf(box) === "held" || stateOf(box) === "interrupted");
  return [
    examined(support, contain),
    ...outside
      .slice(0, MAX_SHOWN)
      .map(({ receipt, plan }) => wrong(receipt?.failed ?? "", `Look at it with: sluice inside --show ${plan.id}`)),
    ...(waiting.length === 0
      ? []
      : [
          note(
            `${waiting.length} contained ${waiting.length === 1 ? "call waits" : "calls wait"} for a person.`,
            "`sluice inside --list` shows them.",
          ),
        ]),
  ];
}

function examined(support: ReturnType<typeof boxSupport>, contain: ContainSettings | undefined): Finding {
  if ("backend" in support) {
    const made = `boxes are made by ${support.backend}: an allowed write lands, and a forbidden one does not`;
    return fine(
      contain === undefined
        ? `${made}. This line in your own configuration uses them: contain: unknown`
        : `${contain.mode === "all" ? "all" : "unknown"} calls run contained; ${made}`,
    );
  }
  const why = `this machine cannot contain calls: ${support.why}.`;
  if (contain === undefined) return note(why, support.fix);
  return wrong(`${why} Unknown calls are asked about instead.`, support.fix);
}

const MAX_SHOWN = 5;
