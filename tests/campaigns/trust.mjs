// Opens clones that bring programs along, and looks whether one of them starts: `npm run campaign trust [part of a name] [share, as 1/4]`.
// Ends with 1 where one did, where the command did not end, or where an approved hook ran after a file that it runs had changed.
// All of it takes a quarter of an hour; each scenario is told with its seconds when it is done.
import { loadSource } from "../../scripts/load-source.mjs";

const [part = "", share = "1/1"] = process.argv.slice(2);
const [nth, of] = share.split("/").map(Number);
const root = process.cwd();
const { canaryClone, NEVER_STARTED, COMMANDS, CHANGED_LATER } = await loadSource(root, [
  "../tests/trust/canary-clone.ts",
  "../tests/trust/never-started.ts",
  "../tests/trust/changed-later.ts",
]);
const PAYLOAD = { hook_event_name: "PreToolUse", session_id: "s", tool_name: "Bash", tool_input: { command: "ls" } };
const failures = [];
let [turn, scenarios, runs] = [0, 0, 0];

for (const { name, plant, env, only = COMMANDS } of NEVER_STARTED.filter(({ name }) => name.includes(part)))
  inClone(name, (clone) => {
    plant(clone);
    clone.started();
    const input = JSON.stringify({ ...PAYLOAD, cwd: clone.root });
    for (const args of only) {
      const { code } = clone.sluice(args, { env: env?.(clone), input });
      runs++;
      if (code === null) failed(name, `sluice ${args.join(" ")} did not end`);
      const started = clone.started();
      if (started.length > 0) failed(name, `sluice ${args.join(" ")} started ${started.join()}`);
    }
  });

for (const { name, plant, change, told } of CHANGED_LATER.filter(({ name }) => name.includes(part)))
  inClone(name, (clone) => {
    plant(clone);
    const call = () => clone.sluice(["fire", "tool:pre_execute:Bash", "--args", '{"command":"ls"}', "--json"]);
    const shown = clone.sluice(["trust", "--yes"]);
    const approved = call();
    if (!clone.started().includes("approved"))
      failed(name, `did not run once approved: ${shown.out}${shown.err}${approved.out}`);
    change(clone);
    const { out, err } = call();
    runs += 3;
    if (told?.test(shown.out + shown.err)) return;
    if (clone.started().includes("changed"))
      failed(name, "ran what was not approved, and trust had not said that it cannot know");
    else if (!/"action": "(ask|deny)"/.test(out)) failed(name, `let the call pass: ${out}${err}`);
  });

console.log(`${scenarios} scenarios, ${runs} runs of the command, ${failures.length} failures`);
process.exit(failures.length === 0 ? 0 : 1);

function inClone(name, act) {
  if (turn++ % of !== nth - 1) return;
  scenarios++;
  const began = performance.now();
  const clone = canaryClone();
  try {
    act(clone);
  } catch (error) {
    failed(name, `could not be tried: ${error.stack}`);
  } finally {
    clone.end();
    console.log(`${scenarios}. ${name}: ${((performance.now() - began) / 1000).toFixed(1)} s`);
  }
}

function failed(name, what) {
  failures.push(name);
  console.log(`${name}: ${what}`);
}
