import { expect, it } from "vitest";
import { type AskedCall, afterUse, type Grant, grantFor } from "./grants.ts";

/** A generator of numbers that gives the same ones for the same seed. */
function random(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state ^ (state >>> 15), 0x2c1b3c6d) + 0x9e3779b9) | 0;
    return (state >>> 0) % below;
  };
}

/** What the naive reference knows of an answer: everything as text, nothing shared with the code that is checked. */
interface Known {
  readonly id: number;
  readonly kind: string;
  readonly deny: boolean;
  readonly end: number;
  readonly from: number;
  uses: number;
  readonly key: string;
  readonly askers: readonly string[];
}

const keyOf = (kind: string, call: AskedCall) =>
  [kind, kind === "input" ? call.input : call.shape, call.root, call.agent, call.session, call.policy].join("|");

/** Whether a call may pass, by looking at every answer that was ever given. */
function reference(all: readonly Known[], call: AskedCall, now: number): "denied" | "passed" | "asked" {
  const live = all.filter(({ uses, from, end }) => uses > 0 && from <= now && now < end);
  const fits = (one: Known) => one.key === keyOf(one.kind, call) && (one.kind === "input" || call.shape !== undefined);
  const denying = live.filter((one) => one.deny && fits(one));
  const allowing = live.filter(
    (one) =>
      !one.deny && fits(one) && call.action === "ask" && call.askers.every((asker) => one.askers.includes(asker)),
  );
  const exact = (list: readonly Known[]) => [...list.filter(({ kind }) => kind === "input"), ...list];
  const [chosen] = [...exact(denying), ...exact(allowing)];
  if (chosen === undefined) return "asked";
  chosen.uses--;
  return chosen.deny ? "denied" : "passed";
}

const SEQUENCES = Number(process.env.SLUICE_SEQUENCES ?? 3000);

it(`no call passes without a live answer for exactly its input or shape, in ${SEQUENCES} random sequences of asks, answers, edits, revocations and time`, () => {
  let passes = 0;
  for (let seed = 1; seed <= SEQUENCES; seed++) {
    const next = random(seed);
    const pick = <T>(...all: readonly T[]): T => all[next(all.length)] as T;
    let [now, policy, id] = [1000, "p0", 0];
    let grants: readonly Grant[] = [];
    let known: Known[] = [];
    for (let step = 0; step < 30; step++) {
      const input = pick("a", "b", "c");
      const call: AskedCall = {
        ...{ root: pick("/r", "/q"), agent: "x", session: pick("s", "t"), input, policy },
        shape: input === "c" ? undefined : "sh",
        askers: pick(["one"], ["two"], ["one", "two"]),
        action: pick("ask", "ask", "ask", "deny"),
      };
      switch (pick("ask", "ask", "answer", "answer", "edit", "revoke", "time", "back")) {
        case "ask": {
          const grant = grantFor(grants, call, now);
          const said = grant === undefined ? "asked" : grant.answer === "deny" ? "denied" : "passed";
          const expected = reference(known, call, now);
          if (said !== expected)
            throw new Error(`sequence ${seed}, step ${step}: ${said}, and the reference ${expected}`);
          if (grant !== undefined) grants = afterUse(grants, grant);
          if (said === "passed") passes++;
          break;
        }
        case "answer": {
          const on = call.shape === undefined ? "input" : pick<"input" | "shape">("input", "shape");
          const deny = next(5) === 0;
          const [uses, end] = [1 + next(3), now + pick(5, 50, 500)];
          const bound = { root: call.root, agent: call.agent, session: call.session, policy: call.policy };
          const key = on === "input" ? call.input : (call.shape ?? "");
          const askers = deny ? {} : { askers: call.askers };
          grants = [
            ...grants,
            {
              id: String(++id),
              answer: deny ? "deny" : "allow",
              on,
              key,
              label: "",
              lifts: "ask",
              at: now,
              until: end,
              left: uses,
              by: "",
              channel: "",
              ...bound,
              ...askers,
            },
          ];
          known.push({ id, kind: on, deny, from: now, end, uses, key: keyOf(on, call), askers: call.askers });
          break;
        }
        case "edit":
          policy = `p${next(3)}`;
          break;
        case "revoke": {
          const gone = 1 + next(id + 1);
          grants = grants.filter((grant) => grant.id !== String(gone));
          known = known.filter((one) => one.id !== gone);
          break;
        }
        case "time":
          now += pick(1, 10, 100);
          break;
        case "back":
          now -= pick(0, 3);
          break;
      }
    }
  }
  expect(passes).toBeGreaterThan(SEQUENCES / 10);
}, 120_000);
