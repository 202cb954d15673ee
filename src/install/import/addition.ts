import { parseDocument, parseText } from "../../config/document.ts";
import { edit } from "../../config/edit.ts";
import type { ListEdit } from "../../config/hook-list.ts";
import { readLayerFiles } from "../../config/layer-files.ts";
import { isThere, locate, type Whereabouts } from "../../config/locate.ts";
import { shapeOf } from "../../config/shape.ts";
import { isObject } from "../../event/json.ts";
import { Hook } from "../../hook/hook.ts";
import { problems } from "../../problem/problem.ts";
import { compileHookRules } from "../../rule/hook-rules.ts";
import type { ForeignFinding, Imported } from "./foreign-hooks.ts";

type Spec = Imported["spec"];

/** A file of hooks as it is and as it would be with more hooks at the end of its list. */
export interface Addition {
  readonly path: string;
  readonly before: string | undefined;
  readonly after: string;
  readonly hooks: readonly Hook[];
}

/** The file of a layer with these hooks added. Nothing is written. */
export function addition(
  layer: "user" | "project",
  root: string,
  specs: readonly Spec[],
  where: Whereabouts,
): Addition {
  const candidates = locate(root, [layer], where);
  const path = candidates.find((one) => isThere(one.path))?.path ?? candidates[0]?.path ?? "";
  const { shapes, errors } = readLayerFiles(
    candidates.filter((one) => one.path === path),
    parseText,
  );
  const shape = shapes[0];
  if (shape === undefined && isThere(path)) {
    const cause = errors[0];
    throw PROBLEMS.unreadable({ why: cause?.message ?? "" }, { place: cause?.place ?? { file: path }, cause });
  }
  const hooks = specs.map((spec) => Hook.fromJSON(spec));
  const adding = hooks.map((hook): ListEdit => ({ kind: "add", value: hook.toJSON() }));
  if (shape === undefined) return { path, before: undefined, after: fresh(path, layer, adding), hooks };
  const { document, list } = shape;
  const kept = list.entries.map(({ index }): ListEdit => ({ kind: "keep", index }));
  const after = document.mark + edit(document, list.path, [...kept, ...adding]);
  return { path, before: document.mark + document.text, after, hooks };
}

/** What is not there yet: no hook does the same under the same name or for the same events. Names stay apart. */
export function missing(found: readonly Imported[], present: readonly Hook[]): readonly Imported[] {
  const known = present.map((hook) => hook.toJSON() as Spec);
  const names = new Set(known.map(({ name }) => name));
  const fresh: Imported[] = [];
  for (const one of found) {
    if ([...known, ...fresh.map(({ spec }) => spec)].some((other) => isSame(one.spec, other))) continue;
    let name = String(one.spec.name);
    for (let count = 2; names.has(name); count++) name = `${one.spec.name}-${count}`;
    names.add(name);
    fresh.push({ ...one, spec: { ...one.spec, name } });
  }
  return fresh;
}

function isSame(one: Spec, other: Spec): boolean {
  if (actOf(one) !== actOf(other)) return false;
  return (
    one.name === other.name || JSON.stringify([one.event, one.matcher]) === JSON.stringify([other.event, other.matcher])
  );
}

function actOf({ command, args, when, rules, url }: Spec): string {
  return JSON.stringify([command, args, when, rules, url]);
}

function fresh(path: string, layer: string, adding: readonly ListEdit[]): string {
  const head = `# The hooks of this ${layer}. \`sluice check\` reads this file and says what is wrong with it.\n\n`;
  const read = parseDocument(path, head);
  if (read.state !== "read") throw new TypeError("a file that holds a comment cannot be read");
  return edit(read.document, shapeOf(read.document, "project").list.path, adding);
}

const PROBLEMS = problems("import", {
  unreadable: ({ why }: { why: string }) => ({
    what: `Nothing can be added, because this file cannot be read: ${why}`,
    fix: "Correct the file first; `sluice check` shows it.",
  }),
});

/** Sets those apart whose conditions our rules cannot hold: other regular expressions than ours know more. */
export function keepReadable(findings: readonly ForeignFinding[]): Promise<readonly ForeignFinding[]> {
  return Promise.all(findings.map(async (one) => (one.kind === "left" ? one : readable(one))));
}

async function readable(one: Imported): Promise<ForeignFinding> {
  const { when, rules, name } = one.spec;
  const text = isObject(when) ? `${String(when.if)} -> deny()` : rules;
  if (typeof text !== "string") return one;
  const { problems } = await compileHookRules({ inlineRules: undefined, rules: text });
  if (problems[0] === undefined) return one;
  const why = `its condition cannot be written as a rule: ${problems[0].message.replace(/\.$/, "")}`;
  return { kind: "left", what: String(name), file: one.file, why };
}
