import type { CallEffects, CallPlace, PathEffect } from "../effect.ts";
import { GAP, type SimpleCommand, type Word } from "../parse/command.ts";
import { isOutside, isProtected } from "../path-class.ts";
import { isAtOrUnder, resolvedPath } from "../paths.ts";
import { showsFile } from "../programs/power-shell-output.ts";
import { printsInCode, printsRead, usesKeyQuietly } from "../programs/prints-read.ts";
import { isProgram } from "../programs/program-name.ts";
import { isSecretFile } from "../programs/secret-files.ts";
import { isCounting, isShown, leavesNames } from "../shown-output.ts";
import { giversOf } from "../substitution-sources.ts";
import type { EffectLabel } from "./effect-index.ts";
import { holdsKeys, isKeyFile, mayHoldKeys } from "./key-files.ts";
import { printsKey } from "./printed-keys.ts";
import { isSentAway } from "./unknown-hosts.ts";

/** Words about what goes where: secrets, files, downloads, hidden text. */
export const FLOW_EFFECT_LABELS = {
  "read-secret": {
    means: "reads a file that holds keys or passwords",
    on: "read",
    holds: (effect, act) => shows(effect) && holdsKeys(effect.path, act.place),
  },
  "show-secret": {
    means: "prints the keys or passwords that a file holds",
    on: "read",
    holds: (effect, act) =>
      shows(effect) &&
      (holdsKeys(effect.path, act.place) || searchesKeys(effect, act) || isNamedSecret(effect, act)) &&
      isPrinted(effect, act),
  },
  "show-copied-secret": {
    means: "prints what it has taken from a file with keys or passwords",
    on: "flow",
    to: "terminal",
    holds: (effect, { place }) => effect.path === undefined || isKeyFile(effect.path, place),
  },
  "show-variable": {
    means: "prints a variable that holds a key or a password",
    on: "run",
    holds: (effect, act) => printsKey(effect, act),
  },
  "show-token": {
    means: "prints a token, a key or a password that a tool keeps",
    on: "run",
    role: "reveal",
    holds: (effect, act) => isShown(effect.command, act.commands),
  },
  "store-secret": {
    means: "writes keys, tokens or passwords that a tool keeps into a file",
    on: "flow",
    from: "environment",
    to: "file",
    // The outputs of an infrastructure are made for other programs to read.
    holds: (_, { effects }) =>
      effects.some((effect) => effect.does === "run" && effect.roles.includes("reveal") && effect.verb !== "output"),
  },
  "read-key": {
    means: "shows keys or passwords that are not the project's own",
    on: "read",
    holds: (effect, act) =>
      isForeign(effect, act) &&
      shows(effect) &&
      holdsKeys(effect.path, act.place) &&
      // What a password manager passes to another program is not shown.
      (!isProgram("keeps-passwords", effect.program) || isShown(effect.command, act.commands)) &&
      !usesKeyQuietly(act.commands[effect.command]),
  },
  "send-file": { means: "sends a file to another machine", on: "flow", from: "file", to: "network" },
  "send-secret": {
    means: "sends a file with keys or passwords to another machine",
    on: "flow",
    from: "file",
    to: "network",
    holds: (effect, act) => {
      if (effect.path === undefined) return false;
      const path = climbed(effect.path, act.place);
      return (
        mayHoldKeys({ ...effect.path, text: path }, act.place) || OF_MACHINE().test(path) || isPackedHome(path, act)
      );
    },
  },
  "send-environment": {
    means: "sends the environment, with its keys, to another machine",
    on: "flow",
    from: "environment",
    to: "network",
  },
  "send-variable": {
    means: "sends a variable that holds a key or a password, elsewhere than in a login",
    on: "flow",
    from: "variable",
    to: "network",
  },
  "send-data": {
    means: "sends a database, a repository or files to a machine that development does not know",
    on: "flow",
    to: "network",
    holds: (effect, act) => effect.from === "data" || (effect.from === "file" && isSentAway(effect, act)),
  },
  "run-download": {
    means: "runs what it has just fetched",
    on: "flow",
    from: "network",
    to: "shell",
    holds: (effect) => !effect.isUnpacked,
  },
  "run-unpacked": {
    means: "runs what it has just fetched and unpacked",
    on: "flow",
    holds: (effect) => effect.isUnpacked === true,
  },
  "run-document": {
    means: "runs notes or data as if they were a script, or a file of this machine on another one",
    on: "flow",
    from: "file",
    to: "shell",
  },
  "run-hidden": { means: "runs text that was hidden before, such as base64", on: "flow", from: "text", to: "shell" },
} as const satisfies Record<string, EffectLabel>;

/** What every user of a machine may read, and no other machine needs: its accounts, and which users may log in. */
const OF_MACHINE = () =>
  /^\/etc\/(?:passwd-?|group-?|fstab|exports|machine-id|(?:ssh|ldap|openldap|samba|cron\.\w+)\/.+)$/;

/** A home, or a folder with the settings of all users, with everything in it. */
function isPackedHome(path: string, { effects, place }: CallEffects): boolean {
  const { home } = place;
  const whole = home !== undefined && isAtOrUnder(path, home) ? `~${path.slice(home.length)}` : path;
  if (!HOLDS_KEYS().test(whole)) return false;
  return effects.some(
    (effect) =>
      effect.does === "read" &&
      effect.isTree &&
      climbed(effect.path, place) === path &&
      !isProgram("file-finder", effect.program),
  );
}

/** A path that leaves the folder of the call, from the root; any other as it is. */
function climbed({ text }: Word, { cwd = "." }: CallPlace): string {
  return /^\.\.(?:\/|$)/.test(text) ? resolvedPath(cwd, text) : text;
}

const HOLDS_KEYS = () =>
  /^(?:~|\/|\/root|\/(?:home|Users)(?:\/[^/]+)?|\/etc|~\/(?:\.config|\.local\/share|Library))(?:\/\**)?$/;

/** A file whose name another command gives, which looks for the name of a file with keys: `ls -a | grep '^.env$' | xargs cat`. */
function isNamedSecret({ path, command }: PathEffect, { commands }: CallEffects): boolean {
  if ((path.text !== GAP && !path.isGlob) || commands.length < 2) return false;
  return giversOf(command, commands).some((chain) =>
    chain.some(({ args }) =>
      args.some(({ text }) => isSecretFile(text.replaceAll(/^\^|\$$|\\|^\*+(?=\.)|\.?\*+$/g, ""))),
    ),
  );
}

/** A search for keys through a home, or through everything. */
function searchesKeys({ isTree, path, program, command }: PathEffect, { commands }: CallEffects): boolean {
  if (!isTree || !isProgram("text-search", program)) return false;
  const args = commands[command]?.args ?? [];
  if (!HOLDS_KEYS().test(path.text) && !args.some(({ text }) => EVERY_FILE.test(text))) return false;
  return args.some(({ text }) => !text.startsWith("-") && KEY_PATTERN().test(text));
}

/** Also what git ignores and what is hidden. */
const EVERY_FILE = /^-[a-z]*uu|^--(?:no-ignore|unrestricted)$/;
const KEY_PATTERN = () =>
  /PRIVATE KEY|BEGIN (?:RSA|OPENSSH|EC|DSA|PGP)|AKIA|ghp_|gh[ops]_|xox[bp]|sk-|passw|secret|token|api_?key|credential/i;

/** Outside of the project, or the user's own although the call works in the home itself. */
function isForeign({ path }: PathEffect, { place }: CallEffects): boolean {
  return isOutside(path, place) || (isProtected(path, place) && !path.text.includes(".git/"));
}

/** A program that logs in with a key does not show it; no program logs in with the passwords of the system, but some only look at files. */
function shows({ program, path }: PathEffect): boolean {
  if (!isProgram("uses-keys", program)) return true;
  return !isProgram("looks-at-files", program) && /^\/etc\/(?:shadow|gshadow|sudoers)/.test(path.text);
}

/** What is passed to another program, or is only counted and compared, does not appear in the output. */
function isPrinted({ command, path, program: doing }: PathEffect, { commands }: CallEffects): boolean {
  const reader = commands[command];
  if (reader === undefined) return true;
  const program = reader.program?.text ?? "";
  if (isProgram("windows-shell", program))
    return (
      isProgram("prints-files", doing) &&
      showsFile(reader.args.map(({ text }) => text).join(" "), path.text.slice(path.text.lastIndexOf("/") + 1))
    );
  const printed = printsRead(reader) ?? prints(reader, program, path, commands);
  return printed && !leavesNames(reader) && isShown(command, commands);
}

function prints(reader: SimpleCommand, program: string, path: Word, commands: readonly SimpleCommand[]): boolean {
  if (isProgram("text-search", program)) return !isCounting(reader.args);
  if (isProgram("prints-files", program)) return true;
  if (isProgram("passes-text-on", program) && reader.input.from === "file") return true;
  if (reader.args.some(({ text }) => text.startsWith("file:") && text.endsWith(path.text))) return true;
  // Code of another language reads it; the calls that print decide whether it is shown.
  return (
    program === "" && reader.via.length > 0 && commands.some(({ args }) => args.some(({ text }) => printsInCode(text)))
  );
}
