import { execFileSync, spawn } from "node:child_process";
import { existsSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { shellCall } from "./call-of.mjs";
import { openTerminal } from "./terminal.mjs";

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

/** The same question while the agent shows its dialog: a person answers there or on the page, and the first answer counts. */
export const DIALOG_RUN = {
  hooks: APPROVED_RUN.hooks,
  calls: ["shell"],
  atDialog: true,
  scopes: ["user"],
  cells: {
    "an answer on the page ends the agent's dialog, and an answer in the dialog ends the request": ({ seen }) =>
      seen
        .filter(({ found, wanted }) => found !== wanted)
        .map(({ way, found, wanted }) => `${way}: ${found}, not ${wanted}`),
  },
};

/** What comes of each way to answer a question that is shown in two places. */
export async function answeredTwice({ agent, folder, place, model, env }) {
  const person = await personAtPage(place, env, { waits: true });
  const seen = [];
  for (const [way, wanted] of Object.entries({
    "approved on the page": "ran",
    "denied on the page": "denied",
    "approved in the dialog": "ran",
  })) {
    rmSync(join(place.project, MARK), { force: true });
    const call = shellCall(agent, `echo ran >> ${MARK}`, place);
    model.follow([[call]]);
    const start = agent.terminal.start(place, { url: model.url, mode: "default", folder });
    const { CI: _, ...rest } = env;
    const at = { cwd: place.project, env: { ...rest, TERM: "xterm-256color", COLORTERM: "truecolor", ...start.env } };
    const terminal = await openTerminal(join(folder, "node_modules", ".bin", agent.bin), start.args, at);
    try {
      const isShown = await terminal.until((text) => agent.terminal.dialog.test(text ?? ""), 90);
      const [request] = await person.pending();
      if (way === "approved in the dialog") await terminal.press("Enter");
      else if (request) await person.answer(request.id, way === "denied on the page" ? "deny" : "once");
      const came = await terminal.until(() => {
        if (textOf(join(place.project, MARK)) === "ran\n") return "ran";
        return model.results.main.some((text) => /denied this call/.test(text)) && "denied";
      }, 60);
      const isOpen = await terminal.until(async () => (await person.pending()).length === 0, 20);
      const found =
        isShown && request && isOpen ? (came ?? "nothing came of it") : "no dialog, no request, or one that stays";
      console.log(`${agent.id}: ${way}: ${found}`);
      seen.push({ way, wanted, found });
    } finally {
      await terminal.close();
    }
  }
  await person.stop();
  return { seen };
}

/** Serves the pages of a place as a person with a PIN has them, and approves the first request that waits there. */
export async function personAtPage(place, env, { waits = false } = {}) {
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
  let isOpen = !waits;
  const answering = (async () => {
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
      await answering;
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
