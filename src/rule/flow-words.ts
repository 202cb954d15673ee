import type { Act } from "../act/act.ts";
import { isOutside, isProtected } from "../act/path-class.ts";
import type { Effect } from "../shell/effect.ts";
import { hasSubstitution, isSubstitutedIn } from "../shell/insertions.ts";
import { isSecretFile } from "../shell/secret-files.ts";
import type { EffectWord, Touch } from "./effect-word.ts";

/** Words about what goes where: secrets, files, downloads, hidden text. */
export const FLOW_WORDS = {
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
    holds: (effect) =>
      effect.does === "flow" &&
      effect.from === "file" &&
      effect.to === "network" &&
      isSecretFile(effect.path?.text ?? ""),
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
} as const satisfies Record<string, EffectWord>;

function isRead(effect: Effect): effect is Touch {
  return effect.does === "read";
}

/** Outside of the project, or the user's own although the call works in the home itself. */
function isForeign({ path }: Touch, { place }: Act): boolean {
  return isOutside(path, place) || (isProtected(path, place) && !path.text.includes(".git/"));
}

/** Programs that log in with a key do not show it. */
function shows({ program }: Touch): boolean {
  return !/^(?:ssh|scp|sftp|rsync|ssh-add|ssh-keygen|ssh-copy-id|autossh|mosh|git|docker|podman|kubectl|helm|aws|gcloud|npm|chmod|chown|ls|stat|test|\[|\[\[|source|\.)$/.test(
    program,
  );
}

/** What a substitution takes, or what only counts and compares, is not seen by whoever reads the output. */
function isPrinted({ command }: Touch, { commands }: Act): boolean {
  const reader = commands[command];
  if (reader === undefined) return true;
  const isCounting = reader.args.some(({ text }) =>
    /^-[a-zA-Z]*[clqL][a-zA-Z]*$|^--(?:count|quiet|silent|files)/.test(text),
  );
  if (
    /^(?:[ef]?grep|rg|ag)$/.test(reader.program?.text ?? "") ? isCounting : !PRINTERS.test(reader.program?.text ?? "")
  )
    return false;
  return !commands.some((outer) => outer !== reader && isSubstitutedIn(reader, outer) && hasSubstitution(outer.source));
}

const PRINTERS =
  /^(?:cat|tac|nl|less|more|most|bat|batcat|head|tail|strings|xxd|od|hexdump|hexyl|base64|base32|rev|fold|cut|paste|sort|[ef]?grep|rg|ag|g?awk|mawk|jq|yq|pr|column|view|type|Get-Content|gc)$/;
