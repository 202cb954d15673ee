import type { CallEffects, Effect, PathEffect } from "../effect.ts";
import type { Word } from "../parse/command.ts";
import { hasSubstitution, isSubstitutedIn } from "../parse/insertions.ts";
import { isOutside, isProtected } from "../path-class.ts";
import { isAtOrUnder } from "../paths.ts";
import { isSecretFile } from "../secret-files.ts";
import type { EffectLabel } from "./effect-label.ts";
import { GREPS, isCounting, printsKey } from "./printed-keys.ts";

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
    holds: (effect) => effect.does === "flow" && effect.from === "network" && effect.to === "shell",
  },
  "run-hidden": {
    means: "runs text that was hidden before, such as base64",
    on: "flow",
    holds: (effect) => effect.does === "flow" && effect.from === "text" && effect.to === "shell",
  },
} as const satisfies Record<string, EffectLabel>;

/** A home, or a folder of everybody's settings, with all that lies in it. */
function isPackedHome({ text }: Word, { effects, place }: CallEffects): boolean {
  const { home } = place;
  const whole = home !== undefined && isAtOrUnder(text, home) ? `~${text.slice(home.length)}` : text;
  if (!HOLDS_KEYS.test(whole)) return false;
  return effects.some(
    (effect) => effect.does === "read" && effect.isTree && effect.path.text === text && !LISTERS.test(effect.program),
  );
}

const HOLDS_KEYS =
  /^(?:~|\/|\/root|\/(?:home|Users)(?:\/[^/]+)?|\/etc|~\/(?:\.config|\.local\/share|Library))(?:\/\**)?$/;
const LISTERS = /^(?:ls|find|fd|fdfind|du|tree|g?rep|[ef]?grep|rg|ag|ack)$/;

function isRead(effect: Effect): effect is PathEffect {
  return effect.does === "read";
}

/** Outside of the project, or the user's own although the call works in the home itself. */
function isForeign({ path }: PathEffect, { place }: CallEffects): boolean {
  return isOutside(path, place) || (isProtected(path, place) && !path.text.includes(".git/"));
}

/** Programs that log in with a key do not show it. */
function shows({ program }: PathEffect): boolean {
  return !/^(?:ssh|scp|sftp|rsync|ssh-add|ssh-keygen|ssh-copy-id|autossh|mosh|git|docker|podman|kubectl|helm|aws|gcloud|npm|chmod|chown|ls|stat|test|\[|\[\[|source|\.)$/.test(
    program,
  );
}

/** What a substitution takes, or what only counts and compares, is not seen by whoever reads the output. */
function isPrinted({ command }: PathEffect, { commands }: CallEffects): boolean {
  const reader = commands[command];
  if (reader === undefined) return true;
  if (reader.program?.text === "openssl") return showsKey(reader.args.map(({ text }) => text));
  const program = reader.program?.text ?? "";
  if (GREPS.test(program) ? isCounting(reader.args) : !PRINTERS.test(program)) return false;
  return !commands.some((outer) => outer !== reader && isSubstitutedIn(reader, outer) && hasSubstitution(outer.source));
}

/** `openssl rsa -in key` prints the key that it reads, unless it is told to do something else with it. */
function showsKey([asked = "", ...options]: readonly string[]): boolean {
  return (
    /^(?:rsa|ec|dsa|pkey|pkcs8|pkcs12)$/.test(asked) &&
    !options.some((text) => /^-(?:pubout|noout|out|check)$/.test(text))
  );
}

const PRINTERS =
  /^(?:cat|tac|nl|less|more|most|bat|batcat|head|tail|strings|xxd|od|hexdump|hexyl|base64|base32|rev|fold|cut|paste|sort|[ef]?grep|rg|ag|g?awk|mawk|jq|yq|pr|column|view|type|Get-Content|gc|sops|ansible-vault)$/;
