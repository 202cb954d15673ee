import type { Examined } from "../../config/examine.ts";
import { noticesAbout, type Trust } from "../../config/trusted.ts";
import type { Hook } from "../../hook/hook.ts";
import { formatPlace } from "../../problem/problem.ts";
import { namesIn } from "../../runners/http.ts";
import { changedParts, type DiffLine, lineDiff } from "../../trust/line-diff.ts";
import { shortPath } from "../configuration.ts";
import type { Io } from "../io.ts";
import { columns, type Paint, paintFor, visible } from "./terminal-text.ts";

/** Everything that a person has to see before approving: the hooks, the files, what changed, the hash. */
export function showExamined({ state, waiting, print, entry }: Examined, io: Io): string[] {
  const paint = paintFor(io);
  const hooks = waiting.length === 1 ? "1 hook waits" : `${waiting.length} hooks wait`;
  const needs = waiting.length === 0 ? "Nothing here needs an approval" : `${hooks} for an approval`;
  return [
    `${paint.strong(visible(shortPath(print.root, io)))}  ${STATES[state](paint)}  ${state === "trusted" ? "" : needs}`.trimEnd(),
    ...waiting.flatMap((hook) => ["", ...showHook(hook, paint, io)]),
    "",
    ...columns(
      print.files.map(({ path, real, sha256, role }) => [
        `  ${visible(shortPath(path, io))}`,
        role,
        paint.dim(sha256.slice(0, 16)),
        paint.dim(real === path ? "" : `→ ${visible(real)}`),
      ]),
    ),
    ...(print.isCut ? [paint.warn("  More files load each other than are looked at; those are not covered.")] : []),
    ...(state === "trusted" ? [] : changes(print.files, entry.record?.files ?? [], paint, io)),
    paint.dim(print.hash),
  ];
}

/** The same for programs. */
export function examinedJson({ state, waiting, print, entry }: Examined): object {
  return {
    root: print.root,
    state,
    hash: print.hash,
    hooks: waiting.map((hook) => ({ name: hook.name, layer: hook.layer, ...hook.origin?.place, ...hook.toJSON() })),
    files: print.files.map(({ path, real, sha256, role }) => ({ path, real, sha256, role })),
    unread: print.unread,
    approved: entry.record && { said: entry.record.said, hash: entry.record.hash, at: entry.record.at },
    problem: entry.problem,
  };
}

/** A hook as it is written, whole, and in plain words what it is given. */
function showHook(hook: Hook, paint: Paint, io: Io): string[] {
  const place = hook.origin ? shortPath(formatPlace(hook.origin.place), io) : "";
  const head = [paint.name(visible(hook.name)), visible(hook.eventPattern), hook.layer, paint.dim(visible(place))];
  const { name: _, event: __, ...written } = hook.toJSON();
  const credentials = new Set(hook.parts.flatMap(credentialsOf));
  return [
    head.join("  "),
    ...settingsLines(written).map((line) => `    ${visible(line)}`),
    ...[...credentials].map((name) => paint.warn(`    gets the credential ${visible(name)}`)),
  ];
}

/** The variables of the user that reach a hook only because it names them. */
function credentialsOf({ passEnv = [], headers = {} }: Hook): string[] {
  return [...passEnv, ...Object.values(headers).flatMap(namesIn)];
}

type Files = readonly {
  readonly path: string;
  readonly sha256: string;
  readonly role?: string;
  readonly text?: string | undefined;
}[];

/** What is different from what was approved or denied before. */
function changes(now: Files, before: Files, paint: Paint, io: Io): string[] {
  // At the first look everything that would run is new; the configuration is shown as hooks already.
  const shown = before.length === 0 ? now.filter(({ role }) => role !== CONFIGURATION) : now;
  const paths = [...new Set([...before, ...shown].map(({ path }) => path))];
  return paths.flatMap((path) => {
    const [old, young] = [before, now].map((files) => files.find((file) => file.path === path));
    if (old?.sha256 === young?.sha256) return [];
    const title = paint.strong(
      `  ${young === undefined ? "gone" : old === undefined ? "new" : "changed"}: ${visible(shortPath(path, io))}`,
    );
    const isText = (file: Files[number] | undefined) => file === undefined || file.text !== undefined;
    if (!isText(old) || !isText(young)) return [title, paint.dim("    its bytes cannot be shown as text")];
    const lines = changedParts(lineDiff(old?.text ?? "", young?.text ?? "")).map((line) => diffLine(line, paint));
    const rest = lines.length - MOST_LINES;
    return [
      title,
      ...lines.slice(0, MOST_LINES),
      ...(rest > 0 ? [paint.warn(`    … ${rest} more lines; read the file itself`)] : []),
    ];
  });
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

const CONFIGURATION = "configuration";
const MOST_LINES = 300;

/** Settings as lines to read, nothing left out: texts as they are, whatever lies inside others further to the right. */
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
    skipped: skipped.map(({ hook, why, stillDenies }) => ({
      hook: hook.name,
      layer: hook.layer,
      type: hook.type,
      ...hook.origin?.place,
      why,
      still_denies: stillDenies,
    })),
  };
}
