import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "vitest";
import { bundleOf, denying, keyPair } from "../bundle/bundle-host.ts";
import { type Project, project } from "../cli/sluice.ts";
import { claimsOf } from "./claims.ts";

const RULE = `hooks:\n  - { name: gate, event: tool:pre_execute, rules: 'args.command contains "x" -> deny("no")' }\n`;
const COMMAND = "hooks:\n  - { name: runs, event: tool:pre_execute, command: sh check.sh }\n";

/** A project whose hooks were approved and accepted. */
function accepted(hooks: string): Project {
  const made = project({ ".sluice/hooks.yaml": hooks, "check.sh": "exit 0\n" });
  expect(made.sluice("trust", "--yes").code).toBe(0);
  return made;
}
const status = (made: Project) => made.sluice("trust", "--status").code;

claimsOf("trust", [
  {
    says: "`sluice trust --status` ends with 0",
    whenTrue: () => expect(status(accepted(RULE))).toBe(0),
    whenFalse: {
      "a gate that was enforced is deleted": () => {
        const made = accepted(RULE);
        rmSync(join(made.root, ".sluice"), { recursive: true });
        expect(status(made)).toBe(1);
      },
      "the list of hooks is empty": () => {
        const made = accepted(RULE);
        writeFileSync(join(made.root, ".sluice/hooks.yaml"), "hooks: []\n");
        expect(status(made)).toBe(1);
      },
      "an approved script has changed": () => {
        const made = accepted(COMMAND);
        writeFileSync(join(made.root, "check.sh"), "exit 1\n");
        expect(status(made)).toBe(1);
      },
      "the approvals are deleted": () => {
        const made = accepted(COMMAND);
        rmSync(join(made.home, ".state/sluice/trust"), { recursive: true });
        expect(status(made)).toBe(1);
      },
    },
  },
]);

const ours = keyPair();
const verified = (packed: Buffer, key = ours.publicKey) => {
  const made = project();
  writeFileSync(join(made.root, "b.tar.gz"), packed);
  return made.sluice("bundle", "verify", "b.tar.gz", "--public", key).code;
};

claimsOf("bundle", [
  {
    says: "`sluice bundle verify` ends with 0",
    whenTrue: () => expect(verified(bundleOf(denying("a"), { keys: [ours.key] }).packed)).toBe(0),
    whenFalse: {
      "another key has signed it": () =>
        expect(verified(bundleOf(denying("a"), { keys: [ours.key] }).packed, keyPair().publicKey)).not.toBe(0),
      "it is cut": () =>
        expect(verified(bundleOf(denying("a"), { keys: [ours.key] }).packed.subarray(0, 200))).not.toBe(0),
    },
  },
]);
