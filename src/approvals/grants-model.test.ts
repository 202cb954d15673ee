import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { cases } from "../../tests/cases.ts";
import { HookExecutor } from "../engine/executor.ts";
import { HookEvent } from "../event/event.ts";
import { HookRegistry } from "../registry/registry.ts";
import { type AskedCall, afterUse, type Grant, grantFor } from "./grants.ts";
import { addRequest, answerRequests, revoke, settleInAgent, useGrant } from "./requests.ts";
import { changeApprovals } from "./store.ts";

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

const SEQUENCES = cases(3000, 100_000);

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
}, 3_600_000);

const STORED = cases(25, 3000);

it(`the same holds for answers that are stored, where processes add, answer, use and end them, in ${STORED} sequences`, async () => {
  const home = mkdtempSync(join(tmpdir(), "grants-"));
  onTestFinished(() => rmSync(home, { recursive: true, force: true }));
  const place = { env: { HOME: home }, root: "/elsewhere" };
  const event = HookEvent.toolPreExecute("Bash", { command: "make deploy" }, { sessionId: "s", cwd: "/r" });
  const continued = await new HookExecutor({ registry: new HookRegistry() }).decide(event);
  const decision = { ...continued, action: "ask" as const, reasons: ["may I"] };
  let passes = 0;
  for (let seed = 1; seed <= STORED; seed++) {
    const next = random(seed);
    const pick = <T>(...all: readonly T[]): T => all[next(all.length)] as T;
    changeApprovals(place, () => [{ requests: [], grants: [] }, true]);
    let [now, policy] = [Date.now(), "p0"];
    const known = new Map<string, Known>();
    for (let step = 0; step < 30; step++) {
      const input = pick("a", "b", "c");
      const call: AskedCall = {
        ...{ root: pick("/r", "/q"), agent: "x", session: pick("s", "t"), input, policy },
        ...{
          shape: input === "c" ? undefined : "sh",
          askers: pick(["one"], ["one", "two"]),
          action: pick("ask", "deny"),
        },
      };
      switch (pick("ask", "ask", "answer", "answer", "edit", "revoke", "time", "run")) {
        case "ask": {
          const used = useGrant(call, place, now);
          // What is denied, used up or expired on disk is stricter than the reference; nothing is looser.
          const said = reference([...known.values()], call, now);
          if (used?.answer !== "allow") break;
          if (said !== "passed") throw new Error(`sequence ${seed}, step ${step}: passed, and the reference ${said}`);
          passes++;
          break;
        }
        case "answer": {
          const request = addRequest(decision, { ...call, isShown: next(2) === 0 }, place, now);
          const on = pick<"input" | "shape">("input", "shape");
          const [deny, times, forMs] = [next(5) === 0, 1 + next(3), pick(5, 50, 500)];
          const answer = deny ? ({ answer: "deny" } as const) : ({ answer: "allow", on, times, forMs } as const);
          const ids = [request?.id ?? "", pick("", "ffffff")];
          const [given] = answerRequests(ids, answer, { by: "ada", channel: "here" }, place, now) ?? [];
          if (given === undefined) throw new Error(`sequence ${seed}, step ${step}: the request is gone`);
          const kind = deny || given.shapeKey === undefined ? "input" : on;
          const [end, uses] = deny ? [now + 30 * 60_000, 100] : [now + forMs, times];
          known.set(given.id, { id: 0, kind, deny, from: now, end, uses, key: keyOf(kind, call), askers: call.askers });
          break;
        }
        case "edit":
          policy = `p${next(3)}`;
          break;
        case "revoke": {
          const id = pick(...known.keys(), "all", "none");
          revoke(id, place);
          if (id === "all") known.clear();
          else known.delete(id);
          break;
        }
        case "time":
          now += pick(1, 10, 100);
          break;
        case "run":
          settleInAgent(event, place, now);
          break;
      }
    }
  }
  expect(passes).toBeGreaterThan(STORED / 10);
}, 3_600_000);
