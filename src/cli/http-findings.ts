import { randomBytes } from "node:crypto";
import type { Adapter } from "../adapters/adapter.ts";
import { CANARY_HEADER } from "../adapters/http-form.ts";
import { canaryReason } from "../decide/canary.ts";
import { type Finding, fine, note, wrong } from "../doctor/finding.ts";
import { type PostedCall, postedCalls } from "../doctor/posted-calls.ts";
import type { InstallContext } from "../install/install-context.ts";
import { daemonStatus } from "../server/clients/ask-daemon.ts";
import { coldCommand } from "../server/cold-command.ts";
import { readAddress } from "../server/http/http-address.ts";
import { type PostOutcome, post } from "../server/http/http-probe.ts";
import { runtimeDirOf } from "../server/runtime-dir.ts";

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
  const gates = calls.filter(({ adapter, url }) => url.pathname.endsWith(`/${adapter.canary?.moment}`));
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
