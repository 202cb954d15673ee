import type { Role } from "../effect.ts";
import { runsValue } from "../programs/git-remote.ts";

/** What setting a variable does: it may load code into programs, or stop the shell from keeping its history. */
export function roleOfVariable(name: string, value: string, isLasting: boolean): Role | undefined {
  if (LOADS_CODE[name]?.test(value) || (GIT_SETTING.test(name) && runsValue(`${value}=?`))) return "run-code";
  return isLasting && /^HIST(?:FILE|SIZE|FILESIZE)$/.test(name) && /^(?:0|\/dev\/null)?$/.test(value)
    ? "trace-removal"
    : undefined;
}

/** Settings of git that come by the environment, one variable for each name. */
const GIT_SETTING = /^GIT_CONFIG_KEY_\d+$/;

const OTHER_THAN_SHOWING = /^(?!(?:cat|less|more|true|echo|:|vi|vim|nano|code|)(?:\s|$))/;

/** Variables that make programs load or run something, and the values that do. */
const LOADS_CODE: Readonly<Record<string, RegExp>> = {
  __proto__: null as never,
  LD_PRELOAD: /./,
  LD_AUDIT: /./,
  DYLD_INSERT_LIBRARIES: /./,
  BASH_ENV: /./,
  ENV: /\//,
  PROMPT_COMMAND: /./,
  NODE_OPTIONS: /(?:^|\s)(?:-r|--require|--import|--(?:experimental-)?loader)\b/,
  PYTHONSTARTUP: /./,
  PERL5OPT: /./,
  RUBYOPT: /-r/,
  JAVA_TOOL_OPTIONS: /-(?:javaagent|agent)/,
  GIT_SSH: /./,
  GIT_SSH_COMMAND: /^(?!ssh(?:\s|$))|(?:Proxy|Local)Command/i,
  GIT_EXTERNAL_DIFF: /./,
  GIT_PAGER: OTHER_THAN_SHOWING,
  GIT_EDITOR: OTHER_THAN_SHOWING,
  GIT_SEQUENCE_EDITOR: OTHER_THAN_SHOWING,
  PAGER: OTHER_THAN_SHOWING,
  GIT_ASKPASS: OTHER_THAN_SHOWING,
  GIT_PROXY_COMMAND: /./,
  // A place in the path that is the current folder, whatever that is.
  PATH: /(?:^|:)\.?(?::|$)/,
};
