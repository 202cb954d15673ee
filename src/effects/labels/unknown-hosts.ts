import type { CallEffects, Effect } from "../effect.ts";
import { effectsOf } from "../effects-by-command.ts";
import { GAP, type Word } from "../parse/command.ts";
import { isDownloaded } from "../path-class.ts";
import { isHosting } from "../programs/git-remote.ts";
import { isProgram } from "../programs/program-name.ts";
import { isForTrials } from "../programs/targets.ts";

/** Whether a file goes to a host that neither development nor the inner network knows, by a program that sends to any host. */
export function isSentAway({ path, command }: Extract<Effect, { does: "flow" }>, act: CallEffects): boolean {
  if (path !== undefined && isHarmless(path, act)) return false;
  return effectsOf(command, act).some(
    (effect) =>
      effect.does === "network" &&
      effect.way !== "in" &&
      isProgram("any-host", effect.program) &&
      effect.host !== undefined &&
      isUnknownHost(effect.host),
  );
}

/** One downloaded file, and the body of a request that is written for it. */
function isHarmless(path: Word, { place }: CallEffects): boolean {
  return (isDownloaded(path, place) && /[^/]\.\w{1,8}$/.test(path.text)) || REQUEST.test(path.text);
}

/** A name with a public domain or a public address that no service of development has. */
function isUnknownHost(host: Word): boolean {
  const { text } = host;
  if (text.includes(GAP) || !/^\[?[\da-f:]+\]?$|\.[a-z\d]/i.test(text)) return false;
  if (INNER.test(text) || isForTrials(host) || isHosting(text)) return false;
  return !SERVICES().test(text);
}

const REQUEST =
  /(?:^|[/_.-])(?:payload|body|request|query|event|example|sample|fixture|test)[\w.-]*\.(?:json|xml|ya?ml|graphql|txt)$/i;
const INNER =
  /^(?:localhost|127\.|10\.|192\.168\.|169\.254\.|172\.(?:1[6-9]|2\d|3[01])\.|0\.0\.0\.0|::1|fe80|f[cd][\da-f]{2}:)|\.(?:local|localhost|lan|internal|intranet|corp|home|test|invalid)$/i;
/** Services to which builds, tests and releases send. */
const SERVICES = () =>
  /(?:^|\.)(?:codecov\.io|coveralls\.io|sonarcloud\.io|codeclimate\.com|deepsource\.io|snyk\.io|sentry\.io|datadoghq\.(?:com|eu)|newrelic\.com|honeycomb\.io|grafana\.net|circleci\.com|travis-ci\.com|buildkite\.com|appveyor\.com|githubusercontent\.com|npmjs\.org|pypi\.org|crates\.io|rubygems\.org|docker\.io|ghcr\.io|quay\.io|amazonaws\.com|googleapis\.com|windows\.net|azure\.com|cloudflare\.com|browserstack\.com|saucelabs\.com|bitrise\.io|expo\.dev|hex\.pm|godbolt\.org)$/i;
