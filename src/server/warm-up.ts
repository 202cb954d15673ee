import { availableParallelism, cpus, loadavg } from "node:os";
import { adapterNamed } from "../adapters/index.ts";
import { readCall } from "../adapters/read-call.ts";
import type { ClientConsent } from "./connection.ts";
import type { Request } from "./protocol.ts";

/** When a daemon warms up, and when not. */
interface WarmUpConditions {
  /** Whether it has to end. */
  readonly isOver: () => boolean;
  /** Whether the machine is busy; by default determined by its load and by the processor time since the last look. */
  readonly isBusy?: () => boolean;
  /** How many milliseconds ago the last real call came. */
  readonly sinceCall?: () => number;
}

/**
 * Answers made-up calls, one at a time, while no real call waits: they have no effect, but V8 has compiled what the real
 * ones need before many of those were slow. It waits while the machine is busy.
 */
export function warmUp(
  requests: readonly Request[],
  answer: (request: Request, consent: ClientConsent) => Promise<unknown>,
  { isOver, isBusy = machineLoad(), sinceCall = () => Number.POSITIVE_INFINITY }: WarmUpConditions,
): void {
  let [made, attempts] = [0, MAX_ATTEMPTS];
  const next = () => {
    const request = requests[made % requests.length];
    if (request === undefined || made >= CALLS || isOver()) return;
    if (made % BATCH === 0 && isBusy()) {
      if (attempts-- > 0) setTimeout(next, DELAY_MS).unref();
      return;
    }
    if (sinceCall() < REST_MS) {
      setTimeout(next, REST_MS).unref();
      return;
    }
    made++;
    void answer(request, NO_CLIENT).then(() => setImmediate(next));
  };
  setTimeout(next, DELAY_MS).unref();
}

/** What the same agent is likely to ask next from the same folder: ordinary commands in its own format and environment, before they run and after. */
export function warmUpCalls({ words, env, cwd }: Request): Request[] {
  const [program = "", launcher = "", verb = "", agent = ""] = words;
  const { canary, hookEventOf, hookEvents = {} } = adapterNamed(agent) ?? {};
  if (canary === undefined || hookEventOf === undefined) return [];
  const [after] = Object.entries(hookEvents).find(([, { as }]) => as === "tool:post_execute") ?? [];
  return COMMANDS.flatMap((command) => {
    const payload = canary.payload(command, cwd);
    return [canary.hookEvent, ...(after === undefined ? [] : [after])].flatMap((hookEvent) => {
      const named = Object.entries(payload).map(([key, value]) => [
        key,
        value === canary.hookEvent ? hookEvent : value,
      ]);
      const told = Object.fromEntries(named);
      const text = JSON.stringify(told);
      // Some agents report the end of a command in another form.
      if (readCall({ text, value: told, agent, hookEvent }).kind !== "event") return [];
      const stated = hookEventOf(told) === undefined ? ["--moment", hookEvent] : [];
      return [{ words: [program, launcher, verb, agent, ...stated], env, cwd, payload: text }];
    });
  });
}

/** The client of a made-up call never confirms, so nothing is done and nothing is recorded. */
export const NO_CLIENT: ClientConsent = { ask: async () => false, given: Promise.resolve(false) };

/** The load lags a minute behind, so a build that has just begun is seen by its processor time alone; Windows does not report a load. */
function machineLoad(): () => boolean {
  const areUsed = othersUse();
  return () => areUsed() || (loadavg()[0] ?? 0) > 1.25 * availableParallelism();
}

/** Milliseconds of all processors together. */
interface ProcessorTime {
  readonly total: number;
  readonly idle: number;
  /** What this process has used. */
  readonly own: number;
}

/** Says at each look whether other processes have used most of the processors since the look before. */
export function othersUse(read: () => ProcessorTime = processorTime): () => boolean {
  let before = read();
  return () => {
    const now = read();
    const total = now.total - before.total;
    const others = total - (now.idle - before.idle) - (now.own - before.own);
    before = now;
    return others > total * MAX_OF_TIME;
  };
}

function processorTime(): ProcessorTime {
  const times = cpus().map((cpu) => cpu.times);
  const total = times.flatMap((one) => Object.values(one)).reduce((sum, ms) => sum + ms, 0);
  const { user, system } = process.cpuUsage();
  return { total, idle: times.reduce((sum, { idle }) => sum + idle, 0), own: (user + system) / 1000 };
}

const COMMANDS = [
  "ls -la src",
  "git status --short",
  "npm test 2>&1 | tail -n 20",
  'grep -rn "TODO" src --include=*.ts | head',
  "cd packages/web && npx tsc --noEmit",
  "cat package.json",
  "npm run build > build.log 2>&1",
  "echo 'export {};' > src/index.ts && git add src/index.ts",
  "sed -i 's/one/other/' package.json README.md",
];

/** V8 compiles what was called some thousand times. */
const CALLS = 2000;
/** After so many calls, the load of the machine is looked at again. */
const BATCH = 50;
/** An agent that has just begun calls again at once, and most short programs have ended by then. */
const DELAY_MS = 5000;
/** After a real call its record is written, and its agent continues. */
const REST_MS = 20;
const MAX_OF_TIME = 0.75;
/** How often a busy machine is looked at. */
const MAX_ATTEMPTS = 60;
