import { has, values } from "./call.ts";
import type { Options } from "./options.ts";

/** A branch or a tag that a run of version control creates, moves, sends or deletes. */
interface ReportedRef {
  readonly kind: "branch" | "tag";
  readonly name: string;
  readonly isDeleted: boolean;
}

/** The branches and tags that a part of git changes, and the remote on which it changes them. */
export interface RefChanges {
  readonly remote?: string | undefined;
  readonly refs: readonly ReportedRef[];
}

/** Returns what a part of git does to branches and tags, by its options and operands. */
export function refChanges(verb: string | undefined, options: Options): RefChanges {
  return REFS[verb ?? ""]?.(options) ?? NONE;
}

/** Whether a part of git records changes to files, which no role of the run states. */
export function recordsChanges(verb = ""): boolean {
  return RECORDS.test(verb);
}

/** Whether a part of git takes from the index what is staged. */
export function takesStaged(verb = ""): boolean {
  return /^(?:mv|reset|restore|rm)$/.test(verb);
}

const RECORDS =
  /^(?:add|commit|merge|cherry-pick|revert|am|stash|stash push|stash save|stash apply|stash pop|notes|rm|mv|apply)$/;

const NONE: RefChanges = { refs: [] };

const REFS: Readonly<Record<string, (options: Options) => RefChanges>> = {
  __proto__: null as never,
  push: pushed,
  "send-pack": pushed,
  "http-push": pushed,
  branch: (options) => {
    const isDeleted = has(options, "delete", "D");
    const isMoved = has(options, "move", "M", "copy", "C");
    const names = options.operands.map(({ text }) => text);
    if (isDeleted) return { refs: names.map((name) => ({ kind: "branch", name, isDeleted })) };
    if (has(options, "list", "contains", "no-contains", "merged", "no-merged", "points-at", "show-current"))
      return NONE;
    if (isMoved) return refsOf("branch", names.slice(-1));
    return refsOf("branch", names.slice(0, 1));
  },
  tag: (options) => {
    const names = options.operands.map(({ text }) => text);
    if (has(options, "delete")) return { refs: names.map((name) => ({ kind: "tag", name, isDeleted: true })) };
    if (has(options, "list", "contains", "no-contains", "merged", "no-merged", "points-at", "verify", "n")) return NONE;
    return refsOf("tag", names.slice(0, 1));
  },
  checkout: (options) =>
    refsOf(
      "branch",
      values(options, "b", "B", "orphan").map(({ text }) => text),
    ),
  switch: (options) =>
    refsOf(
      "branch",
      values(options, "create", "force-create", "orphan").map(({ text }) => text),
    ),
  "update-ref": ({ given, operands }) => {
    const [, name] = /^refs\/heads\/(.+)$/.exec(operands[0]?.text ?? "") ?? [];
    return name === undefined ? NONE : { refs: [{ kind: "branch", name, isDeleted: given.has("d") }] };
  },
};

function refsOf(kind: ReportedRef["kind"], names: readonly string[]): RefChanges {
  return { refs: names.map((name) => ({ kind, name, isDeleted: false })) };
}

/** `push origin main`, `push origin HEAD:main`, `push origin :old`, `push -d origin old`. */
function pushed(options: Options): RefChanges {
  const [to, ...specs] = options.operands.map(({ text }) => text);
  const isDeleting = has(options, "delete");
  const isTag = (at: number) => specs[at - 1] === "tag";
  const refs = specs.flatMap((spec, at): ReportedRef[] => {
    if (spec === "tag" && specs.length > at + 1) return [];
    const plain = spec.replace(/^\+/, "");
    const colon = plain.lastIndexOf(":");
    const target = colon < 0 ? plain : plain.slice(colon + 1);
    const [, tag] = /^refs\/tags\/(.+)$/.exec(target) ?? [];
    const name = tag ?? target.replace(/^refs\/heads\//, "");
    const kind = tag !== undefined || isTag(at) ? "tag" : "branch";
    return name === "" ? [] : [{ kind, name, isDeleted: isDeleting || colon === 0 }];
  });
  return { remote: to ?? values(options, "repo").at(-1)?.text, refs };
}
