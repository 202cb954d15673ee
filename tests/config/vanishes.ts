import { mkdirSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";

/** A project and the home of its user. */
interface Made {
  readonly root: string;
  readonly home: string;
}

export const RULE = (name: string, word: string) =>
  `- { name: ${name}, event: tool:pre_execute, rules: 'args.command contains "${word}" -> deny("no ${word}")' }\n`;
export const HOOKS = `hooks:\n  ${RULE("no-alpha", "alpha")}  ${RULE("no-beta", "beta")}`;

/** What takes a gate away, after it was enforced once. */
export const VANISHES: Readonly<Record<string, (made: Made) => void>> = {
  "the project's file is deleted": ({ root }) => rmSync(join(root, ".sluice/hooks.yaml")),
  "the project's folder of hooks is deleted": ({ root }) => rmSync(join(root, ".sluice"), { recursive: true }),
  "the project's list is empty": ({ root }) => write(root, ".sluice/hooks.yaml", "hooks: []\n"),
  "the project's file is empty": ({ root }) => write(root, ".sluice/hooks.yaml", ""),
  "the project's file is cut": ({ root }) => write(root, ".sluice/hooks.yaml", HOOKS.slice(0, HOOKS.length / 2)),
  "one of its hooks is deleted": ({ root }) =>
    write(root, ".sluice/hooks.yaml", `hooks:\n  ${RULE("no-beta", "beta")}`),
  "one of its hooks is switched off": ({ root }) =>
    write(root, ".sluice/hooks.yaml", HOOKS.replace("{ name: no-alpha", "{ enabled: false, name: no-alpha")),
  "one of its hooks only watches": ({ root }) =>
    write(root, ".sluice/hooks.yaml", HOOKS.replace("{ name: no-alpha", "{ mode: monitor, name: no-alpha")),
  "one of its rules is another one": ({ root }) => write(root, ".sluice/hooks.yaml", HOOKS.replace('alpha"', 'gamma"')),
  "a list disables one of its hooks": ({ root }) =>
    write(
      root,
      ".sluice/hooks.yaml",
      HOOKS.replace("hooks:\n", "hooks:\n  disabled: [no-alpha]\n  definitions:\n").replaceAll("  - {", "    - {"),
    ),
  "the user's file is deleted": ({ home }) => rmSync(join(home, ".config/sluice/hooks.yaml")),
  "the user's folder is deleted": ({ home }) => rmSync(join(home, ".config/sluice"), { recursive: true }),
  "the user's guards are off": ({ home }) => write(home, ".config/sluice/hooks.yaml", `guards: off\n${HOOKS}`),
  "the user's guards are gone": ({ home }) => write(home, ".config/sluice/hooks.yaml", HOOKS),
  "the user's hooks are gone": ({ home }) => write(home, ".config/sluice/hooks.yaml", "guards: standard\n"),
  "a guard rule is switched off": ({ home }) =>
    write(home, ".config/sluice/hooks.yaml", `guards: { preset: standard, rules: { force-push: off } }\n${HOOKS}`),
  "the inventory is deleted as well": ({ root, home }) => {
    rmSync(join(root, ".sluice"), { recursive: true });
    rmSync(join(home, ".state/sluice/enforced"), { recursive: true });
  },
  "the inventory is emptied as well": ({ root, home }) => {
    rmSync(join(root, ".sluice"), { recursive: true });
    for (const folder of ["sluice/enforced", "sluice-enforced"])
      for (const name of readdirSync(join(home, ".state", folder))) write(home, `.state/${folder}/${name}`, "");
  },
};

export function write(folder: string, name: string, text: string): void {
  mkdirSync(dirname(join(folder, name)), { recursive: true });
  writeFileSync(join(folder, name), text);
}
