import { spawnSync } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { processesOf } from "../../scripts/soak-watch.mjs";
import { launchDaemon } from "../../src/server/launch.ts";
import { runCommand } from "../command-server/run-command.ts";
import { BEST, COLD, type DaemonHome, daemonHome, patientHome, sharedHome, shellCall } from "./daemon-home.ts";
import { HOOKS } from "./hooks.ts";

/** The command as a person calls it. */
function sluice({ root, env }: DaemonHome, ...args: string[]) {
  return runCommand(args, { cwd: root, env });
}

/** The same in a process of its own, which a daemon would stay in. */
function started({ root, env }: DaemonHome, ...args: string[]) {
  const [program, launcher] = COLD;
  const { status, stdout, stderr } = spawnSync(program, [launcher, ...args], { cwd: root, env, encoding: "utf8" });
  return { code: status, out: stdout, err: stderr };
}

/** What starting node costs was measured here before; measuring it starts node some times. */
function knowStart({ runtimeDir: { folder } }: DaemonHome): void {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  writeFileSync(join(folder, "start"), `${process.version} 40\n`, { mode: 0o600 });
}

it("install puts the client in front, doctor fires its canary through it, and both find it again", async () => {
  const at = patientHome(HOOKS, BEST);
  expect(sluice(at, "install", "claude-code", "--yes").code).toBe(0);
  expect(readFileSync(join(at.home, ".claude/settings.json"), "utf8")).toContain(
    `${at.words.join(" ")} run claude-code || exit 2`,
  );
  await at.warm();
  const { code, out } = sluice(at, "doctor", "--json");
  const { examined } = JSON.parse(out) as { examined: { subject: string; findings: { what: string }[] }[] };
  const said = (subject: string) => examined.find((one) => one.subject === subject)?.findings.map(({ what }) => what);
  expect(said("claude-code")).toContainEqual(expect.stringMatching(/^canary: denied in/));
  expect(said("Daemon")).toEqual([
    `agents ask through the ${BEST} client${BEST === "native" ? ", compiled here" : ""}`,
    expect.stringMatching(
      /^the daemon runs as process \d+, with [1-9]\d* calls? so far; `sluice serve --stop` ends it$/,
    ),
  ]);
  expect(code).toBe(0);
  expect(sluice(at, "install", "claude-code", "--yes").out).toContain("Nothing to do");
  expect(sluice(at, "uninstall", "claude-code", "--yes")).toMatchObject({
    code: 0,
    out: expect.stringContaining("The daemon has stopped"),
  });
  expect(sluice(at, "serve", "--status").code).toBe(1);
});

it("serve says whether a daemon runs, ends it, and is content when there is one already", async () => {
  const at = daemonHome(HOOKS, BEST);
  expect(sluice(at, "serve", "--status")).toMatchObject({ code: 1, out: expect.stringContaining("No daemon") });
  const pid = await at.warm();
  expect(JSON.parse(sluice(at, "serve", "--status", "--json").out)).toMatchObject({ running: true, pid });
  expect(started(at, "serve")).toMatchObject({ code: 0, err: expect.stringContaining("running already") });
  expect(sluice(at, "serve", "--stop").out).toBe("The daemon has stopped.\n");
  expect(sluice(at, "serve", "--status").code).toBe(1);
});

it("serve --stop also ends a daemon that is just starting, and returns when its process has ended", async () => {
  const at = daemonHome(HOOKS);
  launchDaemon(COLD, at.env);
  expect(sluice(at, "serve", "--stop").out).toBe("The daemon has stopped.\n");
  expect(processesOf(at.home)).toEqual([]);
  expect(sluice(at, "serve", "--stop").out).toBe("No daemon is running.\n");
});

const shared = sharedHome(BEST);

it.runIf(process.platform === "linux")(
  "the daemon shows as sluice, so that `killall node` leaves it alone",
  async () => {
    const pid = await shared().warm();
    expect(readFileSync(`/proc/${pid}/comm`, "utf8").trim()).toBe("sluice");
  },
);

it("stats tells what hooks took and said, and which broke and let a call pass", async () => {
  const broken = "  - name: broken\n    matcher: { events: [PreToolUse] }\n    command: exit 7\n";
  const at = daemonHome(HOOKS + broken);
  const call = (line: string, env = {}) =>
    runCommand(["run", "claude-code", "--cold"], {
      cwd: at.root,
      env: { ...at.env, ...env },
      input: JSON.stringify(shellCall(at.root, line)),
    });
  for (const line of ["rmm x", "make x"]) call(line);
  // What `sluice doctor` makes up does not count.
  const mark = "0123456789abcdef";
  call(`true ${mark}`, { SLUICE_CANARY: mark });
  knowStart(at);
  const { out } = sluice(at, "stats", "--json");
  const { projects } = JSON.parse(out) as { projects: { root: string; calls: number; hooks: { hook: string }[] }[] };
  expect(projects).toMatchObject([{ root: at.root, calls: 2, resident: 0 }]);
  expect(projects[0]?.hooks).toContainEqual(expect.objectContaining({ hook: "no-rmm", calls: 2, denials: 1 }));
  expect(projects[0]?.hooks).toContainEqual(expect.objectContaining({ hook: "no-rmm", denials: 1, asks: 1 }));
  expect(projects[0]?.hooks).toContainEqual(expect.objectContaining({ hook: "broken", failures: 2, failOpens: 2 }));
  expect(sluice(at, "stats").out).toContain("broken failed and let calls pass");
});

it("stats knows which calls the daemon decided", async () => {
  const at = shared(HOOKS);
  await at.warm();
  at.call(JSON.stringify(shellCall(at.root, "rmm x")));
  knowStart(at);
  expect(JSON.parse(sluice(at, "stats", "--json").out)).toMatchObject({ projects: [{ resident: 1 }] });
});
