import type { CallEffects, Effect, PathEffect } from "../effect.ts";
import type { Word } from "../parse/command.ts";
import { hasSubstitution, isSubstitutedIn } from "../parse/insertions.ts";
import { isOutside, isProtected } from "../path-class.ts";
import { isAtOrUnder } from "../paths.ts";
import { printsKeyOf } from "../programs/accounts.ts";
import { isProgram } from "../programs/program-name.ts";
import { isSecretFile } from "../secret-files.ts";
import { type EffectLabel, plays } from "./effect-label.ts";
import { isCounting, isShown, printsKey } from "./printed-keys.ts";

/** Words about what goes where: secrets, files, downloads, hidden text. */
export const FLOW_EFFECT_LABELS = {
  "read-secret": {
    means: "reads a file that holds keys or passwords",
    on: "read",
    holds: (effect) => isRead(effect) && isSecretFile(effect.path.text) && shows(effect),
  },
  "show-secret": {
    means: "prints the keys or passwords that a file holds",
    on: "read",
    holds: (effect, act) => isRead(effect) && isSecretFile(effect.path.text) && shows(effect) && isPrinted(effect, act),
  },
  "show-variable": {
    means: "prints a variable that holds a key or a password",
    on: "run",
    holds: (effect, act) => effect.does === "run" && printsKey(effect, act),
  },
  "show-token": {
    means: "prints a token, a key or a password that a tool keeps",
    on: "run",
    role: "reveal",
    holds: (effect, act) => plays(effect, "reveal") && isShown(effect.command, act.commands),
  },
  "read-key": {
    means: "shows keys or passwords that are not the project's own",
    on: "read",
    holds: (effect, act) => isRead(effect) && isSecretFile(effect.path.text) && isForeign(effect, act) && shows(effect),
  },
  "send-file": {
    means: "sends a file to another machine",
    on: "flow",
    holds: (effect) => effect.does === "flow" && effect.from === "file" && effect.to === "network",
  },
  "send-secret": {
    means: "sends a file with keys or passwords to another machine",
    on: "flow",
    holds: (effect, act) =>
      effect.does === "flow" &&
      effect.from === "file" &&
      effect.to === "network" &&
      effect.path !== undefined &&
      (isSecretFile(effect.path.text) || isPackedHome(effect.path, act)),
  },
  "send-environment": {
    means: "sends the environment, with its keys, to another machine",
    on: "flow",
    holds: (effect) => effect.does === "flow" && effect.from === "environment" && effect.to === "network",
  },
  "send-data": {
    means: "sends a whole database or repository to another machine",
    on: "flow",
    holds: (effect) => effect.does === "flow" && effect.from === "data" && effect.to === "network",
  },
  "run-download": {
    means: "runs what it has just fetched",
    on: "flow",
    holds: (effect) =>
      effect.does === "flow" && effect.from === "network" && effect.to === "shell" && !effect.isUnpacked,
  },
  "run-unpacked": {
    means: "runs what it has just fetched and unpacked",
    on: "flow",
    holds: (effect) => effect.does === "flow" && effect.isUnpacked === true,
  },
  "run-hidden": {
    means: "runs text that was hidden before, such as base64",
    on: "flow",
    holds: (effect) => effect.does === "flow" && effect.from === "text" && effect.to === "shell",
  },
} as const satisfies Record<string, EffectLabel>;

/** A home, or a folder with the settings of all users, with all that lies in it. */
function isPackedHome({ text }: Word, { effects, place }: CallEffects): boolean {
  const { home } = place;
  const whole = home !== undefined && isAtOrUnder(text, home) ? `~${text.slice(home.length)}` : text;
  if (!HOLDS_KEYS.test(whole)) return false;
  return effects.some(
    (effect) =>
      effect.does === "read" && effect.isTree && effect.path.text === text && !isProgram("file-finder", effect.program),
  );
}

const HOLDS_KEYS =
  /^(?:~|\/|\/root|\/(?:home|Users)(?:\/[^/]+)?|\/etc|~\/(?:\.config|\.local\/share|Library))(?:\/\**)?$/;

function isRead(effect: Effect): effect is PathEffect {
  return effect.does === "read";
}

/** Outside of the project, or the user's own although the call works in the home itself. */
function isForeign({ path }: PathEffect, { place }: CallEffects): boolean {
  return isOutside(path, place) || (isProtected(path, place) && !path.text.includes(".git/"));
}

/** A program that logs in with a key does not show it. */
function shows({ program }: PathEffect): boolean {
  return !isProgram("uses-keys", program);
}

/** What a substitution takes, or what only counts and compares, does not appear in the output. */
function isPrinted({ command }: PathEffect, { commands }: CallEffects): boolean {
  const reader = commands[command];
  if (reader === undefined) return true;
  const program = reader.program?.text ?? "";
  const printed = printsKeyOf(program, reader.args);
  if (printed !== undefined) return printed;
  if (isProgram("text-search", program) ? isCounting(reader.args) : !isProgram("prints-files", program)) return false;
  return !commands.some((outer) => outer !== reader && isSubstitutedIn(reader, outer) && hasSubstitution(outer.source));
}
