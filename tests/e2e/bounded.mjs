import { spawn } from "node:child_process";

/** Runs a program with a time limit; at its end nothing of its process group is left, nor when this process is ended. */
export function bounded(program, args, { cwd, env, seconds }) {
  return new Promise((resolve) => {
    const child = spawn(program, args, { cwd, env, detached: true, stdio: ["ignore", "pipe", "pipe"] });
    const output = { stdout: "", stderr: "" };
    let late = false;
    running.add(child.pid);
    for (const name of ["stdout", "stderr"]) {
      child[name].setEncoding("utf8").on("data", (text) => {
        output[name] = (output[name] + text).slice(-100_000);
      });
    }
    const timer = setTimeout(() => {
      late = true;
      endGroup(child.pid);
    }, seconds * 1000);
    child.on("error", ({ message }) => resolve({ ...output, stderr: message, code: null, late }));
    child.on("exit", (code) => {
      clearTimeout(timer);
      endGroup(child.pid);
      setTimeout(() => resolve({ ...output, code, late }), 50);
    });
  });
}

function endGroup(pid) {
  running.delete(pid);
  try {
    process.kill(-pid, "SIGKILL");
  } catch {
    // The whole group has gone by itself.
  }
}

const running = new Set();
process.on("exit", () => {
  for (const pid of running) if (pid) endGroup(pid);
});
for (const signal of ["SIGINT", "SIGTERM"]) process.on(signal, () => process.exit(130));
