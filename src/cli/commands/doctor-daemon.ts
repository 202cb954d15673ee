import { randomBytes } from "node:crypto";
import { basename } from "node:path";
import type { Adapter } from "../../adapters/adapter.ts";
import { CANARY_HEADER } from "../../adapters/recipe.ts";
import { canaryReason } from "../../decide/canary.ts";
import { VERSION } from "../../decide/version.ts";
import { isStarting, isWired } from "../../doctor/agent.ts";
import { type Finding, fine, note, wrong } from "../../doctor/finding.ts";
import { type PostedCall, postedCalls } from "../../doctor/posted-calls.ts";
import type { InstallContext } from "../../install/install-context.ts";
import { daemonStatus } from "../../server/clients/ask-daemon.ts";
import { describeClient, packagedClient } from "../../server/clients/client-package.ts";
import { isCopied, whyNotUsable } from "../../server/clients/copy-client.ts";
import {
  bashClients,
  type Client,
  clientFiles,
  clientOf,
  clientSuffix,
  isRunnable,
} from "../../server/clients/make-client.ts";
import { projectClient } from "../../server/clients/project-client.ts";
import { coldCommand } from "../../server/cold-command.ts";
import type { DaemonStatus } from "../../server/connection.ts";
import { readAddress } from "../../server/http/http-address.ts";
import { type PostOutcome, post } from "../../server/http/http-probe.ts";
import {
  allRuntimeDirs,
  type ColdCommand,
  isOpenToOthers,
  isPrivate,
  type RuntimeDir,
  runtimeDirOf,
  whyUnusable,
} from "../../server/runtime-dir.ts";
import { systemOf } from "../../server/system.ts";
import { plural } from "../show/terminal-text.ts";
import { passedOver } from "./install-client.ts";

/** What calls do to the daemon's folder themselves, so that it is looked at before any is made. */
export function hasOpenFolder({ env }: InstallContext): boolean {
  return env.SLUICE_RESIDENT !== "0" && isOpenToOthers(runtimeDirOf(coldCommand(), { env }));
}

/** How calls reach a decision fast: which client asks, and whether a daemon answers it. */
export async function daemonFindings(
  wired: readonly Adapter[],
  around: InstallContext,
  { wasOpen }: { readonly wasOpen: boolean },
): Promise<Finding[]> {
  const findings = await clientFindings(wired, around);
  return wasOpen && !hasOpenFolder(around) ? [TAKEN_BACK, ...findings] : findings;
}

async function clientFindings(wired: readonly Adapter[], around: InstallContext): Promise<Finding[]> {
  const { env } = around;
  if (env.SLUICE_RESIDENT === "0") return [note("SLUICE_RESIDENT=0: every call starts node.")];
  const cold = coldCommand();
  const runtimeDir = runtimeDirOf(cold, { env });
  const status = await daemonStatus(runtimeDir);
  const running = [
    ...(status === undefined ? [] : [runningDaemon(status)]),
    ...(await otherDaemons(runtimeDir, around)),
  ];
  if (wired.length === 0) return [note("no agent calls Sluice here, so none asks a daemon."), ...running];
  const client = clientOf(cold, env);
  if (systemOf().nodeAsks)
    return [
      fine("agents ask through node, which loads the rest of Sluice only where no daemon answers"),
      ...(status === undefined ? [NO_DAEMON] : []),
      ...running,
    ];
  const old = bashClients(cold, env).find((path) =>
    wired.some((adapter) => isStarting(adapter, around, clientSuffix({ path }))),
  );
  if (old !== undefined)
    return [
      note(
        "settings start the bash client of an older version, which starts node for every call.",
        "`sluice install` writes the client of this version.",
      ),
      ...running,
    ];
  const why = whyUnusable(runtimeDir);
  if (why !== undefined) return [wrong(`the daemon cannot answer anywhere, and every call starts node: ${why}.`, OWN)];
  if (isOpenToOthers(runtimeDir))
    return [wrong("other users have rights to the daemon's folder, so no call asks there.", AGAIN, place(runtimeDir))];
  if (client === undefined && wired.some((adapter) => isStarting(adapter, around, `${basename(runtimeDir.folder)}/`)))
    return [wrong(`the client that settings start ${whyNot(cold, env)}.`, AGAIN), ...running];
  const inProject = projectClient(around.root, env);
  const isStarted = client !== undefined && wired.some((adapter) => isStarting(adapter, around, clientSuffix(client)));
  if (!isStarted && wired.some((adapter) => isWired(adapter, around, ["project"])))
    return [
      inProject === undefined ? NEXT_CALL : fine("the project's lines ask through a client of yours"),
      ...running,
    ];
  if (client === undefined)
    return [
      note("no client is installed; every call starts node.", "`sluice install` makes one where it can."),
      ...(await packageFindings(cold, client)),
    ];
  if (!isStarted)
    return [note("no settings here start the client; every call starts node.", "`sluice install` puts it into yours.")];
  if (!isRunnable(client.path))
    return [wrong(`the ${client.kind} client cannot be started any more.`, "Run `sluice install` again.")];
  return [
    fine(`agents ask through ${describeClient(client)}`),
    ...(await packageFindings(cold, client)),
    ...(status === undefined ? [NO_DAEMON] : []),
    ...running,
  ];
}

/** Why no client is used although its file may be there. */
function whyNot(cold: ColdCommand, env: InstallContext["env"]): string {
  const [found] = clientFiles(cold, env);
  if (found === undefined) return "is not there";
  return isPrivate(found) ? "is another version's" : "can be changed by other users";
}

function place({ folder }: RuntimeDir): { readonly file: string } {
  return { file: folder };
}

function runningDaemon({ pid, calls }: DaemonStatus): Finding {
  return fine(
    `the daemon runs as process ${pid}, with ${plural(calls, "call")} so far; \`sluice serve --stop\` ends it`,
  );
}

/** Every installed copy of Sluice has a daemon of its own, and one that agents post to never stops by itself. */
async function otherDaemons({ folder }: RuntimeDir, { env }: InstallContext): Promise<Finding[]> {
  const others = allRuntimeDirs({ env }).filter((one) => one.folder !== folder);
  const found = (await Promise.all(others.map(daemonStatus))).filter((status) => status !== undefined);
  if (found.length === 0) return [];
  const pids = found.map(({ pid }) => pid).join(", ");
  const run =
    found.length === 1
      ? `1 daemon of another installed copy runs`
      : `${found.length} daemons of other installed copies run`;
  return [note(`${run}, as process ${pids}.`, "Where that copy is not used any more, end its process.")];
}

const AGAIN = "Run `sluice install` again: it makes the folder yours alone, and the client anew.";
const TAKEN_BACK = note("other users had rights to the daemon's folder; the canary's call took them away.");
const OWN = "Give it a folder of your own, or name another place in XDG_STATE_HOME, and run `sluice install` again.";
const NEXT_CALL = note("the project's lines start node; the next call has a client made for the calls after it.");
const NO_DAEMON = note("no daemon is running; the next command of an agent starts one.");

/** What was installed with Sluice, where it is not what agents ask through. */
async function packageFindings(cold: ColdCommand, client: Client | undefined): Promise<Finding[]> {
  const packaged = packagedClient(cold, VERSION);
  if (packaged.kind === "none" || (packaged.kind === "fit" && client && isCopied(packaged, client.path))) return [];
  const why = packaged.kind === "unfit" ? packaged.why : await whyNotUsable(packaged);
  if (why === undefined)
    return [
      note(
        `${packaged.name} ${VERSION} has another client than agents ask through.`,
        "`sluice install` takes that one.",
      ),
    ];
  const { message, fix } = passedOver({ packaged, why, client });
  return [note(message, fix)];
}

/** Whether what agents post reaches a daemon that knows their secret; no findings where none posts. */
export async function httpFindings(adapters: readonly Adapter[], around: InstallContext): Promise<Finding[]> {
  const calls = postedCalls(adapters, around);
  const runtimeDir = runtimeDirOf(coldCommand(), around);
  const address = readAddress(runtimeDir);
  if (calls.length === 0)
    return address === undefined
      ? []
      : [note("the daemon answers over HTTP, and no settings post to it.", TO_COMMANDS)];
  if (around.env.SLUICE_RESIDENT === "0")
    return [wrong("SLUICE_RESIDENT=0 allows no daemon, so every posted call is blocked.", TO_COMMANDS)];
  const mismatched = calls.filter(({ url, secret }) => Number(url.port) !== address?.port || secret !== address.secret);
  if (mismatched.length > 0)
    return mismatched.slice(0, 1).map(({ adapter, file }) => {
      const what = `${adapter.title} posts to a port or shows a secret that is not the daemon's; its tools are blocked.`;
      return wrong(what, `Run \`sluice install ${adapter.id} --http\`.`, { file });
    });
  const isRunning = (await daemonStatus(runtimeDir)) !== undefined;
  return Promise.all(firsts(calls).map((call) => canaryFinding(call, around.root, isRunning)));
}

/** One call of each agent, where a denial can be seen. */
function firsts(calls: readonly PostedCall[]): PostedCall[] {
  const gates = calls.filter(({ adapter, url }) => url.pathname.endsWith(`/${adapter.canary?.hookEvent}`));
  return gates.filter(({ adapter }, index) => gates.findIndex((one) => one.adapter === adapter) === index);
}

async function canaryFinding(
  { adapter, file, url, secret }: PostedCall,
  cwd: string,
  isRunning: boolean,
): Promise<Finding> {
  const mark = randomBytes(8).toString("hex");
  const payload = adapter.canary?.payload(`echo ${mark}`, cwd) ?? {};
  const said = await post({ port: Number(url.port), secret }, url.pathname, payload, { [CANARY_HEADER]: mark });
  if (said.outcome === "answer" && isDenied(said, mark))
    return fine(`${adapter.title} posts to 127.0.0.1:${url.port}: the canary was denied in ${Math.round(said.ms)} ms`);
  if (said.outcome === "nothing" && !isRunning)
    return note(
      `no daemon answers on 127.0.0.1:${url.port}; tools are blocked until the next session or prompt starts one.`,
    );
  const saw = said.outcome === "nothing" ? said.why : `status ${said.status}, ${said.body.trim()}`.slice(0, LONGEST);
  const what = `${adapter.title} posts to 127.0.0.1:${url.port}, and the canary was not denied (${saw}); its tools are blocked.`;
  return wrong(what, `Run \`sluice install ${adapter.id} --http\`, which takes another port where this one is taken.`, {
    file,
  });
}

function isDenied({ status, body }: Extract<PostOutcome, { outcome: "answer" }>, mark: string): boolean {
  return status === 200 && body.includes(canaryReason(mark));
}

const TO_COMMANDS = "`sluice install` without --http goes back to commands.";
const LONGEST = 200;
