import { appendFileSync, existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { CONTROLS } from "../../src/ship/evidence-controls.ts";
import { claimsOf } from "../assurance/claims.ts";
import { type Project, project } from "../cli/sluice.ts";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));
const RULE =
  'hooks: [{ name: a, event: "tool:pre_execute", rules: "args.command equals \\"x\\" -> deny(\\"no <b>\\")" }]\n';

/** A machine with two recorded calls of an agent, one of them denied. */
function recorded(): Project {
  const here = project({ ".sluice/hooks.yaml": RULE });
  for (const command of ["x", "ls"])
    here.sluice("fire", "tool:pre_execute", "--tool", "bash", "--args", JSON.stringify({ command }));
  return here;
}
const evidenceOf = ({ root }: Project) => JSON.parse(readFileSync(join(root, "evidence.json"), "utf8"));
const journalOf = ({ home }: Project) => {
  const folder = join(home, ".state/sluice/decisions");
  return join(folder, readdirSync(folder).find((name) => name.endsWith(".jsonl")) ?? "");
};

describe("sluice evidence", () => {
  it("counts decisions and names the policies that were in force, signed", () => {
    const here = recorded();
    const { code, out } = here.sluice("evidence", "--since", "1d");
    expect([code, out]).toEqual([0, expect.stringContaining("2 calls")]);
    const { evidence } = evidenceOf(here);
    expect(evidence.calls).toEqual({ total: 2, by_action: { deny: 1, continue: 1 } });
    expect(evidence.policies).toMatchObject([{ policy: expect.stringMatching(/^[0-9a-f]{8,}/), calls: 2 }]);
    expect(evidence.bundle).toBeNull();
    expect(here.sluice("evidence", "verify", "evidence.json").code).toBe(0);
  });

  it("lists what persons let pass, as it was recorded, and shows no markup of theirs", () => {
    const here = recorded();
    const act = {
      v: 1,
      id: "abcdef",
      time: new Date().toISOString(),
      kind: "skipped",
      event: "approve",
      action: "continue",
    };
    const note = "<script>alert(1)</script> approved once, at a terminal.";
    appendFileSync(
      journalOf(here),
      `${JSON.stringify({ ...act, reasons: [], results: [], notes: [note], event_json: {}, duration_ms: 0 })}\n`,
    );
    expect(here.sluice("evidence").code).toBe(0);
    expect(evidenceOf(here).evidence.approvals).toMatchObject([{ act: "approve", record: "abcdef", text: [note] }]);
    const page = readFileSync(join(here.root, "evidence.html"), "utf8");
    expect(page).toContain("&#60;script&#62;alert(1)");
    expect(page).not.toContain("<script>alert(1)");
  });

  it("takes only what happened since then", () => {
    const here = recorded();
    expect(here.sluice("evidence", "--since", "2099-01-01").code).toBe(0);
    expect(evidenceOf(here).evidence.calls.total).toBe(0);
  });

  it("is signed by the key that is named", () => {
    const here = recorded();
    const { public: key } = JSON.parse(here.sluice("bundle", "keygen", "--out", "key.pem", "--json").out);
    expect(here.sluice("evidence", "--key", "key.pem").code).toBe(0);
    expect(here.sluice("evidence", "verify", "evidence.json", "--public", key).code).toBe(0);
  });

  it("claims nothing that no test of this repository would notice", () => {
    for (const { id, claim, tests } of Object.values(CONTROLS).flat()) {
      expect([id, tests.length > 0]).toEqual([id, claim !== undefined]);
      expect([id, tests.filter((file) => !existsSync(join(ROOT, file)))]).toEqual([id, []]);
    }
  });
});

claimsOf("sluice evidence", [
  {
    says: "exit 0: everything that was recorded is in it",
    whenTrue: () => expect(recorded().sluice("evidence").code).toBe(0),
    whenFalse: {
      "a line of the journal cannot be read": () => {
        const here = recorded();
        appendFileSync(journalOf(here), '{"v":1,"id":"torn\n{}\n');
        expect(here.sluice("evidence")).toMatchObject({ code: 1, err: expect.stringContaining("could not be read") });
      },
    },
  },
  {
    says: "evidence.json is what ed25519:… signed",
    whenTrue: () => {
      const here = recorded();
      here.sluice("evidence");
      expect(here.sluice("evidence", "verify", "evidence.json").out).toContain("is what ed25519:");
    },
    whenFalse: {
      "a number in it was changed": () => {
        const here = recorded();
        here.sluice("evidence");
        const path = join(here.root, "evidence.json");
        writeFileSync(path, readFileSync(path, "utf8").replace('"total": 2', '"total": 1'));
        expect(here.sluice("evidence", "verify", "evidence.json")).toMatchObject({ code: 1, out: "" });
      },
      "another key signed it": () => {
        const here = recorded();
        here.sluice("evidence");
        const other = JSON.parse(here.sluice("bundle", "keygen", "--out", "key.pem", "--json").out).public;
        const { code, err } = here.sluice("evidence", "verify", "evidence.json", "--public", other);
        expect([code, err.includes("another key")]).toEqual([1, true]);
      },
      "it is another file": () => {
        const here = recorded();
        writeFileSync(join(here.root, "x.json"), '{"evidence":{"format":"sluice-evidence/1"}}');
        expect(here.sluice("evidence", "verify", "x.json").code).toBe(1);
      },
    },
  },
]);
