import { expect } from "vitest";
import { type Project, trustedProject } from "../cli/sluice.ts";
import { claimsOf } from "./claims.ts";

const ASKS = `hooks:
  - name: asks
    event: tool:pre_execute
    rules: 'args.command contains "deploy" -> ask("really?")'
  - name: watches
    event: tool:pre_execute
    mode: monitor
    rules: 'args.command contains "fetch" -> deny("no")'
`;

function recorded(...commands: readonly string[]): Project {
  const at = trustedProject({ ".sluice/hooks.yaml": ASKS });
  for (const command of commands)
    at.sluice("fire", "tool:pre_execute", "--tool", "Bash", "--args", JSON.stringify({ command }));
  return at;
}

claimsOf("sluice suggest", [
  {
    says: '"Nothing to suggest: no change follows from 2 calls"',
    whenTrue: () => {
      const { code, out } = recorded("ls", "make").sluice("suggest");
      expect([code, out]).toEqual([0, expect.stringContaining("Nothing to suggest: no change follows from 2 calls")]);
    },
    whenFalse: {
      "a hook that only watches would have stopped a call": () => {
        const { out } = recorded("git fetch").sluice("suggest");
        expect(out).not.toContain("Nothing to suggest");
        expect(out).toContain("It would have stopped 1 call");
      },
    },
  },
  {
    says: '"Of 1 recorded calls, 0 would pass that were stopped, and 1 would be treated more strictly."',
    whenTrue: () =>
      expect(recorded("git fetch").sluice("suggest").out).toContain(
        "Of 1 recorded calls, 0 would pass that were stopped, and 1 would be treated more strictly.",
      ),
    whenFalse: {
      "two calls would be treated more strictly": () =>
        expect(recorded("git fetch", "git fetch", "ls").sluice("suggest").out).toContain(
          "Of 3 recorded calls, 0 would pass that were stopped, and 2 would be treated more strictly.",
        ),
      "what the edit comes to cannot be told": () => {
        const secret = `ghp_${"aB3dE5gH7j".repeat(4)}`;
        const at = recorded("git fetch", `git fetch --token ${secret}`);
        expect(at.sluice("suggest").out).toMatch(
          /more strictly; 1 cannot be told\.|2 would be treated more strictly\./,
        );
      },
    },
  },
]);
