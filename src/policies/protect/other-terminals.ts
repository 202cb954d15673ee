import { readdirSync } from "node:fs";
import { join } from "node:path";
import {
  type CallEffects,
  type CommandRun,
  type Effect,
  isOpaque,
  isPathEffect,
  runsOf,
  TERMINAL_HOSTS,
  TERMINAL_REACH,
  type TerminalReach,
} from "../../effects/index.ts";
import type { HookEvent } from "../../event/event.ts";
import { execFileSync } from "../../fs/late-builtins.ts";
import { withSystemTools } from "../../fs/system-tools.ts";
import { readState, writeState } from "../../trust/state-file.ts";
import type { ProtectionContext } from "./protection-context.ts";

/**
 * Why a call types into another terminal, or reads what one shows; undefined if it does not. A person answers questions in
 * terminals, and a page shows its code in one. A terminal session that this agent itself opened is its own.
 */
export function otherTerminal(
  event: HookEvent,
  call: CallEffects,
  text: string,
  context: ProtectionContext,
): string | undefined {
  const device = [...call.effects.flatMap(deviceOf), ...call.commands.flatMap(devicesOf)][0];
  if (device !== undefined) return `it uses ${device}, the terminal of another program`;
  const [code] = FAKED_INPUT.exec(text) ?? [];
  if (code !== undefined && call.effects.some(isOpaque)) return `it puts input into a terminal (${code})`;
  const [named] = DEVICE_IN_CODE.exec(text) ?? [];
  if (named !== undefined && call.effects.some(isOpaque))
    return `its code names ${named}, the terminal of another program`;
  const opened = new Set<string>();
  for (const run of runsOf(call)) {
    const { name, args, command } = run;
    if (Object.hasOwn(TERMINAL_HOSTS, name) && args.some((word) => /\bsluice\b/.test(word)))
      return `it runs Sluice in a terminal that \`${name}\` holds`;
    const reach = reachOf(run);
    if (reach === undefined) continue;
    for (const session of openedBy(run, context)) opened.add(`${name} ${session}`);
    const act = args.find((word) => reach.acts.test(word));
    if (act === undefined || isOpening(reach, args)) continue;
    const session = sessionOf(reach, args);
    const isKnown = command.args.every((word) => word.isKnown || !/^-t|^-S/.test(word.text));
    const own =
      session !== undefined && isKnown && (opened.has(`${name} ${session}`) || isOwn(name, session, event, context));
    if (!own) return `\`${name} ${act}\` types into another terminal, or reads what it shows`;
  }
  return undefined;
}

/** Remembers the terminal sessions that a call opens, so that later calls of this agent's session may use them. */
export function rememberTerminals({ sessionId = "" }: HookEvent, call: CallEffects, context: ProtectionContext): void {
  const opened = runsOf(call).flatMap((run) =>
    openedBy(run, context).map((session) => ({ name: run.name, session, by: sessionId })),
  );
  if (opened.length === 0) return;
  writeState(FILE, { opened: [...known(context), ...opened].slice(-MAX_KNOWN) }, context);
}

interface Opened {
  readonly name: string;
  readonly session: string;
  readonly by: string;
}

function isOwn(name: string, session: string, { sessionId = "" }: HookEvent, context: ProtectionContext): boolean {
  return known(context).some((one) => one.name === name && one.session === session && one.by === sessionId);
}

function known(context: ProtectionContext): readonly Opened[] {
  const { opened } = Object(readState(FILE, context)) as { readonly opened?: unknown };
  return Array.isArray(opened) ? opened.filter((one): one is Opened => typeof Object(one).session === "string") : [];
}

function reachOf({ name }: CommandRun): TerminalReach | undefined {
  return Object.hasOwn(TERMINAL_REACH, name) ? TERMINAL_REACH[name] : undefined;
}

/** The names of the new sessions that a command opens. A session without a name cannot be recognized later. */
function openedBy(run: CommandRun, context: ProtectionContext): readonly string[] {
  const reach = reachOf(run);
  if (reach?.named === undefined || !isOpening(reach, run.args)) return [];
  // `-A` attaches to an existing session.
  if (run.args.some((word) => /^-[a-zA-Z]*A/.test(word))) return [];
  const session = optionValue(run.args, reach.named.opened);
  return session !== undefined && /^[\w-]+$/.test(session) && isFree(run.name, session, context) ? [session] : [];
}

function isOpening({ opens }: TerminalReach, words: readonly string[]): boolean {
  return opens !== undefined && words.some((word) => opens.test(word)) && !words.some((word) => /^;$|;$/.test(word));
}

/** The session that is reached: `-t name:1.2`, `-t =name`. */
function sessionOf({ named }: TerminalReach, words: readonly string[]): string | undefined {
  const target = named && optionValue(words, named.reached);
  const [, session] = /^=?([\w-]+)(?::[\w.-]*)?$/.exec(target ?? "") ?? [];
  return session;
}

function optionValue(words: readonly string[], option: RegExp): string | undefined {
  const at = words.findIndex((word) => option.test(word));
  if (at < 0) return undefined;
  const [, attached = ""] = option.exec(words[at] ?? "") ?? [];
  return attached === "" ? words[at + 1] : attached;
}

/** Whether no session of that name exists: the name of a person's session opens nothing. */
function isFree(name: string, session: string, { env, home }: ProtectionContext): boolean {
  try {
    if (name === "screen") return !screens(env, home).some((file) => file.split(".").slice(1).join(".") === session);
    const listed = execFileSync(name, ["list-sessions", "-F", "#S"], {
      encoding: "utf8",
      timeout: 1000,
      stdio: ["ignore", "pipe", "ignore"],
      env: withSystemTools(env) as NodeJS.ProcessEnv,
    });
    return !String(listed).split("\n").includes(session);
  } catch (error) {
    // No server runs, or the program is not installed.
    const { code, status } = Object(error) as { readonly code?: string; readonly status?: number };
    return code === "ENOENT" || status === 1;
  }
}

function screens(env: ProtectionContext["env"], home: string): readonly string[] {
  const folders = [
    env.SCREENDIR,
    join(home, ".screen"),
    `/run/screen/S-${env.USER ?? "root"}`,
    `/tmp/screens/S-${env.USER ?? "root"}`,
  ];
  return folders.flatMap((folder) => {
    try {
      return folder === undefined ? [] : readdirSync(folder);
    } catch {
      return [];
    }
  });
}

/** A terminal as a file: others write to it, and it is read there. */
function deviceOf(effect: Effect): string[] {
  return isPathEffect(effect) && effect.does !== "delete" && DEVICE.test(effect.path.text) ? [effect.path.text] : [];
}

/** The same among arguments and redirections: effects leave out what is not a file. */
function devicesOf({ args, redirects, input }: CallEffects["commands"][number]): string[] {
  const words = [...args, ...redirects.map(({ target }) => target), ...(input.from === "file" ? [input.path] : [])];
  return words.map(({ text }) => text.replace(/^(?:of|if)=/, "")).filter((text) => DEVICE.test(text));
}

const DEVICE =
  /^\/dev\/(?:pts(?:\/(?!ptmx)[^/]*)?|tty(?:[\dS*?[A-Z][^/]*)|vcs\w*|console|uinput|input(?:\/.*)?)$|^\/proc\/(?!self)[^/]+\/fd\/[012*?]$/;
const DEVICE_IN_CODE = /\/dev\/(?:pts\/\d+|tty\d+|uinput)\b/;
const FAKED_INPUT = /\bTIOCSTI\b|\b0x5412\b|\b21522\b|\bTIOCLINUX\b/i;
const FILE = "protect/terminals.json";
const MAX_KNOWN = 200;

/** Whether a text may open a terminal session. */
export function mayOpen(text: string): boolean {
  return /\b(?:tmux|screen)\b/.test(text);
}
