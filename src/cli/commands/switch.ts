import { changeFile } from "../../config/change-file.ts";
import { isDiscovered } from "../../config/discover.ts";
import { type ConfigDocument, readDocument } from "../../config/document.ts";
import { withEnabled, withMode } from "../../config/edit.ts";
import { findHookList } from "../../config/hook-list.ts";
import { type Loaded, loadLayers } from "../../config/load.ts";
import { writeAtomic } from "../../fs/write-atomic.ts";
import type { Hook, Layer } from "../../hook/hook.ts";
import { GUARDS } from "../../policies/guards/index.ts";
import { didYouMean } from "../../problem/nearest.ts";
import { formatPlace, type Place, problems } from "../../problem/problem.ts";
import type { CommandInput } from "../command.ts";
import { configurationOf, rootOf, shortPath } from "../configuration.ts";
import type { Exit } from "../exit-codes.ts";
import { trustLines } from "../show/trust.ts";

/** Turns hooks on or off, each in its own file; nothing else in that file changes. */
export function run(input: CommandInput): Exit {
  const { words, io } = input;
  const isEnabled = input.command === "enable";
  if (words.length === 0) throw USAGE.noHookName({ verb: input.command });
  const loaded = loadLayers(rootOf(input));
  // All are looked for before the first is changed.
  const chosen = words.flatMap((name) => hooksNamed(name, loaded, input));
  const switched = chosen.map((hook) => ({ hook, isChanged: switchHook(hook, isEnabled) }));
  if (input.has("json"))
    io.out(
      JSON.stringify(
        switched.map(({ hook }) => json(hook, isEnabled)),
        null,
        2,
      ),
    );
  else for (const { hook, isChanged } of switched) io.out(told(hook, isEnabled, isChanged, input));
  // A hook that is on and not approved does not run: the notice names it and the step.
  if (isEnabled) for (const line of trustLines(configurationOf(input).trust)) io.err(line);
  return "done";
}

/** Lets hooks decide or only watch, each in its own file. */
export function setMode(name: string, mode: "enforce" | "monitor", input: CommandInput): Exit {
  const { io } = input;
  const loaded = loadLayers(rootOf(input));
  for (const { origin } of hooksNamed(name, loaded, { ...input, command: "disable" })) {
    const isChanged = changeHook(name, origin, (document, list, index) => withMode(document, list, index, mode));
    io.out(`${name} ${mode === "monitor" ? "only watches" : "decides"}${isChanged ? " from now on" : " already"}.`);
  }
  return "done";
}

/** The hooks of a name that this command may change; otherwise a problem with the reason and the next step. */
function hooksNamed(name: string, loaded: Loaded, input: CommandInput): readonly Hook[] {
  const named = loaded.hooks.filter((hook) => hook.name === name);
  const guard = name.replace(/^guard:/, "");
  if (named.length === 0 && Object.hasOwn(GUARDS, guard)) throw PROBLEMS.guard({ name: guard, verb: input.command });
  if (named.length === 0) throw PROBLEMS.unknownHook({ name, names: loaded.hooks.map((hook) => hook.name) });
  const layers = layersOf(input.text("scope"));
  const reached = named.filter(({ layer }) => layers.includes(layer));
  const [first] = named;
  if (reached.length === 0 && first !== undefined) {
    const about = { name, verb: input.command, layer: first.layer, file: first.origin?.place.file ?? "" };
    throw first.layer === "managed" ? PROBLEMS.managed(about) : PROBLEMS.otherLayer(about);
  }
  const owners = new Set(reached.map(({ layer }) => (layer === "local" ? "project" : layer)));
  if (owners.size > 1) throw PROBLEMS.severalLayers({ name, verb: input.command });
  for (const hook of reached) refuse(hook, loaded, input);
  return reached;
}

function layersOf(scope: string | undefined): readonly Layer[] {
  if (scope === undefined) return ["user", "project", "local"];
  if (scope === "user") return ["user"];
  if (scope === "project") return ["project", "local"];
  throw USAGE.otherScope({ scope });
}

/** Hooks that are not in a file of the user's own, and hooks that another file turns off. */
function refuse(hook: Hook, { files, disabledBy }: Loaded, { command, io }: CommandInput): void {
  const { name, origin } = hook;
  const file = origin?.place.file ?? "";
  const pack = files.find(({ path }) => path === file)?.pack;
  if (pack !== undefined) throw PROBLEMS.ofPack({ name, pack: pack.name, verb: command });
  if (isDiscovered(hook)) throw PROBLEMS.script({ name, file: shortPath(file, io), verb: command });
  const by = disabledBy.get(hook);
  if (command === "enable" && by !== undefined && by.file !== file)
    throw PROBLEMS.keptOff({ name, place: { ...by, file: shortPath(by.file, io) } });
}

/** Whether the file had to be changed for it. */
function switchHook({ name, origin }: Hook, isEnabled: boolean): boolean {
  return changeHook(name, origin, (document, list, index) => withEnabled(document, list, index, isEnabled));
}

function changeHook(
  name: string,
  origin: Hook["origin"],
  edited: (document: ConfigDocument, list: readonly (string | number)[], index: number) => string,
): boolean {
  const file = origin?.place.file ?? "";
  return changeFile(file, () => {
    const read = readDocument(file);
    if (read.state !== "read") throw PROBLEMS.unreadable({ name }, { place: { file } });
    const { document } = read;
    const { path } = findHookList(document);
    if (path === undefined || origin === undefined) throw PROBLEMS.unreadable({ name }, { place: { file } });
    const text = edited(document, path, origin.index);
    if (text === document.text) return false;
    writeAtomic(file, document.mark + text);
    return true;
  });
}

function told({ name, layer, origin }: Hook, isEnabled: boolean, isChanged: boolean, { io }: CommandInput): string {
  const place = origin?.place;
  const where = place ? shortPath(formatPlace({ file: place.file, ...(place.line && { line: place.line }) }), io) : "";
  const everywhere = layer === "user" ? " It is your own hook, so this applies in every project." : "";
  return `${name} is ${isEnabled ? "on" : "off"}${isChanged ? "" : " already"}: ${where}.${everywhere}`;
}

function json({ name, layer, origin }: Hook, enabled: boolean): object {
  return { hook: name, layer, enabled, ...origin?.place };
}

const PROBLEMS = problems("switch", {
  unknownHook: ({ name, names }: { name: string; names: readonly string[] }) => ({
    what: `No hook here is called "${name}".`,
    fix: `${didYouMean(name, names)} \`sluice list\` shows all names.`.trim(),
  }),
  guard: ({ name, verb }: { name: string; verb: string }) => ({
    what: `"${name}" is a built-in guard and is not in a file of hooks.`,
    fix:
      verb === "enable"
        ? "`guards: standard` in ~/.config/sluice/hooks.yaml turns the guards on; `sluice list` shows what turned one off."
        : `In ~/.config/sluice/hooks.yaml, \`hooks: { disabled: ["guard:${name}"], definitions: […] }\` turns the whole guard off, and \`guards: { rules: { <rule>: off } }\` one of its rules; docs/guards.md lists them.`,
  }),
  managed: ({ name, file }: { name: string; file: string }) => ({
    what: `"${name}" is a hook of the machine's managed configuration, which no user's command changes.`,
    fix: `Ask the administrator of this machine to change ${file}.`,
  }),
  otherLayer: ({ name, verb, layer, file }: { name: string; verb: string; layer: Layer; file: string }) =>
    layer === "user"
      ? {
          what: `"${name}" is a hook of your own configuration (${file}); a project cannot ${verb} it.`,
          fix: `\`sluice ${verb} ${name} --scope user\` does so in every project of yours.`,
        }
      : {
          what: `"${name}" is a hook of this project (${file}), not of your own configuration.`,
          fix: `\`sluice ${verb} ${name} --scope project\` changes it there.`,
        },
  severalLayers: ({ name, verb }: { name: string; verb: string }) => ({
    what: `Both your own configuration and this project have a hook called "${name}".`,
    fix: `Name the one that is meant: \`sluice ${verb} ${name} --scope project\`, or --scope user.`,
  }),
  ofPack: ({ name, pack, verb }: { name: string; pack: string; verb: string }) => ({
    what: `"${name}" comes with the pack ${pack}, whose files are not changed.`,
    fix:
      verb === "enable"
        ? "Take its name out of `hooks.disabled`, where that names it; `sluice list` shows where."
        : `Name it in the file that extends the pack: \`hooks: { disabled: ["${name}"], definitions: […] }\`.`,
  }),
  script: ({ name, file, verb }: { name: string; file: string; verb: string }) => ({
    what: `"${name}" is the script ${file}, which is a hook by its name and does not have an entry in a file.`,
    fix:
      verb === "enable"
        ? `Make it executable (chmod +x ${file}), and take it out of \`hooks.disabled\`.`
        : `Name it in \`hooks: { disabled: ["${name}"], definitions: […] }\`, or take its right to run away: chmod -x ${file}`,
  }),
  keptOff: ({ name, place }: { name: string; place: Place }) => ({
    what: `"${name}" stays off: ${formatPlace(place)} disables it.`,
    fix: "Take its name out of `disabled` there.",
  }),
  unreadable: ({ name }: { name: string }) => ({
    what: `The file of "${name}" cannot be changed as it is.`,
    fix: "Correct it first; `sluice check` shows what is wrong.",
  }),
});

const USAGE = problems("usage", {
  noHookName: ({ verb }: { verb: string }) => ({
    what: `\`sluice ${verb}\` needs the name of a hook.`,
    fix: "`sluice list` shows all names.",
  }),
  otherScope: ({ scope }: { scope: string }) => ({
    what: `--scope ${scope}: neither user nor project.`,
    fix: "Leave it out: a hook is changed in the file in which it is written.",
  }),
});
