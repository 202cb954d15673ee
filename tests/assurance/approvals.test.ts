import { chmodSync, existsSync } from "node:fs";
import { join } from "node:path";
import { expect } from "vitest";
import { hashPin, personChannel, savePersonChannel } from "../../src/approvals/person-channel.ts";
import { type Household, household } from "../protect/household.ts";
import { claimsOf } from "./claims.ts";

const RULE =
  'hooks:\n  - { name: ask-deploy, event: "tool:pre_execute:@shell", type: inline, rules: \'args.command starts_with "make deploy" -> ask("may I")\' }\n';
const PIN = "482913";

interface Waiting extends Household {
  readonly id: string;
  /** What the agent is told about the same call now. */
  retried(): string;
}

/** A home in which a PIN is set up and a call waits. */
function waiting(pin: string | "none" = PIN): Waiting {
  const made = household();
  made.put("~/.config/sluice/hooks.yaml", RULE);
  if (pin !== "none") savePersonChannel({ pin: hashPin(pin, 16) }, placeOf(made));
  expect(made.bash("make deploy").action).toBe("ask");
  const { pending } = JSON.parse(made.sluice(["approvals", "--json"]).out) as { pending: { id: string }[] };
  return { ...made, id: pending[0]?.id ?? "", retried: () => made.bash("make deploy").action };
}

const placeOf = ({ home }: Household) => ({ env: { HOME: home }, root: "/elsewhere" });
/** Lets every user write to the state: it proves nothing any more, and is not changed. */
const opened = (made: Household) => chmodSync(join(made.home, ".local/state/sluice"), 0o777);
const approved = (made: Waiting, typed = `${PIN}\n`) => made.atTerminal(["approve", made.id], typed);
const fails = (made: Waiting, { code, out }: { readonly code: number | null; readonly out: string }, says: RegExp) => {
  expect([code === 0, says.test(out)]).toEqual([false, false]);
  expect(made.retried()).not.toBe("continue");
};

claimsOf("approve", [
  {
    says: '"Approved <id>: exactly this call, once. Tell the agent to try again."',
    whenTrue: () => {
      const made = waiting();
      expect(approved(made)).toMatchObject({ code: 0, out: expect.stringContaining(`Approved ${made.id}`) });
      expect([made.retried(), made.retried()]).toEqual(["allow", "ask"]);
    },
    whenFalse: {
      "the PIN is another one": () => {
        const made = waiting();
        fails(made, approved(made, "111111\n"), /Approved/);
      },
      "no PIN is typed": () => {
        const made = waiting();
        fails(made, approved(made, "\n"), /Approved/);
      },
      "it was denied elsewhere before": () => {
        const made = waiting();
        expect(made.sluice(["deny", made.id]).code).toBe(0);
        fails(made, approved(made), /Approved/);
      },
      "the answer cannot be stored": () => {
        const made = waiting();
        opened(made);
        fails(made, approved(made), /Approved/);
      },
    },
  },
  {
    says: '"The PIN is set up."',
    whenTrue: () => {
      const made = waiting("none");
      const { out } = made.atTerminal(["approve", "setup"], `${PIN}\n${PIN}\n`);
      expect(out).toContain("The PIN is set up.");
      expect(approved(made, "y\n").code).not.toBe(0);
      expect(approved(made)).toMatchObject({ code: 0 });
    },
    whenFalse: {
      "the second PIN is another one": () => notSetUp(`${PIN}\n482914\n`),
      "it is too short": () => notSetUp("12\n12\n"),
      "nothing is typed": () => notSetUp("\n"),
      "it cannot be stored": () => notSetUp(`${PIN}\n${PIN}\n`, opened),
    },
  },
  {
    says: '"Removed. A yes at a terminal of your own confirms from now on."',
    whenTrue: () => {
      const made = waiting();
      expect(made.atTerminal(["approve", "setup", "--remove"], `${PIN}\n`).out).toContain("Removed.");
      expect(personChannel(placeOf(made))).toBe("none");
    },
    whenFalse: {
      "the PIN is another one": () => {
        const made = waiting();
        expect(made.atTerminal(["approve", "setup", "--remove"], "111111\n").out).not.toContain("Removed");
        expect(personChannel(placeOf(made))).toMatchObject({ pin: expect.anything() });
      },
    },
  },
]);

function notSetUp(typed: string, before: (made: Household) => void = () => {}): void {
  const made = waiting("none");
  before(made);
  const { code, out } = made.atTerminal(["approve", "setup"], typed);
  expect([code === 0, /is set up/.test(out)]).toEqual([false, false]);
  expect(existsSync(join(made.home, ".local/state/sluice/approvals/person.json"))).toBe(false);
}

claimsOf("deny and approvals", [
  {
    says: '"Denied <id>. The same call is denied from now on, with your reason."',
    whenTrue: () => {
      const made = waiting();
      expect(made.sluice(["deny", made.id, "--reason", "use the mirror"]).out).toContain(`Denied ${made.id}.`);
      expect(made.bash("make deploy")).toMatchObject({
        action: "deny",
        reason: expect.stringContaining("use the mirror"),
      });
    },
    whenFalse: {
      "the request was answered before": () => {
        const made = waiting();
        expect(approved(made).code).toBe(0);
        expect(made.sluice(["deny", made.id])).toMatchObject({ code: 1, out: "" });
      },
      "the answer cannot be stored": () => {
        const made = waiting();
        opened(made);
        expect(made.sluice(["deny", made.id]).out).not.toContain("Denied");
      },
    },
  },
  {
    says: '"One answer is not in force any more."',
    whenTrue: () => {
      const made = waiting();
      expect(approved(made).code).toBe(0);
      expect(made.sluice(["approvals", "revoke", made.id]).out).toBe("One answer is not in force any more.\n");
      expect(made.retried()).toBe("ask");
    },
    whenFalse: {
      "it was used up": () => {
        const made = waiting();
        expect(approved(made).code).toBe(0);
        expect(made.retried()).toBe("allow");
        expect(made.sluice(["approvals", "revoke", made.id]).out).not.toContain("not in force");
      },
      "it cannot be ended": () => {
        const made = waiting();
        expect(approved(made).code).toBe(0);
        opened(made);
        expect(made.sluice(["approvals", "revoke", made.id]).out).not.toContain("not in force");
        // What others can write to lifts nothing.
        expect(made.retried()).toBe("ask");
      },
    },
  },
]);
