import { expect, it } from "vitest";
import type { Adapter } from "../adapters/adapter.ts";
import { ADAPTERS } from "../adapters/index.ts";
import type { InstallContext } from "./install-context.ts";
import { commandLine, isOurs } from "./invocation.ts";

const AROUND = {
  sluice: ["/usr/bin/node", "/opt/sluice.cjs"],
  client: "/state/client",
  root: "/project",
} as unknown as InstallContext;
const withLines = ADAPTERS.filter(({ recipe }) => recipe !== undefined).map((adapter): [string, Adapter] => [
  adapter.id,
  adapter,
]);

it.each(withLines)(
  "a gate of %s keeps the shell that says no for it, and its other lines are still found as ours",
  (id, adapter) => {
    for (const scope of ["user", "project"] as const) {
      const [gate = "", other = ""] = [true, false].map((isGate) =>
        commandLine(adapter, scope, AROUND, { gate: isGate }),
      );
      expect(gate).toMatch(/ \|\| exit 2'?$/);
      expect(gate).not.toMatch(/exec (?!\/bin\/sh -c)/);
      expect(other).not.toContain("|| exit 2");
      expect([gate, other].map((line) => isOurs(line, id))).toEqual([true, true]);
    }
  },
);

it("a line that is no gate becomes the client, where the agent's shell is sh", () => {
  const line = (id: string, scope: "user" | "project") => {
    const [, adapter] = withLines.find(([one]) => one === id) ?? [];
    if (adapter === undefined) throw new Error(`no agent ${id}`);
    return commandLine(adapter, scope, AROUND, { gate: false });
  };
  expect(line("claude-code", "user")).toBe("exec /state/client /usr/bin/node /opt/sluice.cjs run claude-code");
  expect(line("claude-code", "project")).toMatch(/; exec "\$@" \S+\/node_modules\/\.bin\/sluice run claude-code$/);
  expect(line("codex", "user")).toBe("/state/client /usr/bin/node /opt/sluice.cjs run codex");
});
