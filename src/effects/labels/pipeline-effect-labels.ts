import type { CallEffects, Effect, PathEffect } from "../effect.ts";
import { isPathEffect } from "../effect.ts";
import { isOutside } from "../path-class.ts";
import { weakensPipeline } from "../pipeline-text.ts";
import type { EffectLabel } from "./effect-label.ts";

/** Words about the pipelines of a project, which run with its keys. */
export const PIPELINE_EFFECT_LABELS = {
  "pipeline-leak": {
    means: "writes a pipeline that gives keys away, runs what was not checked, or has more rights than it needs",
    on: "write",
    holds: (effect, act) =>
      isPathEffect(effect) && effect.does === "write" && PIPELINES.test(effect.path.text) && isWeakened(effect, act),
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

const MOST = 12;
const PIPELINES =
  /(?:^|\/)(?:\.github\/(?:workflows|actions)(?:\/|$)|\.gitlab-ci\.ya?ml$|\.circleci\/|Jenkinsfile(?:\.\w+)?$|azure-pipelines[\w.-]*\.ya?ml$|bitbucket-pipelines\.ya?ml$|\.drone\.ya?ml$|\.buildkite\/|cloudbuild\.ya?ml$|\.travis\.ya?ml$|\.woodpecker|appveyor\.ya?ml$|buildspec\.ya?ml$|\.teamcity\/|\.gitea\/workflows\/|\.forgejo\/workflows\/)/;
