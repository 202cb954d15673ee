import { type CallEffects, type Effect, isPathEffect, type PathEffect } from "../effect.ts";
import { isDisposable, isOutside } from "../path-class.ts";
import { isSecretFile } from "../secret-files.ts";
import { isMetadataHost } from "../tools/addresses.ts";
import type { ToolActKind } from "../tools/tool-call.ts";
import type { EffectLabel } from "./effect-index.ts";

/** Words about what tools that are no shells do at services, by their input and by the verb of their name. */
export const TOOL_EFFECT_LABELS = {
  "service-data-access": {
    means: "changes who may use a database or how it runs, or reaches through it to its machine",
    on: "run",
    byTool: true,
    holds: (effect) => isAct(effect, "data-access", "data-host"),
  },
  "service-outage": {
    means: "stops, replaces or switches off something at a service",
    on: "run",
    byTool: true,
    holds: (effect) => isAct(effect, "outage"),
  },
  "service-access": {
    means: "changes who may use something at a service: secrets, keys, roles, webhooks, protections",
    on: "run",
    byTool: true,
    holds: (effect) => isAct(effect, "access"),
  },
  "service-merge": {
    means: "merges a change for everybody, or overwrites a branch at a service",
    on: "run",
    byTool: true,
    holds: (effect) => isAct(effect, "merge", "force-push"),
  },
  "send-key": {
    means: "sends a text with a key in it to another machine, by a tool",
    on: "run",
    byTool: true,
    holds: (effect) => isAct(effect, "send-key", "page-secret"),
  },
  "metadata-address": {
    means: "asks the address at which a machine in a cloud gets its keys, by a tool that is no shell",
    on: "network",
    holds: (effect, act) =>
      effect.does === "network" &&
      act.commands.length === 0 &&
      effect.host !== undefined &&
      isMetadataHost(effect.host.text),
  },
  "inner-address": {
    means:
      "opens a file outside of the project, an interface of machines or a name that only looks right, by its address",
    on: "run",
    byTool: true,
    holds: (effect) => isAct(effect, "inner-address"),
  },
  "service-secret": {
    means: "shows a secret that a service keeps, or copies a file with keys to where it is published",
    on: "run",
    byTool: true,
    holds: (effect) => isAct(effect, "show-secret", "copy-secret"),
  },
  "tool-delete-outside": {
    means: "removes something outside of the project, by a tool that is no shell",
    on: "delete",
    holds: (effect, act) =>
      effect.does === "delete" &&
      act.commands.length === 0 &&
      isOutside(effect.path, act.place) &&
      !isDisposable(effect.path, act.place),
  },
  "pipeline-secret": {
    means: "writes a pipeline that gives its secrets away, or runs what strangers wrote with them",
    on: "run",
    byTool: true,
    holds: (effect) => isAct(effect, "ci-secret"),
  },
  "write-auto-run": {
    means: "writes a file by which an editor, a container, a package manager or an agent runs something by itself",
    on: "run",
    byTool: true,
    holds: (effect) => isAct(effect, "auto-run"),
  },
  "write-key": {
    means: "writes over keys or logins of the user, by a tool that is no shell",
    on: "write",
    holds: (effect, act) =>
      effect.does === "write" &&
      act.commands.length === 0 &&
      isSecretFile(effect.path.text) &&
      isOutside(effect.path, act.place),
  },
} as const satisfies Record<string, EffectLabel>;

function isAct(effect: Effect, ...kinds: readonly ToolActKind[]): boolean {
  return effect.does === "run" && effect.act !== undefined && kinds.some((kind) => kind === effect.act?.kind);
}

/** Words about the pipelines of a project, which run with its keys. */
export const PIPELINE_EFFECT_LABELS = {
  "pipeline-leak": {
    means: "writes a pipeline that gives keys away, runs what was not checked, or has more rights than it needs",
    on: "write",
    holds: (effect, act) =>
      isPathEffect(effect) && effect.does === "write" && PIPELINES().test(effect.path.text) && isWeakened(effect, act),
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
    texts.some(weakensPipeline) || (commands.length <= MOST && commands.some(({ source }) => weakensPipeline(source)))
  );
}

function isFetched(other: Effect, { path }: PathEffect): boolean {
  return other.does === "flow" && other.from === "network" && other.to === "file" && other.path?.text === path.text;
}

/** Whether lines of a pipeline give keys away, run what was not checked, or take more rights than they need. */
function weakensPipeline(text: string): boolean {
  return RIGHTS().test(text) || KEYS_PRINTED().test(text) || KEYS_SENT().test(text) || UNCHECKED().test(text);
}

/** Code of strangers with the keys of the project, rights to everything, masks that are taken away. */
const RIGHTS = () =>
  /pull_request_target|run:[^\n]*\$\{\{\s*github\.event\.(?:issue|pull_request|comment|review|head_commit)\.(?:title|body|message)|write-all|\ballowed_actions=all|ACTIONS_STEP_DEBUG['":\s]*\s*true|add-mask|\bpersist-credentials:\s*true/;
/** Keys that go into the log, into an artifact, or into the output in other letters. */
const KEYS_PRINTED = () =>
  /(?:\|\s*(?:rev|base64|xxd|tr)\b|\b(?:nslookup|dig|ping)\s)[\s\S]{0,300}\$\{\{\s*secrets\.|toJSON\(\s*secrets|secrets\.\w+[^\n]{0,80}(?:\||>)\s*(?:base64|rev|xxd|tee|sed|\w*\.txt)|(?:^|[\s"'`;&|(])(?:env|printenv|set|export -p)\s*(?:\||>)|echo\s[^\n]{0,60}\$\{\{\s*secrets\.|credentials\.store|withCredentials[^\n]{0,200}(?:echo|println)|print(?:ln|env)[^\n]{0,60}(?:TOKEN|SECRET|PASSWORD)|(?:^|[\s"'`])(?:env|printenv)(?:["'`]|\\n|\s*$)|cat\s[^\n]{0,60}(?:\.netrc|\.npmrc|credentials|id_rsa|\.docker\/config|\.env\b)/m;
/** Requests with a body, a file or a key in them. */
const KEYS_SENT = () =>
  /\b(?:curl|wget|nc|ncat|fetch|Invoke-WebRequest|Invoke-RestMethod|http)\b[^\n]{0,300}(?:\$\{?\{?\s*(?:secrets\.)?\w*(?:TOKEN|SECRET|KEY|PASSW)\w*|\$\{\{|\s-d\b|--data|--post|\s-F\b|\s-T\b|@-|@\$|process\.env)|\/dev\/tcp\//i;
/** What is fetched and run, actions by a branch that moves, registries without a check. */
const UNCHECKED = () =>
  /\b(?:curl|wget)\b[^\n|]{0,300}\|\s*(?:sudo\s+)?(?:ba|z|da)?sh\b|[\w.-]+\/[\w.-]+@(?:main|master|latest|dev)\b|--registry[= ]http:\\?\/|strict-ssl[= ]false|\bimage:\s*\S+\/\S+:latest\b.*\bprivileged\b|privileged:\s*true/i;

const MOST = 12;
const PIPELINES = () =>
  /(?:^|\/)(?:\.github\/(?:workflows|actions)(?:\/|$)|\.gitlab-ci\.ya?ml$|\.circleci\/|Jenkinsfile(?:\.\w+)?$|azure-pipelines[\w.-]*\.ya?ml$|bitbucket-pipelines\.ya?ml$|\.drone\.ya?ml$|\.buildkite\/|cloudbuild\.ya?ml$|\.travis\.ya?ml$|\.woodpecker|appveyor\.ya?ml$|buildspec\.ya?ml$|\.teamcity\/|\.gitea\/workflows\/|\.forgejo\/workflows\/)/;
