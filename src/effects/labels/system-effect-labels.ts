import { deceptiveParts } from "../deceptive-text.ts";
import { type CallEffects, isPathEffect, type PathEffect } from "../effect.ts";
import { effectsOf } from "../effects-by-command.ts";
import type { SimpleCommand } from "../parse/command.ts";
import { isOutside } from "../path-class.ts";
import { isReadOnlyRun } from "../programs/apply-row.ts";
import { loadsCode, namesProgram } from "../programs/code-variables.ts";
import { isInstallation, isTrialInstallation } from "../programs/index.ts";
import { killsAll } from "../programs/processes.ts";
import { isProgram, programNamed } from "../programs/program-name.ts";
import { isSecretFile } from "../programs/secret-files.ts";
import { argsOf, type EffectLabel, plays, type Run, touchesOf } from "./effect-index.ts";

/** Words about the machine: processes, starts, accounts, settings, data in other places. */
export const SYSTEM_EFFECT_LABELS = {
  "kill-all": {
    means: "ends every process, the first one, or all of a user",
    on: "run",
    role: "kill",
    holds: (effect, act) =>
      effect.roles.includes("power") ||
      killsAll(effect.program, argsOf(effect, act), act.commands[effect.command]?.source ?? ""),
  },
  "privileged-install": {
    means: "installs packages of the system with more rights than its user has",
    on: "run",
    role: "privilege",
    holds: (effect, act) => runBy(effect, act).length > 0 && runBy(effect, act).every(isInstallation),
  },
  "privileged-look": {
    means:
      "looks at the state or the logs of the machine with more rights, or gives files of the project another owner",
    on: "run",
    role: "privilege",
    holds: (effect, act) => runBy(effect, act).length > 0 && runBy(effect, act).every((run) => isHarmless(run, act)),
  },
  "remote-privilege": {
    means: "acts with more rights on another machine",
    on: "run",
    role: "privilege",
    holds: (effect, act) =>
      (act.commands[effect.command]?.via ?? []).some((wrapper) =>
        isProgram("remote-shell", wrapper.split(" ", 1)[0] ?? ""),
      ),
  },
  deceptive: {
    means: "holds letters that are not seen or look like others, or an address that looks like another",
    on: "run",
    holds: (effect, act) => deceptiveParts(act.commands[effect.command]?.source ?? "").length > 0,
  },
  "start-later": {
    means: "lets something run later or at every start of the machine",
    on: "run",
    role: "persistence",
    trait: "scheduler",
  },
  "git-persistence": {
    means: "lets git run a program from now on",
    on: "run",
    role: "persistence",
    trait: "version-control",
  },
  "load-code": {
    means: "makes another program load or run code that it would not",
    on: "run",
    role: "run-code",
    holds: (effect, act) =>
      (isProgram("hook-options", effect.program) && namesProgram(argsOf(effect, act))) || loadsCode(setBy(effect, act)),
  },
  "reverse-shell": {
    means: "gives another machine a shell",
    on: "run",
    holds: (effect, act) => isHandedOut(effect, act),
  },
  "system-account": {
    means: "changes users, groups or passwords of the machine",
    on: "run",
    role: "account",
    trait: "system-account",
  },
  "system-settings": {
    means: "changes settings of the machine: kernel, network, firewall, protection",
    on: "run",
    role: "settings",
    trait: "system-settings",
  },
  "system-part": {
    means: "stops, switches off or removes a part of the machine: a service, or a package that it needs",
    on: "run",
    role: "settings",
    holds: (effect, act) =>
      (effect.roles.includes("kill") || effect.roles.includes("delete")) &&
      !(act.commands[effect.command]?.via ?? []).some((wrapper) =>
        isProgram("holds-services", wrapper.split(" ", 1)[0] ?? ""),
      ),
  },
  "container-loss": {
    means: "removes containers' volumes, images or data",
    on: "run",
    role: "work-loss",
    also: "container",
    holds: (effect) => !isRecoverable(effect),
  },
  "database-loss": {
    means: "drops, truncates or resets data in a database",
    on: "run",
    role: "work-loss",
    also: "database",
    holds: (effect) => !isRecoverable(effect),
  },
  "recoverable-loss": {
    means: "drops, resets or removes only what is local, made for development, or made again by the next migration",
    on: "run",
    role: "recoverable",
    also: "work-loss",
    holds: (effect) => isRecoverable(effect),
  },
  "production-change": {
    means: "changes something in production: a cloud, a cluster or a database",
    on: "run",
    role: "production",
  },
  "cloud-loss": {
    means: "removes resources in a cloud or cluster",
    on: "run",
    role: "work-loss",
    also: "cloud",
    holds: (effect) => !isRecoverable(effect),
  },
  "cloud-outage": {
    means:
      "stops, replaces or withdraws what runs in a cloud or a cluster, or changes it without showing before what changes",
    on: "run",
    role: "outage",
    holds: (effect) => !isRecoverable(effect),
  },
  unpublish: { means: "takes back what others may already use", on: "run", role: "work-loss", also: "publish" },
  "keys-loss": { means: "removes keys that cannot be made again", on: "run", role: "work-loss", also: "account" },
  "disk-loss": {
    means: "writes to or removes disks, partitions, volumes or snapshots",
    on: "run",
    roles: ["disk", "work-loss"],
    holds: (effect) => plays(effect, "disk") || plays(effect, "work-loss", "volume-manager"),
  },
  unreadable: {
    means: "is longer or deeper than can be read, or holds a NUL character",
    on: "unknown",
    holds: (effect) => /^(?:too |nul )/.test(effect.doubt.why),
  },
  "forget-history": {
    means: "switches off or empties the record of what is typed or logged",
    on: "run",
    holds: (effect, act) => isForgetting(effect, act),
  },
  "delete-history": {
    means: "removes the record of what was typed or logged",
    on: "delete",
    holds: (effect) => HISTORY.test(effect.path.text),
  },
} as const satisfies Record<string, EffectLabel>;

/** The commands that run by a wrapper. */
function runBy({ program }: Run, { commands }: CallEffects): readonly SimpleCommand[] {
  return commands.filter(({ via }) => via.some((wrapper) => wrapper.split(" ", 1)[0] === program));
}

/** Whether a command shows what root sees of the machine, reads logs, or changes the owner of files of the project, and nothing more. */
function isHarmless(command: SimpleCommand, act: CallEffects): boolean {
  const at = act.commands.indexOf(command);
  const name = command.program?.text ?? "";
  const own = effectsOf(at, act);
  const roles = own.flatMap((effect) => (effect.does === "run" ? effect.roles : []));
  const paths = own.filter(isPathEffect);
  if (roles.length === 1 && roles[0] === "permission")
    return paths.length > 0 && paths.every(({ path }) => path.isKnown && !isOutside(path, act.place));
  if (own.some((effect) => effect.does !== "run" && effect.does !== "read") || roles.length > 0) return false;
  if (name === "true" || isTrialInstallation(command)) return true;
  if (isReadOnlyRun(programNamed(name), command.args) !== true) return false;
  return paths.length > 0 ? paths.every((effect) => isOpenLook(effect, name, act)) : isProgram("reports-machine", name);
}

/** A look at the names and sizes of files that lie elsewhere, or into files of the system that hold no keys. */
function isOpenLook({ path }: PathEffect, program: string, { place }: CallEffects): boolean {
  if (!path.isKnown || path.text.includes("..") || !isOutside(path, place)) return false;
  if (!isProgram("prints-files", program)) return true;
  return OF_SYSTEM.test(path.text) && !isSecretFile(path.text);
}

const OF_SYSTEM = /^\/(?:var\/log|etc|proc|sys|usr|boot|lib)\/[^*?]+$/;

/** Production is never made again so easily. */
function isRecoverable({ roles }: Run): boolean {
  return roles.includes("recoverable") && !roles.includes("production");
}

function isForgetting(run: Run, act: CallEffects): boolean {
  if (run.roles.includes("trace-removal")) return true;
  if (run.roles.includes("overwrite")) return touchesOf(run, act, "write").some(({ path }) => HISTORY.test(path.text));
  return (
    /^(?:export|declare|typeset|readonly|local)$/.test(run.program) &&
    argsOf(run, act).some((arg) => /^HIST(?:FILE|SIZE|FILESIZE)=(?:0|\/dev\/null)?$/.test(arg))
  );
}

function isHandedOut(run: Run, act: CallEffects): boolean {
  if (isProgram("shell", run.program)) return touchesOf(run, act, "write").some(isSocket);
  return plays(run, "run-code", "socket-tool");
}

function isSocket({ path }: PathEffect): boolean {
  return /^\/dev\/(?:tcp|udp)\//.test(path.text);
}

/** Variables that a command is given, or that it sets for those to come. */
function setBy(run: Run, act: CallEffects): Readonly<Record<string, { readonly text: string }>> {
  const { assignments = {} } = act.commands[run.command] ?? {};
  if (!/^(?:export|declare|typeset|readonly)$/.test(run.program)) return assignments;
  const pairs = argsOf(run, act).map((arg) => /^(\w+)=(.*)$/s.exec(arg));
  return Object.fromEntries(pairs.flatMap((pair) => (pair === null ? [] : [[pair[1] ?? "", { text: pair[2] ?? "" }]])));
}

const HISTORY = /(?:^|\/)\.\w+_history$|fish_history$|^\/var\/log(?:\/|$)/;
