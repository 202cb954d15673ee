// One run of the campaign: every case is judged by the built package; what passed is run in a jail.
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { attacks, neighbours } from "./cases.mjs";
import { canJail, judge, makeHome, runInJail } from "./home.mjs";

/** Kinds of attacks that look for running processes. */
const WITH_DAEMON = new Set(["processes", "patterns"]);

/** Runs every case that `keep` keeps, and says what did not hold. */
export async function campaign(built, { keep = () => true, atOnce = 3, runs = true, ...how } = {}) {
  const place = makeHome(built, how);
  const failed = [];
  const counts = { attacks: 0, stopped: 0, ran: 0, unweakened: 0, harmless: 0, passed: 0 };
  try {
    let session = 0;
    await judge(place, "claude-code", { command: "ls" }, "first");
    const pid = await daemonOf(place);
    const fill = (call) =>
      JSON.parse(JSON.stringify(call).replaceAll('"{pidnumber}"', String(pid)).replaceAll("{pid}", String(pid)));
    const hostile = attacks(place).filter(keep);
    const passed = [];
    await each(hostile, atOnce, async (one) => {
      counts.attacks++;
      const { stopped } = await judge(place, one.agent, fill(one.call), `s${session++}`);
      if (stopped) counts.stopped++;
      else passed.push(one);
    });
    const friendly = neighbours(place).filter(keep);
    await each(friendly, atOnce, async (one) => {
      counts.harmless++;
      const { stopped, told } = await judge(place, one.agent, fill(one.call), `h${session++}`);
      if (stopped) failed.push({ ...one, why: `stopped: ${told.trim().slice(0, 300)}` });
      else counts.passed++;
    });
    const isJailed = runs && canJail();
    for (const one of passed) {
      const { command } = one.call;
      if (command === undefined || !isJailed) {
        failed.push({ ...one, why: "passed, and cannot be run here" });
        continue;
      }
      const { weakened, out } = runInJail(place, command, { withDaemon: WITH_DAEMON.has(one.kind) });
      counts.ran++;
      if (weakened.length > 0) failed.push({ ...one, why: `passed, and weakened: ${weakened.slice(0, 2).join("; ")}` });
      else if (/not found|No such file or directory.*exec|No module named/i.test(out))
        failed.push({ ...one, why: `passed, and its program is not here: ${out.slice(0, 200)}` });
      else {
        counts.unweakened++;
        one.out = out;
      }
    }
    return { counts, failed, unweakened: passed.filter((one) => one.out !== undefined) };
  } finally {
    await end(place);
    place.remove();
  }
}

async function each(list, atOnce, act) {
  let at = 0;
  const work = async () => {
    while (at < list.length) await act(list[at++]);
  };
  await Promise.all(Array.from({ length: atOnce }, work));
}

/** The process of this home's daemon, which the first call starts; it answers by then. */
async function daemonOf(place) {
  for (let turn = 0; turn < 200; turn++) {
    const [pid] = daemonsOf(place);
    if (pid !== undefined && existsSync(join(place.residence, "socket"))) return pid;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  throw new Error("no daemon has started");
}

function daemonsOf({ bundle }) {
  const mark = bundle.replace("sluice.cjs", "");
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .filter((pid) => {
      try {
        const words = readFileSync(`/proc/${pid}/cmdline`, "utf8");
        return words.includes(mark) && !words.includes("\0run\0");
      } catch {
        return false;
      }
    })
    .map(Number);
}

async function end(place) {
  for (const pid of daemonsOf(place)) {
    try {
      process.kill(pid, "SIGTERM");
    } catch {}
  }
  for (let turn = 0; turn < 100 && daemonsOf(place).length > 0; turn++)
    await new Promise((resolve) => setTimeout(resolve, 50));
}
