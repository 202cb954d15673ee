import { readdirSync, rmdirSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { type CallEffects, GAP, isOpaque, isPathEffect, runsOf, type Word } from "../../effects/index.ts";
import type { HookEvent } from "../../event/event.ts";
import { toJsonText } from "../../event/json.ts";
import { isRunning } from "../../fs/lock.ts";
import { readRegularText } from "../../fs/regular-file.ts";
import { makePrivateDir, type StateHome, stateDir } from "../../fs/state-dir.ts";
import { writePrivate } from "../../fs/write-atomic.ts";

/** Records the port at which this process serves `sluice ui`; the returned function removes the record. */
export function announceUiPort(port: number, where: StateHome): () => void {
  const folder = folderIn(where);
  makePrivateDir(folder);
  const file = join(folder, String(process.pid));
  writePrivate(file, `${port}\n`);
  return () => {
    rmSync(file, { force: true });
    try {
      rmdirSync(folder);
    } catch {}
  };
}

/**
 * The port of a running `sluice ui` that a call may connect to; undefined if it does not. Agents must not use it: its pages
 * show other agents' calls, and a person changes the policy there. What decides is where a command connects, not which numbers
 * it names: a port of this machine that is known only when the command runs may be this one.
 */
export function reachedUiPort(event: HookEvent, call: CallEffects, where: StateHome): number | undefined {
  const ports = runningUiPorts(where);
  const [first] = ports;
  if (first === undefined) return undefined;
  const named = (text: string) => ports.find((port) => literal(port).test(text));
  if (call.commands.length === 0) return named(toJsonText(event.data));
  for (const run of runsOf(call)) {
    const { effects, args: words, command } = run;
    const { source, args, redirects, script } = command;
    const isCode = effects.some(isOpaque);
    const targets = effects.flatMap((one) => (one.does === "network" ? [one.host] : []));
    const paths = [
      ...effects.flatMap((one) => (isPathEffect(one) ? [one.path] : [])),
      ...redirects.map((one) => one.target),
    ];
    const files = paths.filter((path) => path.text.startsWith(SOCKET));
    const isInFile = words.some((word) => READS_ADDRESS.test(word));
    if (isInFile && targets.length === 0 && /^fetched/.test(String(run.row?.prints))) return first;
    if (!isCode && targets.length === 0 && files.length === 0) continue;
    const text = [source, ...words, ...files.map((word) => word.text)].join(" ");
    const port = named(text);
    if (port !== undefined) return port;
    const isHere =
      targets.some((host) => host === undefined || !host.isKnown || HERE.test(host.text)) || files.some(isHereFile);
    // A file, a variable or a calculation may give the port.
    if (isHere && (isInFile || args.some(isOpen) || files.some(isOpen))) return first;
    if (isCode && script === undefined && NAMES_HERE.test(text) && !STATES_PORT.test(text)) return first;
  }
  // Commands of which none is known to connect may still be code that does.
  return call.effects.some(({ does }) => does === "unknown") ? named(toJsonText(event.data)) : undefined;
}

function literal(port: number): RegExp {
  return new RegExp(`(?<![\\w.])(?:0*${port}|0x0*${port.toString(16)}|0o?0*${port.toString(8)})(?![\\w])`, "i");
}

/** `/dev/tcp/<host>/<port>`, which the shell connects to. */
function isHereFile({ text }: Word): boolean {
  return HERE.test(text.slice(SOCKET.length).split("/")[1] ?? "");
}

function isOpen({ isKnown, text }: Word): boolean {
  return !isKnown || text.includes(GAP);
}

const SOCKET = "/dev/tcp";
const HERE =
  /^(?:localhost|.*\.localhost|127(?:\.\d+){0,3}|0(?:\.0){0,3}|\[?::1?\]?|\[?::ffff:.*|2130706433|0x7f\w*|ip6-localhost|.*[*?$].*)$/i;
const NAMES_HERE = /localhost|\b127\.|\[?::1\]?|0\.0\.0\.0/i;
/** A host with its port written out, which nothing is added to. */
const STATES_PORT =
  /(?:localhost|127[\d.]*|::1\]?|0\.0\.0\.0)["'`]?\s*[:,]\s*(?:port\s*[:=]\s*)?\d{2,5}(?!\s*[-+*%\w.])/i;
/** Options that take addresses from a file. */
const READS_ADDRESS = /^(?:-K.*|--config.*|-i|--input-file.*|-T|--url-query.*|@.+)$/;

/** The ports of all processes that serve the pages now. Most machines have none, and then the folder is missing. */
export function runningUiPorts(where: StateHome): number[] {
  try {
    const folder = folderIn(where);
    if (statSync(folder, { throwIfNoEntry: false }) === undefined) return [];
    return readdirSync(folder).flatMap((pid) => {
      if (!isRunning(Number(pid))) return [];
      const port = Number(readRegularText(join(folder, pid)));
      return Number.isInteger(port) && port > 0 ? [port] : [];
    });
  } catch {
    return [];
  }
}

function folderIn(where: StateHome): string {
  return join(stateDir(where), "ui");
}
