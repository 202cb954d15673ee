import { type ChildProcess, spawn } from "node:child_process";
import { openSync, readdirSync, readFileSync, readlinkSync, statSync, utimesSync, writeFileSync } from "node:fs";
import { devNull } from "node:os";
import { basename, join } from "node:path";
import { readRegularText } from "../fs/regular-file.ts";
import { type BoxLayout, boxCommand, ENTERED } from "../policies/contain/box-script.ts";
import { type Box, type BoxEnd, type BoxStart, ticksOf, writeStart } from "../policies/contain/box-store.ts";
import { prepareBox } from "../policies/contain/probe.ts";
import { boxLayout, NoBox } from "./box-layout.ts";

/** A program that ran in its box, or why it did not run. */
export type BoxRun =
  | { readonly kind: "ran"; readonly start: BoxStart; readonly end: BoxEnd }
  | { readonly kind: "used" }
  | { readonly kind: "failed"; readonly why: string };

/** Runs the command of a box in it, with the streams of this process. Nothing runs if the box cannot be made. */
export async function runBox(box: Box): Promise<BoxRun> {
  const { plan } = box;
  let layout: BoxLayout;
  try {
    if (box.start !== undefined) return { kind: "used" };
    layout = boxLayout(box);
    prepareBox(layout);
  } catch (error) {
    if (error instanceof NoBox || (error as NodeJS.ErrnoException).code !== undefined)
      return { kind: "failed", why: (error as Error).message };
    throw error;
  }
  const layers = layout.layers.flatMap(({ path, fate, upper }) =>
    fate === "read-only" ? [] : [{ path, fate, upper }],
  );
  const { pid } = process;
  const start: BoxStart = {
    pid,
    ticks: ticksOf(pid),
    at: new Date().toISOString(),
    began: diskTime(layout.place),
    place: layout.place,
    layers,
  };
  if (!writeStart(box, start)) return { kind: "used" };
  const [program = "", ...args] = boxCommand(layout, [...shellOf(plan), plan.command]);
  const inherited = inheritedFiles();
  const stdio: ("inherit" | "pipe" | number)[] = ["inherit", "inherit", "inherit", "pipe"];
  const nothing = openSync(devNull, "r");
  for (let at = 4; at <= Math.max(...inherited, 0); at++) stdio.push(nothing);
  const child = spawn(program, args, { stdio, env: process.env });
  const told = textOf(child);
  const stop = forwardSignals(child, plan.settings.limits.timeMs);
  const ended = await new Promise<{ code: number | null; signal: string | null } | Error>((resolve) => {
    child.once("error", resolve);
    child.once("close", (code, signal) => resolve({ code, signal }));
  });
  stop();
  if (ended instanceof Error) return { kind: "failed", why: ended.message };
  const text = told();
  if (!text.startsWith(ENTERED))
    return { kind: "failed", why: "the box could not be made, so the command did not run" };
  const offline = missedNetwork(text);
  return { kind: "ran", start, end: { exit: ended.code, signal: ended.signal ?? undefined, offline } };
}

/** What the script of the box reports beside the program. */
function textOf(child: ChildProcess): () => string {
  const chunks: Buffer[] = [];
  const stream = child.stdio[3];
  if (stream !== null && stream !== undefined && "on" in stream)
    stream.on("data", (chunk: Buffer) => chunks.push(chunk));
  return () => Buffer.concat(chunks).toString();
}

/** How often a packet had nowhere to go, by the counters of the box's own network. */
function missedNetwork(text: string): number {
  const [names = "", values = ""] = text.split("\n").filter((line) => line.startsWith("Ip:"));
  const at = names.split(" ").indexOf("OutNoRoutes");
  return at < 0 ? 0 : Number(values.split(" ")[at] ?? 0);
}

/**
 * The shell that reads the original line: the one that started this command, which would have read it. A shell that was replaced
 * by this command has left its name in a variable, if it is one that does so.
 */
function shellOf({ env }: Box["plan"]): readonly string[] {
  const parent = parentProgram();
  if (parent !== undefined && SHELLS.has(basename(parent))) return [parent, "-c"];
  const isBash = process.env._ !== undefined && basename(process.env._) === "sluice";
  if (!isBash) return ["/bin/sh", "-c"];
  const { SHELL = "" } = env;
  return [["bash", "zsh"].includes(basename(SHELL)) ? SHELL : "bash", "-c"];
}

function parentProgram(): string | undefined {
  try {
    return readlinkSync(`/proc/${process.ppid}/exe`);
  } catch {
    return undefined;
  }
}

/** Open files that this process was given beyond its streams; node itself opens none without closing it for others. */
function inheritedFiles(): number[] {
  try {
    return readdirSync("/proc/self/fd")
      .map(Number)
      .filter((file) => file > 2 && isInherited(file));
  } catch {
    return [];
  }
}

function isInherited(file: number): boolean {
  try {
    const flags = /^flags:\s*(\d+)/m.exec(readFileSync(`/proc/self/fdinfo/${file}`, "utf8"))?.[1] ?? "0";
    return (Number.parseInt(flags, 8) & CLOSED_FOR_OTHERS) === 0;
  } catch {
    return false;
  }
}

/** Hands signals on to the program, which is in a session of its own; ends it when its time is over. */
function forwardSignals(child: ChildProcess, timeMs: number): () => void {
  const send = (signal: NodeJS.Signals) => {
    const leader = child.pid === undefined ? undefined : sessionBelow(child.pid);
    try {
      if (leader === undefined) child.kill(signal);
      else process.kill(-leader, signal);
    } catch {
      // It has just ended.
    }
  };
  for (const signal of FORWARDED) process.on(signal, send);
  const end = setTimeout(() => {
    send("SIGTERM");
    setTimeout(() => child.kill("SIGKILL"), GRACE_MS).unref();
  }, timeMs);
  end.unref();
  return () => {
    clearTimeout(end);
    for (const signal of FORWARDED) process.off(signal, send);
  };
}

/** The first process below another that leads a session: the program, or the process that bubblewrap puts in front of it. */
function sessionBelow(pid: number): number | undefined {
  const own = sessionOf(process.pid);
  for (let at = pid, depth = 0; depth < MAX_DEPTH; depth++) {
    if (sessionOf(at) !== own) return sessionOf(at);
    const [child] = childrenOf(at);
    if (child === undefined) return undefined;
    at = child;
  }
  return undefined;
}

function sessionOf(pid: number): number {
  const text = readRegularText(`/proc/${pid}/stat`);
  return Number(text.slice(text.lastIndexOf(")") + 2).split(" ")[3]);
}

function childrenOf(pid: number): number[] {
  try {
    return readFileSync(`/proc/${pid}/task/${pid}/children`, "utf8").trim().split(" ").filter(Boolean).map(Number);
  } catch {
    return [];
  }
}

/** The time by the clock of a disk, which is a little late. */
function diskTime(folder: string): number {
  const file = join(folder, "time");
  writeFileSync(file, "");
  utimesSync(file, 0, 0);
  return statSync(file).ctimeMs;
}

const SHELLS: ReadonlySet<string> = new Set(["sh", "bash", "dash", "zsh", "ksh", "ash", "mksh"]);
const FORWARDED = ["SIGINT", "SIGTERM", "SIGHUP", "SIGQUIT", "SIGUSR1", "SIGUSR2", "SIGWINCH", "SIGCONT"] as const;
const CLOSED_FOR_OTHERS = 0o2000000;
const MAX_DEPTH = 16;
const GRACE_MS = 2000;
