import { existsSync, readdirSync, statSync } from "node:fs";
import { basename, dirname, extname, join, relative } from "node:path";
import { parse } from "yaml";
import type { Adapter } from "../../adapters/adapter.ts";
import type { Scope } from "../../adapters/recipe.ts";
import { isObject } from "../../event/json.ts";
import { isInProject } from "../../fs/project-bounds.ts";
import { problems } from "../../problem/problem.ts";
import { valueText } from "../../rule/text.ts";
import type { InstallContext } from "../install-context.ts";
import { textOf } from "../settings-file.ts";
import { isOurFile, markOf, targetsOf } from "../targets.ts";
import { commandPatterns, runsWhen } from "./conditions.ts";
import { type ForeignFields, type ForeignFinding, foreignHooks } from "./foreign-hooks.ts";
import { hooksInPlugin, hooksOfPlugins, isPlugin, pluginOf } from "./plugins.ts";
import { translate } from "./translate.ts";

/** The hooks in an agent's own files of a scope, ours left out, and those of its plugins. */
export function hooksOfAgent(adapter: Adapter, scope: Scope, around: InstallContext): ForeignFinding[] {
  const root = scope === "user" ? undefined : around.root;
  const own = settingsOf(adapter, scope, around).flatMap(
    (path) => outside(path, root) ?? hooksInSettings(path, adapter),
  );
  return [...own, ...hooksOfPlugins(adapter, scope, around)];
}

/** Hooks of a project that do not belong to an agent: git hooks of husky, rules of hookify. */
export function hooksOfProject(root: string): ForeignFinding[] {
  const rules = filesIn(join(root, ".claude")).filter(isHookify);
  return [...filesIn(join(root, ".husky")).filter(isGitHook), ...rules].flatMap(
    (path) => outside(path, root) ?? hooksInFile(path, root, []),
  );
}

/** A cloned project may lead to any file of its user. */
function outside(path: string, root: string | undefined): ForeignFinding[] | undefined {
  if (root === undefined || isInProject(root, path)) return undefined;
  const why = "it is outside of the project after its symlinks are followed";
  return [{ kind: "left", what: basename(path), file: path, why }];
}

/** The hooks in a file that the user names: a rule, a git hook, or settings of the agent that it looks like. */
export function hooksInFile(path: string, root: string, adapters: readonly Adapter[]): ForeignFinding[] {
  const isFolder = statSync(path).isDirectory();
  const plugin = isFolder && isPlugin(path) ? path : pluginOf(path);
  const owner = plugin === undefined ? undefined : adapters.find((adapter) => adapter.plugins !== undefined);
  if (plugin !== undefined && owner !== undefined) return hooksInPlugin(plugin, basename(plugin), owner);
  if (isFolder) return filesIn(path).flatMap((inner) => hooksInFile(inner, root, adapters));
  if (isHookify(path)) return [hookifyRule(textOf(path) ?? "", path)];
  if (isGitHook(path)) return [gitHook(path, relative(root, path))];
  if (![".json", ".jsonc", ".toml"].includes(extname(path))) return [];
  const adapter = likeliest(path, adapters);
  return adapter === undefined ? [] : hooksInSettings(path, adapter);
}

function hooksInSettings(path: string, adapter: Adapter): ForeignFinding[] {
  const text = textOf(path);
  if (text === undefined) return [];
  const isSettings = [".json", ".jsonc", ".toml"].includes(extname(path));
  if (!isSettings)
    return isOurFile(text, adapter)
      ? []
      : [{ kind: "left", what: basename(path), file: path, why: `it is a program written for ${adapter.title}` }];
  const hooks = foreignHooks(text, extname(path) === ".toml" ? "toml" : "json");
  if (hooks === undefined) throw PROBLEMS.noJson({}, { place: { file: path } });
  const mark = markOf(adapter);
  return hooks
    .filter(({ entry }) => ![entry.command, entry.bash, entry.linux, entry.url].some(mark))
    .map((hook) => translate(hook, adapter, path));
}

/** An agent's settings, what one developer keeps beside them, and where it reads a whole folder all files of that. */
function settingsOf(adapter: Adapter, scope: Scope, around: InstallContext): string[] {
  const script = adapter.recipe?.kind === "entries" ? adapter.recipe.script : undefined;
  const targets = targetsOf(adapter, scope, around).filter(
    ({ path }) => script === undefined || !path.endsWith(script),
  );
  const paths = targets.flatMap(({ kind, path }) =>
    kind === "own" && basename(dirname(path)) === "hooks"
      ? filesIn(dirname(path))
      : [path, path.replace(/settings\.json$/, "settings.local.json")],
  );
  return [...new Set(paths)].filter((path) => existsSync(path) && statSync(path).isFile());
}

/** The agent whose file has this place; else the one that knows most of the hook events in it, the most general last. */
function likeliest(path: string, adapters: readonly Adapter[]): Adapter | undefined {
  const named = adapters.find(({ recipe }) => {
    const files =
      recipe?.kind === "entries" ? [...Object.values(recipe.files), ...Object.values(recipe.tables ?? {})] : [];
    return files.some(
      (file) => path.endsWith(`/${file}`) || path.endsWith(`/${file.replace(/\.json$/, ".local.json")}`),
    );
  });
  if (named !== undefined) return named;
  const hooks = foreignHooks(textOf(path) ?? "", extname(path) === ".toml" ? "toml" : "json") ?? [];
  const known = ({ hookEvents }: Adapter) =>
    hooks.filter(({ hookEvent }) => Object.hasOwn(hookEvents, hookEvent)).length;
  return adapters.toReversed().toSorted((one, other) => known(other) - known(one))[0];
}

function isHookify(path: string): boolean {
  return /^hookify\..+\.local\.md$/.test(basename(path));
}

function filesIn(folder: string): string[] {
  if (!existsSync(folder)) return [];
  return readdirSync(folder)
    .sort()
    .map((name) => join(folder, name))
    .filter((path) => statSync(path, { throwIfNoEntry: false })?.isFile());
}

const PROBLEMS = problems("import", {
  noJson: (_: object) => ({
    what: "This file cannot be read as settings.",
    fix: "Correct it, and run the command again.",
  }),
});

/** A script of a folder of git hooks as a hook that runs before the agent's own git command. */
function gitHook(file: string, shown: string): ForeignFinding {
  const name = basename(file);
  const before = BEFORE[name];
  if (before === undefined) {
    const why = NEEDS_MORE[name] ?? "git runs it after the fact, or for a server; no tool call can be stopped by it";
    return { kind: "left", what: `git hook ${name}`, file, why };
  }
  return {
    kind: "imported",
    file,
    isNeeded: true,
    notes: ["git itself still runs the script; the agent sees a failure earlier"],
    spec: {
      name: `git-${name}`,
      description: `Runs ${shown} before the agent calls git. Any exit code but 0 denies, as it does for git.`,
      matcher: { events: ["tool:pre_execute"], tools: ["@shell"], command_patterns: commandPatterns(`${before}*`) },
      command: `cd "$(git rev-parse --show-toplevel)" && PATH="node_modules/.bin:$PATH" sh -e ${shown}`,
      timeout: 300,
      on_error: "deny",
      exit_codes: "any",
    },
  };
}

/** Whether a file has the name of a git hook. */
function isGitHook(file: string): boolean {
  return /^(?:(?:pre|post)-[a-z-]+|commit-msg|prepare-commit-msg|applypatch-msg)$/.test(basename(file));
}

/** A rule file of hookify (Markdown below YAML) as a hook: a block denies, a warning hands its words to the model. */
function hookifyRule(text: string, file: string): ForeignFinding {
  const [, head = "", body = ""] = /^\uFEFF?---\r?\n([\s\S]*?)\r?\n---[ \t]*(?:\r?\n([\s\S]*))?$/.exec(text) ?? [];
  const rule = headOf(head);
  const name = typeof rule?.name === "string" ? rule.name : file.replace(/.*hookify\.|\.local\.md$/g, "");
  const left = (why: string): ForeignFinding => ({ kind: "left", what: `hookify rule ${name}`, file, why });
  if (rule === undefined) return left("it does not begin with YAML between two lines of `---`");
  const kind = EVENTS[String(rule.event ?? "all")];
  if (kind === undefined) return left(`its event "${String(rule.event)}" is none that hookify knows`);
  const conditions = conditionsOf(rule, kind.field);
  if (typeof conditions === "string") return left(conditions);
  const condition = conditions.join(" and ");
  const message = body.trim() || `The rule ${name} matches.`;
  const blocks = rule.action === "block";
  return {
    kind: "imported",
    file,
    notes: blocks ? [] : ["a warning: the words reach the model where the agent takes context, and nothing is stopped"],
    spec: {
      name: `hookify-${name}`,
      description: blocks
        ? "From a hookify rule that blocks."
        : "From a hookify rule that warns: nothing is stopped, the model is told.",
      event: kind.event,
      ...(blocks ? { rules: `${condition} -> deny(${valueText(message)})` } : warning(condition, message)),
      ...(rule.enabled === false ? { enabled: false } : {}),
    },
  };
}

/** Rules cannot hand over words without a verdict; a program that prints them can. */
function warning(condition: string, message: string): ForeignFields {
  const answer = JSON.stringify({ action: "continue", context: message });
  return { ...runsWhen(condition, { args: ["printf", "%s", answer] }), on_error: "continue" };
}

function headOf(head: string): ForeignFields | undefined {
  try {
    const value: unknown = parse(head);
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

/** The conditions in the rule language, all of which have to hold; a text says why they cannot be written. */
function conditionsOf(rule: ForeignFields, field: string | undefined): string[] | string {
  const listed = Array.isArray(rule.conditions) ? rule.conditions.filter(isObject) : [];
  const wanted = listed.length > 0 ? listed : [{ field, operator: "regex_match", pattern: rule.pattern }];
  const written: string[] = [];
  for (const { field: name, operator = "regex_match", pattern } of wanted) {
    if (typeof pattern !== "string") return "it has neither a pattern nor conditions";
    const fields = FIELDS[String(name)];
    if (fields === undefined)
      return name === undefined
        ? "its pattern does not say which field it is about"
        : `no rule can read its field "${String(name)}"`;
    const word = OPERATORS[String(operator)];
    if (word === undefined) return `its operator "${String(operator)}" is none that hookify knows`;
    // Python compares without regard to case there.
    const value = valueText(word === "matches" ? `(?i)${pattern}` : pattern);
    const each = fields.map((one) => `${one} ${word} ${value}`);
    const joined = each.join(word.startsWith("not_") ? " and " : " or ");
    written.push(each.length === 1 ? joined : `(${joined})`);
  }
  return written;
}

/** Its events, and the field that a bare pattern is about. */
const EVENTS: Readonly<Record<string, { readonly event: string; readonly field?: string }>> = {
  bash: { event: "tool:pre_execute:@shell", field: "command" },
  file: { event: "tool:pre_execute:@write", field: "new_text" },
  stop: { event: "session:stop", field: "reason" },
  prompt: { event: "user:prompt_submit", field: "user_prompt" },
  all: { event: "tool:pre_execute,session:stop,user:prompt_submit" },
};

const NEW_TEXT = ["args.new_string", "args.content", "args.edits.*.new_string"];

const FIELDS: Readonly<Record<string, readonly string[]>> = {
  command: ["args.command"],
  file_path: ["path"],
  new_text: NEW_TEXT,
  new_string: NEW_TEXT,
  content: NEW_TEXT,
  old_text: ["args.old_string"],
  old_string: ["args.old_string"],
  user_prompt: ["prompt"],
  reason: ["reason"],
};

const OPERATORS: Readonly<Record<string, string>> = {
  regex_match: "matches",
  contains: "contains",
  equals: "equals",
  not_contains: "not_contains",
  starts_with: "starts_with",
  ends_with: "ends_with",
};

/** The command that makes git run the script. */
const BEFORE: Readonly<Record<string, string>> = {
  "pre-commit": "git commit",
  "pre-merge-commit": "git merge",
  "pre-push": "git push",
  "pre-rebase": "git rebase",
};

const NEEDS_MORE: Readonly<Record<string, string>> = {
  "commit-msg": "it reads the file with the message, which does not exist before git runs",
  "prepare-commit-msg": "it writes the file with the message, which does not exist before git runs",
};
