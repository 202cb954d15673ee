import { expect, test } from "vitest";
import { HookEvent } from "../../event/event.ts";
import { callChanges } from "./call-changes.ts";

test.each<[command: string, isMutating: boolean]>([
  ["sluice check", false],
  ["sluice list --json", false],
  ["sluice why abc", false],
  ["sluice stats", false],
  ["sluice serve --status", false],
  ["sluice trust --status", false],
  ["sluice templates", false],
  ["sluice trace verify", false],
  ["sluice trace find a.ts:1", false],
  ["sluice intents --root . list", false],
  ["sluice intents --json show INT-001", false],
  ["sluice intents start --help", false],
  ["sluice intents --root . scope add INT-002 'src/**'", true],
  ["sluice intents -- scope add INT-002 'src/**'", true],
  ["sluice intents --name=x start INT-001", true],
  ["sluice --root . intents start INT-001", true],
  ["sluice trust --yes", true],
  ["sluice serve --stop", true],
])("%s changes something: %s", (command, isMutating) => {
  const changes = callChanges(HookEvent.toolPreExecute("Bash", { command }, { cwd: "/" }));
  expect(changes.isMutating).toBe(isMutating);
  const isOfIntents = isMutating && / intents /.test(command);
  expect(changes.paths.map(({ path }) => path)).toEqual(isOfIntents ? [".orchestration/active_intents.yaml"] : []);
});
