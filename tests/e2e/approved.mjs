import { execFileSync, spawn } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { shellCall } from "./call-of.mjs";

const SLUICE = fileURLToPath(new URL("../../dist/sluice.cjs", import.meta.url));
const PIN = "482913";

/** A hook asks about a shell call, which the agent cannot show; a person approves it on the page, and the model tries again. */
export const APPROVED_RUN = {
  hooks: () => [
    { name: "asks", event: "tool:pre_execute:@shell", rules: `args.command contains "${MARK}" -> ask("may I")` },
  ],
  calls: ["shell"],
  answers: "once",
  // The second call waits until the person has answered the first, and the third is one too many.
  script: (agent, place) =>
    [0, SECONDS, 0].map((afterSeconds) => [{ ...shellCall(agent, `echo ran >> ${MARK}`, place), afterSeconds }]),
  cells: {
    "an approval on the page lets the retry pass, once": ({ place, model, answered }) => {
      const [first = "", second = "", third = ""] = model.results.main;
      return [
        ...(answered.length === 1 ? [] : [`the page approved ${answered.length} requests`]),
        ...(WAITS.test(first) ? [] : [`the first call was told: ${first.slice(0, 300)}`]),
        ...(WAITS.test(second) ? [`the retry was told: ${second.slice(0, 300)}`] : []),
        ...(WAITS.test(third) ? [] : [`the third call was told: ${third.slice(0, 300)}`]),
        ...(textOf(join(place.project, MARK)) === "ran\n" ? [] : ["the command did not run once"]),
      ];
    },
  },
};

/** Serves the pages of a place as a person with a PIN has them, and approves the first request that waits there. */
export async function personAtPage(place, env) {
  const line = `'${process.execPath}' '${SLUICE}' approve setup`;
  const at = { cwd: place.project, env: { ...env, CI: "" } };
  execFileSync("script", ["-qec", line, "/dev/null"], {
    ...at,
    input: `${PIN}\n${PIN}\n`,
    stdio: ["pipe", "ignore", "ignore"],
  });
  const child = spawn(process.execPath, [SLUICE, "ui", "--json", "--no-open"], {
    ...at,
    stdio: ["ignore", "pipe", "ignore"],
  });
  const { url, code } = JSON.parse(await firstLine(child.stdout));
  const { origin } = new URL(url);
  const headers = { "content-type": "application/json", origin };
  const login = await fetch(`${origin}/login`, { method: "POST", headers, body: JSON.stringify({ code }) });
  const [cookie] = login.headers.get("set-cookie").split(";");
  const own = { ...headers, cookie, "x-sluice-key": (await login.json()).key };
  const pending = async () => (await (await fetch(`${origin}/api/requests`, { headers: own })).json()).pending;
  const answer = async (id, choice) => {
    const body = JSON.stringify({ id, answer: choice, pin: PIN });
    return (await fetch(`${origin}/api/requests/answer`, { method: "POST", headers: own, body })).ok;
  };
  const answered = [];
  let isOpen = true;
  const waits = (async () => {
    while (isOpen && answered.length === 0) {
      const [request] = await pending();
      if (request && (await answer(request.id, "once"))) answered.push(request.id);
      await sleep(200);
    }
  })();
  return {
    answered,
    pending,
    answer,
    stop: async () => {
      isOpen = false;
      await waits;
      child.kill("SIGTERM");
    },
  };
}

function textOf(path) {
  return existsSync(path) ? readFileSync(path, "utf8") : "";
}

async function firstLine(stream) {
  let text = "";
  for await (const piece of stream) {
    text += piece;
    if (text.includes("\n")) return text;
  }
  throw new Error("sluice ui ended");
}

const MARK = "approved.txt";
const SECONDS = 15;
const WAITS = /waiting for approval/;
