import { expect, onTestFinished, test } from "vitest";
import { runCommand } from "../command-server/run-command.ts";
import { canaryClone } from "./canary-clone.ts";
import { CHANGED_LATER } from "./changed-later.ts";
import { NEVER_STARTED } from "./never-started.ts";

const CALL = ["fire", "tool:pre_execute:Bash", "--args", '{"command":"ls"}', "--json"];

/** A few of each class; `npm run campaign trust` takes all of them. */
const PLANTED = [
  "a hash and CI that a script that .envrc reads in sets",
  "a hash and all of a runner's names that no file that is known sets",
  "XDG_STATE_HOME moved into the project (.git/state)",
  "git: core.fsmonitor",
  "git: filter.clean for a file that .gitattributes names",
];
const CHANGED = [
  "a new script of run-parts",
  "script-shell in .npmrc",
  "imports in package.json",
  "perl -I",
  "node --env-file",
];
const UNKNOWN = ["a package of the project that a plugin imports", "git hooks"];

function cloned() {
  const clone = canaryClone(runCommand);
  onTestFinished(clone.end);
  return clone;
}

test.each(PLANTED)("%s starts nothing", (name) => {
  const scenario = NEVER_STARTED.find((one) => one.name === name);
  const clone = cloned();
  scenario?.plant(clone);
  clone.started();
  for (const args of [CALL, ["trace", "audit"]]) clone.sluice(args, { env: scenario?.env?.(clone) ?? {} });
  expect(scenario).toBeDefined();
  expect(clone.started()).toEqual([]);
});

test.each(CHANGED)("an approval does not outlive a change of %s", (name) => {
  const scenario = CHANGED_LATER.find((one) => one.name === `changed later: ${name}`);
  const clone = cloned();
  scenario?.plant(clone);
  clone.sluice(["trust", "--yes"]);
  clone.sluice(CALL);
  expect(clone.started()).toContain("approved");
  scenario?.change(clone);
  expect(clone.sluice(CALL).out).toMatch(/"action": "(?:ask|deny)"/);
  expect(clone.started()).toEqual([]);
});

test.each(UNKNOWN)("trust says that it cannot know %s", (name) => {
  const scenario = CHANGED_LATER.find((one) => one.name === `changed later: ${name}`);
  const clone = cloned();
  scenario?.plant(clone);
  expect(clone.sluice(["trust", "--status"]).out).toMatch(/loads by itself cannot be known/);
});
