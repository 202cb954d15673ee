import { milliseconds } from "../event/clock.ts";
import type { Happened, Remembered } from "../decide/answer.ts";
import { callHash } from "../policies/protect/call-hash.ts";
import { remember as rememberDecision, rememberMoment } from "../trace/remember.ts";
import { behindNote } from "./background-run.ts";
import type { Io } from "./io.ts";

/** Writes a call into the journal, with the id of what goes on behind it; it is redacted there. */
export function remember(
  happened: Happened,
  io: Pick<Io, "cwd" | "env" | "resident">,
  began: number,
  behind?: string,
): Remembered {
  const { id, problem } = written(happened, io, milliseconds() - began, behind);
  return problem === undefined ? { id } : { lost: problem.format() };
}

function written(
  happened: Happened,
  { cwd, env, resident }: Pick<Io, "cwd" | "env" | "resident">,
  durationMs: number,
  behind: string | undefined,
) {
  if (happened.kind === "decided") {
    const { decision, notes, told, native, said, root } = happened;
    const fitted = said.action === decision.action ? undefined : { action: said.action, note: notes.join("; ") };
    return rememberDecision(decision, {
      env,
      agent: native.adapter.id,
      root,
      durationMs,
      notes: behind === undefined ? notes : [...notes, behindNote(behind)],
      fitted,
      problems: told,
      isResident: resident !== undefined,
      call:
        isObjection(said.action) && decision.event.type === "tool:pre_execute" ? callHash(decision.event) : undefined,
    });
  }
  const { call, why } = happened;
  switch (call.kind) {
    case "nothing":
      return rememberMoment({ env, cwd, kind: "unreadable", action: "deny", reasons: [why] });
    case "unknown moment": {
      const { adapter, name, payload } = call;
      return rememberMoment({
        env,
        cwd,
        kind: "unknown_moment",
        agent: adapter.id,
        event: name,
        action: "continue",
        notes: [why],
        payload,
      });
    }
    case "event":
    case "unreadable": {
      const { adapter, name, payload } = call.native;
      return rememberMoment({
        env,
        cwd,
        kind: "unreadable",
        agent: adapter.id,
        event: name,
        action: "deny",
        reasons: [why],
        payload,
      });
    }
  }
}

function isObjection(action: string): boolean {
  return action === "deny" || action === "ask";
}
