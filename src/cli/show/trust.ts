import { existsSync } from "node:fs";
import { resolve } from "node:path";
import { missingPrograms } from "../../check/missing-programs.ts";
import type { Examined, ExaminedItem } from "../../config/examine.ts";
import { noticesAbout, type Trust } from "../../config/trusted.ts";
import { shellWord } from "../../effects/parse/value.ts";
import type { Hook } from "../../hook/hook.ts";
import { formatPlace } from "../../problem/problem.ts";
import { namesIn } from "../../runners/http.ts";
import { moduleFile } from "../../runners/plugin-module.ts";
import { fromHome } from "../../runners/working-directory.ts";
import { type ChangedFile, changedFiles } from "../../trust/ledger.ts";
import { changedParts, type DiffLine, lineDiff } from "../../trust/line-diff.ts";
import { uncovered } from "../../trust/uncovered.ts";
import { shortPath } from "../configuration.ts";
import type { Io } from "../io.ts";
import { columns, type Paint, paintFor, visible } from "./terminal-text.ts";

/** Everything that a person has to see before approving: each hook, what it would run, what changed. */
export function showExamined(examined: Examined, io: Io): string[] {
  const open = examined.items.filter(({ state }) => state !== "trusted");
  const known: ShownFiles = new Map();
  return [
    ...showSummary(examined, io),
    ...open.flatMap((item) => showItem(item, examined.root, io, known)),
    "",
    paintFor(io).dim(examined.hash),
  ];
}

/** The state of the project, and in a line each what is approved already. */
export function showSummary({ root, state, items }: Examined, io: Io): string[] {
  const paint = paintFor(io);
  const open = items.filter((item) => item.state !== "trusted");
  const needs = items.length === 0 ? "Nothing here needs an approval" : waitingWords(open);
  const approved = items.filter((item) => item.state === "trusted");
  return [
    `${paint.strong(visible(shortPath(root, io)))}  ${standingWords(state, approved.length, items.length, paint)}  ${needs}`.trimEnd(),
    ...columns(
      approved.map((item) => [
        `  ${paint.name(visible(itemName(item)))}`,
        paint.good("approved"),
        paint.dim(visible(item.print.files.map((file) => placeOf(file, io)).join(", "))),
      ]),
    ),
  ];
}

/** A project of which some hooks are approved is not called untrusted. */
function standingWords(state: Examined["state"], approved: number, all: number, paint: Paint): string {
  const isPartial = state !== "denied" && approved > 0 && approved < all;
  return isPartial ? paint.warn(`${approved} of ${all} approved`) : STATES[state](paint);
}

function waitingWords(open: readonly ExaminedItem[]): string {
  if (open.length === 0) return "";
  const hooks = open.filter(({ hook }) => hook !== undefined).length;
  const parts = [
    ...(hooks === 0 ? [] : [hooks === 1 ? "1 hook" : `${hooks} hooks`]),
    ...open.flatMap(({ setting }) => (setting === undefined ? [] : [`the settings \`${setting.setting}\``])),
  ];
  return `${parts.join(" and ")} ${parts.length === 1 && hooks === 1 ? "waits for" : "wait for"} an approval`;
}

/** By what changed in which file, the hook at which it was shown: many hooks may run the same files. */
export type ShownFiles = Map<string, string>;

/** One hook or block of settings, whole: as it is written, what it would run, and what is not as it was approved. */
export function showItem(item: ExaminedItem, root: string, io: Io, known: ShownFiles = new Map()): string[] {
  const { hook, setting, print, before } = item;
  const paint = paintFor(io);
  const origin = hook?.origin?.place ?? setting?.place;
  const place = origin ? shortPath(formatPlace(origin), io) : "";
  const about = hook === undefined ? [setting?.layer ?? ""] : [visible(hook.eventPattern), hook.layer];
  const written = linesOf(item, print.written);
  const files = print.files.map((file) => [
    `    ${visible(placeOf(file, io))}`,
    file.script === undefined ? "program" : "script",
    paint.dim(file.sha256.slice(0, 16)),
    paint.dim(file.real === file.path ? "" : `→ ${visible(file.real)}`),
  ]);
  const credentials = new Set(hook?.parts.flatMap(credentialsOf) ?? []);
  const isRewritten = before !== undefined && linesOf(item, before.written).join("\n") !== written.join("\n");
  return [
    "",
    [paint.name(visible(itemName(item))), paint.warn(WORDS[item.state]), ...about, paint.dim(visible(place))].join(
      "  ",
    ),
    ...(hook !== undefined && before !== undefined && before.key !== print.key
      ? [paint.warn(`    takes the place of ${visible(before.key)}, which you approved and which is gone`)]
      : []),
    ...written.map((line) => `    ${visible(line)}`),
    ...[...credentials].map((name) => paint.warn(`    gets the credential ${visible(name)}`)),
    ...(hook === undefined ? [] : [`  would run: ${visible(hook.parts.map(actOf).join("; "))}`]),
    ...columns(files),
    ...(hook?.parts.flatMap((part) => absentOf(part, root)) ?? []).map((name) =>
      paint.warn(
        `    ${visible(name)} is not there${name.includes("/") ? ": when it appears, the hook has to be approved again" : ""}`,
      ),
    ),
    ...uncoveredOf(item).map((what) =>
      paint.warn(`    What ${visible(what)} loads by itself cannot be known; it is not a part of the approval.`),
    ),
    ...(print.isCut ? [paint.warn("    It runs more than is looked at; the rest is not a part of the approval.")] : []),
    ...(isRewritten ? diffOf("changed: its definition", linesOf(item, before.written), written, paint) : []),
    ...changedFiles(before, print).flatMap((file) => showChange(file, itemName(item), known, paint, io)),
  ];
}

/** The name by which a hook or a block of settings is approved. */
export function itemName({ hook, print }: ExaminedItem): string {
  return hook?.name ?? print.key;
}

/** The same for programs. */
export function examinedJson({ root, state, hash, items, entry }: Examined): object {
  const approvable = ({ print, state, before }: ExaminedItem) => ({
    state,
    hash: print.hash,
    files: print.files.map(fileJson),
    changed: changedFiles(before, print).map(({ path, script }) => ({ path, script })),
    approved: before && { hash: before.hash, at: before.at },
  });
  return {
    root,
    state,
    hash,
    hooks: items.flatMap(({ hook, ...item }) =>
      hook === undefined
        ? []
        : [
            {
              ...hook.toJSON(),
              name: hook.name,
              layer: hook.layer,
              ...hook.origin?.place,
              ...approvable({ hook, ...item }),
            },
          ],
    ),
    settings: items.flatMap((item) =>
      item.setting === undefined
        ? []
        : [{ setting: item.setting.setting, value: item.setting.value, ...item.setting.place, ...approvable(item) }],
    ),
    files: [
      ...new Map(items.flatMap(({ print }) => print.files).map((file) => [placeKey(file), fileJson(file)])).values(),
    ],
    unread: items.flatMap(({ print }) => print.unread),
    denied: entry.record?.said === "denied" ? { at: entry.record.at } : undefined,
    problem: entry.problem,
  };
}

type AnyFile = ExaminedItem["print"]["files"][number];

function fileJson({ path, script, real, sha256 }: AnyFile): object {
  return { path, script, real, sha256 };
}

function placeKey({ path, script = "" }: AnyFile): string {
  return `${path}\0${script}`;
}

function placeOf({ path, script }: Pick<AnyFile, "path" | "script">, io: Io): string {
  const short = shortPath(path, io);
  return script === undefined ? short : `"${script}" in ${short}`;
}

function linesOf({ hook, print }: ExaminedItem, written: unknown): string[] {
  if (hook === undefined) return settingsLines({ [print.key]: written });
  const { name: _, event: __, ...rest } = Object(written) as Record<string, unknown>;
  return settingsLines(rest);
}

/** What a hook loads that no approval covers. */
function uncoveredOf({ hook, print }: ExaminedItem): string[] {
  const lines = hook?.parts.flatMap(({ command, args }) => command ?? args?.map(shellWord).join(" ") ?? []) ?? [];
  return uncovered(lines, print.files);
}

/** What a hook does when it runs, in one line. */
function actOf({ type, command, script, args, shell, module, url, prompt, opa }: Hook): string {
  switch (type) {
    case "command":
      return [args?.join(" "), script, command && `${shell ?? "sh"} -c ${oneLineOf(command)}`].find(Boolean) ?? "";
    case "plugin":
      return `the plugin ${module}`;
    case "http":
      return `a request to ${url}`;
    case "llm":
      return `a question to a language model: ${oneLineOf(prompt ?? "")}`;
    case "opa":
      return `a question to the policy server ${opa?.url}`;
    case "cedar":
      return "policies in Cedar, which only deny";
    case "internal":
      return "calls a function of the program that made it";
    case "inline":
      return "rules that let calls pass or change them";
    case "combine":
      return "its members";
  }
}

function oneLineOf(text: string): string {
  const [first = "", ...more] = text.trim().split("\n");
  return more.length === 0 ? first : `${first} …`;
}

/** What a hook starts or loads and is not there. */
function absentOf(part: Hook, root: string): string[] {
  const folder = resolve(root, fromHome(part.workingDir ?? ""));
  if (part.type === "plugin") return part.module === undefined || moduleFile(part, folder) ? [] : [part.module];
  const script = part.command === undefined && part.args === undefined ? part.script : undefined;
  const isAbsent = script !== undefined && !existsSync(resolve(folder, fromHome(script)));
  return [...(isAbsent ? [script] : []), ...missingPrograms(part, root)];
}

/** The variables of the user that reach a hook only because it names them. */
function credentialsOf({ passEnv = [], headers = {} }: Hook): string[] {
  return [...passEnv, ...Object.values(headers).flatMap(namesIn)];
}

function showChange(file: ChangedFile, name: string, known: ShownFiles, paint: Paint, io: Io): string[] {
  const { before, now } = file;
  const word = now === undefined ? "gone" : before === undefined ? "new" : "changed";
  const title = `${word}: ${visible(placeOf(file, io))}`;
  const change = [title, before?.sha256, now?.sha256].join("\0");
  const shown = known.get(change);
  if (shown !== undefined) return [`${paint.strong(`  ${title}`)}  ${paint.dim(`as shown at ${visible(shown)}`)}`];
  known.set(change, name);
  const isText = (one: { readonly text?: string | undefined } | undefined) =>
    one === undefined || one.text !== undefined;
  if (!isText(before) || !isText(now))
    return [paint.strong(`  ${title}`), paint.dim("    its bytes cannot be shown as text")];
  return diffOf(title, linesIn(before), linesIn(now), paint);
}

/** The lines of a file; the end of the last one begins no other. */
function linesIn(file: { readonly text?: string | undefined } | undefined): string[] {
  return file?.text ? file.text.replace(/\n$/, "").split("\n") : [];
}

function diffOf(title: string, before: readonly string[], now: readonly string[], paint: Paint): string[] {
  const lines = before.length === 0 ? now.map((line) => ({ kind: "new", line }) as const) : comparison(before, now);
  const parts = lines.map((line) => diffLine(line, paint));
  const rest = parts.length - MAX_LINES;
  return [
    paint.strong(`  ${title}`),
    ...parts.slice(0, MAX_LINES),
    ...(rest > 0 ? [paint.warn(`    … ${rest} more lines; read the file itself`)] : []),
  ];
}

function comparison(before: readonly string[], now: readonly string[]): readonly (DiffLine | undefined)[] {
  return now.length === 0
    ? before.map((line) => ({ kind: "gone", line }))
    : changedParts(lineDiff(before.join("\n"), now.join("\n")));
}

function diffLine(line: DiffLine | undefined, paint: Paint): string {
  if (line === undefined) return paint.dim("    …");
  const text = visible(line.line);
  switch (line.kind) {
    case "same":
      return `      ${text}`;
    case "gone":
      return paint.bad(`    - ${text}`);
    case "new":
      return paint.good(`    + ${text}`);
  }
}

const STATES = {
  trusted: (paint: Paint) => paint.good("trusted"),
  modified: (paint: Paint) => paint.warn("modified"),
  untrusted: (paint: Paint) => paint.warn("untrusted"),
  denied: (paint: Paint) => paint.bad("denied"),
} as const;

const WORDS = { trusted: "approved", modified: "changed", untrusted: "new", denied: "denied" } as const;
const MAX_LINES = 300;

/** Settings as lines to read, nothing left out: texts as they are, nested values further to the right. */
export function settingsLines(settings: object): string[] {
  return Object.entries(settings).flatMap(([name, value]) => entryLines(`${name}:`, value));
}

function entryLines(name: string, value: unknown): string[] {
  const lines = valueLines(value);
  const isBlock = typeof value === "object" && value !== null && !isPlainList(value);
  return lines.length === 1 && !isBlock ? [`${name} ${lines[0]}`] : [name, ...lines.map((line) => `  ${line}`)];
}

function valueLines(value: unknown): string[] {
  if (typeof value === "string") return value.trimEnd().split("\n");
  if (typeof value !== "object" || value === null || isPlainList(value)) return [JSON.stringify(value)];
  return Array.isArray(value) ? value.flatMap((item) => entryLines("-", item)) : settingsLines(value);
}

function isPlainList(value: object): boolean {
  return Array.isArray(value) && value.every((item) => typeof item !== "object" || item === null);
}

/** What a person has to know about hooks that did not run. */
export function trustLines(trust: Trust): string[] {
  const problem = trust.problem ? [visible(trust.problem.format())] : [];
  return [...problem, ...noticesAbout(trust)];
}

/** What a program has to know about them. */
export function trustJson({ state, hash, skipped, problem }: Trust): { trust: object; skipped: object[] } {
  return {
    trust: { state, hash, problem },
    skipped: skipped.map(({ hook, why, stillDenies, instead }) => ({
      hook: hook.name,
      layer: hook.layer,
      type: hook.type,
      ...hook.origin?.place,
      why,
      still_denies: stillDenies,
      gate_shut: instead !== undefined,
    })),
  };
}
