import { spawn } from "node:child_process";
import { library } from "../built.mjs";
import { rows, sideBySide, target } from "../measure.mjs";

const OURS = "executeHooks, command hook `true`";
const BARE = 'spawn("sh", ["-c", "true"])';

/** A command hook costs little more than the process it is. */
export async function runner({ quick }) {
  const package_ = await library();
  const contenders = [
    { label: BARE, times: 1, run: bareSpawn },
    { label: OURS, times: 1, run: commandHook(package_) },
  ];
  const figures = await sideBySide(contenders, { rounds: quick ? 60 : 500, warmUpMs: quick ? 200 : 1000 });
  return {
    what: "a command hook that does nothing against the bare process, both with pipes, until it is closed",
    rows: rows(figures, { unit: "ms", to: () => BARE }),
    targets: [target(figures, { what: "a command hook against a bare spawn", of: OURS, to: BARE, atMost: 1.3 })],
    notes: [],
  };
}

function bareSpawn() {
  return new Promise((resolve, reject) => {
    const child = spawn("sh", ["-c", "true"], { stdio: ["pipe", "pipe", "pipe"] });
    child.on("error", reject);
    child.on("close", (code) => resolve(code + 1));
    child.stdout.resume();
    child.stderr.resume();
    child.stdin.end();
  });
}

function commandHook({ Hook, HookEvent, HookExecutor, HookRegistry }) {
  const registry = new HookRegistry();
  registry.register(Hook.fromJSON({ event: "tool:pre_execute", command: "true" }));
  const executor = new HookExecutor({ registry });
  const event = HookEvent.toolPreExecute("bash", { command: "ls" });
  return async () => {
    const [result] = await executor.executeHooks(event);
    if (!result?.success) throw new Error(`the hook did not run: ${result?.error}`);
    return result.exitCode + 1;
  };
}
