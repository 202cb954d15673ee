import { ADAPTERS } from "../../adapters/index.ts";
import { type CallEffects, callContents, runsOf } from "../../effects/index.ts";
import type { EventFacts } from "../../event/field.ts";
import { once } from "../../event/once.ts";

/** What redirects agents and Sluice to other settings at the next start: a variable in a start-up file, or set for the session. */
export function laterSettings(event: EventFacts, call: CallEffects): string | undefined {
  const files = call.effects.flatMap((effect) =>
    effect.does === "write" && START_UP().test(effect.path.text) ? [effect.path.text] : [],
  );
  const preloaded = files.find((file) => PRELOADS.test(file));
  if (preloaded !== undefined) return `${preloaded} loads other code into every program`;
  const [file] = files;
  if (file !== undefined)
    for (const text of [...callContents(event), ...call.texts]) {
      const [, verb] = OWN_VERB.exec(text) ?? [];
      if (verb !== undefined) return `${file} would run \`sluice ${verb}\` later, which is for a person at a terminal`;
      if (OTHER_PROGRAM.test(text)) return `${file} would put something else in the place of \`sluice\` later`;
      const [, name] = made().sets.exec(text) ?? LOADS().exec(text) ?? [];
      if (name !== undefined)
        return `${file} would set ${name} for what is started later, which then looks elsewhere for its hooks`;
    }
  for (const run of runsOf(call)) {
    const isSetting = run.roles.some((role) => role === "settings" || role === "persistence");
    if (!isSetting && !run.isUndescribed) continue;
    const word = run.args.find((text) => made().named.test(text))?.split("=", 1)[0];
    if (word !== undefined)
      return `${run.shown} sets ${word}, so that what is started later looks elsewhere for its hooks`;
  }
  return undefined;
}

const START_UP = () =>
  /(?:^|\/)(?:\.(?:bash|zsh|m?ksh)rc|\.(?:bash_|z)?profile|\.(?:zsh|bash_)?env(?:\.\w+)?|\.z?login|\.envrc|\.npmrc|\.pam_environment|\.?mise(?:\.\w+)*\.toml|config\.fish|devcontainer\.json|environment|environment\.d\/[^/]+|ld\.so\.preload|(?:\.git|\.husky|\.githooks)\/(?:hooks\/)?[a-z]+-[a-z-]+)$/;
const PRELOADS = /(?:^|\/)ld\.so\.preload$/;
const OWN_VERB = /(?<![\w-])sluice\s+(?:-\S+\s+)*(trust|pause|uninstall|disable|allow-once)\b/;
const OTHER_PROGRAM = /(?:^|[\s;&|])(?:alias\s+sluice=|function\s+sluice\b|sluice\s*\(\s*\))/;
const LOADS = () => /\b(NODE_OPTIONS|node-options)\b[^\n]*--(?:require|import|loader|experimental-loader)\b/;

/** Variables that load code into what is started with them. */
const LOADERS = ["LD_PRELOAD", "LD_AUDIT", "DYLD_INSERT_LIBRARIES", "BASH_ENV"];
/** The variables that set where agents and Sluice store their settings. */
const VARIABLES = [
  ...new Set([...LOADERS, "XDG_CONFIG_HOME", "XDG_STATE_HOME", ...escapesOf("variables")]),
  String.raw`SLUICE_\w+`,
].join("|");

/** Compiled at first use, because few calls need them. */
const made = once(() => {
  const words = new Set(escapesOf("words").filter((word) => /^\w+$/.test(word)));
  return {
    sets: new RegExp(String.raw`(?:^|[\s"'{,;])(HOME|${VARIABLES})["']?\s*[=:]`),
    named: new RegExp(`^(?:(?:${VARIABLES})(?:=.*)?|${[...words].join("|")})$`, "s"),
  };
});

function escapesOf(part: "variables" | "words"): readonly string[] {
  return ADAPTERS.flatMap(({ escapes }) => escapes?.[part] ?? []);
}
