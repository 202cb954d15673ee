import { PLUGIN_PROJECT_DIR, type Scope } from "./recipe.ts";

/** How a plugin calls us. */
export interface ShimCall {
  readonly words: readonly string[];
  /** A plugin of a project passes on where the project is: two folders above its own. */
  readonly scope: Scope;
}

/**
 * The part of every plugin that asks Sluice: one process for each call, with a time limit.
 * The answer is an object; if it is unknown whether a gate is open, there is an error instead.
 */
export function callSluice({ words, scope }: ShimCall): string {
  const isProject = scope === "project";
  const paths = isProject ? 'import { dirname } from "node:path";\nimport { fileURLToPath } from "node:url";\n' : "";
  const project = `dirname(dirname(dirname(fileURLToPath(import.meta.url))))`;
  const env = isProject ? `{ ...process.env, ${PLUGIN_PROJECT_DIR}: ${project} }` : "process.env";
  return `import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
${paths}
const SLUICE = ${JSON.stringify(words)};
const ENV = ${env};

/** Sluice's answer. At a gate, any other end than an answer is an error, and an error keeps the gate shut. */
async function answerOf(payload, { gate, seconds }) {
  const { code, stdout, stderr } = await call(payload, seconds * 1000);
  try {
    if (code !== 0) throw new Error(whyGone() || stderr);
    const answer = JSON.parse(stdout);
    if (typeof answer !== "object" || answer === null) throw new Error("no object");
    if (gate && typeof answer.action !== "string") throw new Error("no action");
    return answer;
  } catch (error) {
    if (!gate) return {};
    throw code === 0 ? new Error("Sluice's answer cannot be read (" + error.message + "); run sluice doctor to find out why") : error;
  }
}

/** A package that was removed shows as a trace of Node's. */
function whyGone() {
  const gone = SLUICE.find((word) => /^\\/.*\\.c?js$/.test(word) && !existsSync(word));
  return gone && "Sluice is gone (" + gone + "), so nothing was decided. Install its package again, then: sluice install";
}

function call(payload, milliseconds) {
  return new Promise((resolve) => {
    const text = JSON.stringify(payload);
    const [program, ...words] = SLUICE;
    const child = spawn(program, words, { stdio: ["pipe", "pipe", "pipe"], env: ENV });
    let stdout = "";
    let stderr = "";
    const end = (code, why) => {
      clearTimeout(limit);
      resolve({ code, stdout, stderr: stderr.trim() || why });
    };
    const limit = setTimeout(() => {
      child.kill("SIGTERM");
      setTimeout(() => child.kill("SIGKILL"), 2000).unref();
      stderr = "";
      end(null, "Sluice did not answer in time; run sluice doctor to find out why");
    }, milliseconds);
    child.stdout.setEncoding("utf8").on("data", (part) => {
      stdout += part;
    });
    child.stderr.setEncoding("utf8").on("data", (part) => {
      stderr += part;
    });
    child.on("error", (error) => end(null, "Sluice could not be started: " + error.message));
    child.on("close", (code) => end(code, "Sluice ended without an answer; run sluice doctor to find out why"));
    // A process that Sluice has started may keep the pipes open.
    child.on("exit", (code) => setTimeout(end, 500, code, "Sluice ended without an answer; run sluice doctor to find out why"));
    child.stdin.on("error", () => {});
    child.stdin.end(text);
  });
}
`;
}

/** What a plugin has to know about one hook event. */
export interface ShimHookEvent {
  readonly gate: boolean;
  readonly seconds: number;
}
