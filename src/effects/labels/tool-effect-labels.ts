import type { CallEffects, Effect, PathEffect } from "../effect.ts";
import { isDisposable, isDownloaded, isOutside, isPersonal, isUsersFolder, isWholeUsersFolder } from "../path-class.ts";
import { isMetadataHost } from "../tools/addresses.ts";
import { weakensPipeline } from "../tools/weak-pipelines.ts";
import type { EffectLabel } from "./effect-index.ts";

/** Labels for what tools other than shells do at services, by their input and by the verb of their name. */
export const TOOL_EFFECT_LABELS = {
  "service-data-access": {
    means: "changes who may use a database or how it runs, or reaches through it to its machine",
    on: "run",
    acts: ["data-access", "data-host"],
  },
  "service-outage": { means: "stops, replaces or switches off something at a service", on: "run", acts: ["outage"] },
  "service-access": {
    means: "changes who may use something at a service: secrets, keys, roles, webhooks, protections",
    on: "run",
    acts: ["access"],
  },
  "service-merge": {
    means: "merges a change for everybody, or overwrites a branch at a service",
    on: "run",
    acts: ["merge", "force-push"],
  },
  "send-key": {
    means: "sends a text with a key in it to another machine, by a tool",
    on: "run",
    acts: ["send-key", "page-secret"],
  },
  "metadata-address": {
    means: "asks the address at which a machine in a cloud gets its keys, by a tool that is not a shell",
    on: "network",
    holds: (effect, act) => act.commands.length === 0 && effect.host !== undefined && isMetadataHost(effect.host.text),
  },
  "inner-address": {
    means:
      "opens a file outside of the project, an interface of machines or a name that only looks right, by its address",
    on: "run",
    acts: ["inner-address"],
  },
  "people-data": {
    means: "shows or sends data about people, or a whole collection of data or code, by a tool",
    on: "run",
    acts: ["people-data"],
  },
  "service-secret": {
    means: "shows a secret that a service keeps, or copies a file with keys to where it is published",
    on: "run",
    acts: ["show-secret", "copy-secret"],
  },
  "tool-delete-outside": {
    means: "removes something outside of the project, by a tool that is not a shell",
    on: "delete",
    holds: (effect, act) =>
      act.commands.length === 0 && isOutside(effect.path, act.place) && !isDisposable(effect.path, act.place),
  },
  "remove-check": {
    means: "takes away a check of the project or of the agent, by a tool",
    on: "run",
    acts: ["check-loss"],
  },
  "tool-overwrite": {
    means: "writes over a file that is kept nowhere else, or over a disk, by a tool",
    on: "run",
    acts: ["file-loss"],
  },
  "read-personal": {
    means: "reads or searches personal files of the user, by a tool",
    on: "read",
    holds: (effect, act) =>
      act.commands.length === 0 &&
      isUsersFolder(effect.path, act.place) &&
      isPersonal(effect.path, act.place) &&
      (PRIVATE_NAME().test(effect.path.text) ||
        isWholeUsersFolder(effect.path, act.place) ||
        (PAPERS.test(effect.path.text) && !isDownloaded(effect.path, act.place) && !PICTURED.test(effect.path.text))),
  },
  "pipeline-secret": {
    means: "writes a pipeline that gives its secrets away, or runs what strangers wrote with them",
    on: "run",
    acts: ["ci-secret"],
  },
  "write-harmful-code": {
    means: "writes code that gives a shell, keys or the whole environment to another machine",
    on: "run",
    acts: ["harmful-code"],
  },
  "write-auto-run": {
    means: "writes a file by which an editor, a container, a package manager or an agent runs something by itself",
    on: "run",
    acts: ["auto-run"],
  },
} as const satisfies Record<string, EffectLabel>;

/** Names of what is about the user alone. */
const PRIVATE_NAME = () =>
  /passport|reisepass|ausweis|id[-_ ]?card|driver'?s?[-_ ]licen[cs]e|\btax(?:es)?\b|steuer|payslip|salary|gehalt|lohn|medical|health|diagnos|patient|therap|krank|arzt|insurance|versicherung|bank|iban|kontoauszug|mortgage|divorce|diary|tagebuch|testament|\bwill\.|visa|\bssn\b|birth|geburt|kids|family|familie|love|private|privat|personal/i;
/** Papers and pictures, other than what is shown on the screen. */
const PAPERS =
  /\.(?:pdf|docx?|xlsx?|pptx?|od[tsp]|rtf|pages|numbers|key|jpe?g|heic|png|tiff?|mp4|mov|eml|msg|vcf|ics|one)$/i;
const PICTURED = /\/Desktop\/.*\.(?:png|jpe?g)$|screenshot|bildschirmfoto/i;

/** Words about the pipelines of a project, which run with its keys. */
export const PIPELINE_EFFECT_LABELS = {
  "pipeline-leak": {
    means: "writes a pipeline that gives keys away, runs what was not checked, or has more rights than it needs",
    on: "write",
    holds: (effect, act) => PIPELINES().test(effect.path.text) && isWeakened(effect, act),
  },
} as const satisfies Record<string, EffectLabel>;

/** By the text that is written, or because it comes from elsewhere. */
function isWeakened(effect: PathEffect, act: CallEffects): boolean {
  const { commands, texts, effects } = act;
  if (effect.source !== undefined && isOutside(effect.source, act.place)) return true;
  if (effects.some((other) => isFetched(other, effect))) return true;
  const command = commands[effect.command];
  if (command !== undefined && weakensPipeline(command.source)) return true;
  if (command?.input.from === "text" && weakensPipeline(command.input.text.text)) return true;
  return (
    texts.some(weakensPipeline) ||
    (commands.length <= MAX_COMMANDS && commands.some(({ source }) => weakensPipeline(source)))
  );
}

function isFetched(other: Effect, { path }: PathEffect): boolean {
  return other.does === "flow" && other.from === "network" && other.to === "file" && other.path?.text === path.text;
}

/** Whether a path is a file of a pipeline, or a folder of such files. */
export function isPipeline(path: string): boolean {
  return PIPELINES().test(path);
}

const MAX_COMMANDS = 12;
const PIPELINES = () =>
  /(?:^|\/)(?:\.github\/(?:workflows|actions)(?:\/|$)|\.gitlab-ci\.ya?ml$|\.circleci\/|Jenkinsfile(?:\.\w+)?$|azure-pipelines[\w.-]*\.ya?ml$|bitbucket-pipelines\.ya?ml$|\.drone\.ya?ml$|\.buildkite\/|cloudbuild\.ya?ml$|\.travis\.ya?ml$|\.woodpecker|appveyor\.ya?ml$|buildspec\.ya?ml$|\.teamcity\/|\.gitea\/workflows\/|\.forgejo\/workflows\/)/;
