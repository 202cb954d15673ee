import { didYouMean } from "../problem/nearest.ts";
import { Problem, problems } from "../problem/problem.ts";
import { WAYS } from "./combination.ts";
import { fieldNamed } from "./schema.ts";

type Path = readonly (string | number)[];
type Values = Readonly<Record<string, unknown>>;

/** What is wrong with a member, or with how members are put together. */
export interface MemberProblems {
  readonly errors: readonly Problem[];
  readonly warnings: readonly Problem[];
}

/** Reads the members of a combining hook with `read`, and collects what is wrong with them at their places. */
export function readMembers(
  spec: Values,
  label: string,
  depth: number,
  read: (data: unknown) => MemberProblems,
): MemberProblems {
  const said = WAYS.filter((way) => spec[way] !== undefined);
  if (said.length > 1) {
    return { errors: [PROBLEMS.manyWays({ label, said }, { path: [said[1] ?? ""] })], warnings: [] };
  }
  if (depth >= DEEPEST) return { errors: [PROBLEMS.tooDeep({ label }, { path: said })], warnings: [] };
  const members = membersIn(spec).map(({ data, path }) => ({ data, path, problems: read(data) }));
  return {
    errors: [
      ...nothingAsked(spec, label),
      ...members.flatMap(({ data, path, problems: { errors } }) => [
        ...saidByMember(data, label, path),
        ...errors.map((problem) => within(path, problem)),
      ]),
    ],
    warnings: [
      ...unknownKeys(spec, label),
      ...members.flatMap(({ path, problems: { warnings } }) => warnings.map((problem) => within(path, problem))),
    ],
  };
}

/** The members as they are written, with the keys that lead to them. */
function membersIn(spec: Values): { readonly data: unknown; readonly path: Path }[] {
  const lists = ["all", "any", "pipe"].flatMap((way) => {
    const list: unknown = spec[way];
    return Array.isArray(list) ? list.map((data: unknown, index) => ({ data, path: [way, index] })) : [];
  });
  const single = SINGLE.flatMap(([way, key]) => {
    const data = (Object(spec[way]) as Values)[key];
    return data === undefined ? [] : [{ data, path: [way, key] }];
  });
  return [...lists, ...single];
}

/** What only the whole can say: a member matches the same events, at the same time, for the same end. */
function saidByMember(data: unknown, label: string, path: Path): Problem[] {
  return Object.keys(Object(data)).flatMap((key) =>
    OF_THE_WHOLE.includes(fieldNamed(key) ?? "") ? [PROBLEMS.ofTheWhole({ label, key }, { path: [...path, key] })] : [],
  );
}

function nothingAsked({ when }: Values, label: string): Problem[] {
  if (when === undefined || CONDITIONS.some((key) => Object.hasOwn(Object(when), key))) return [];
  return [PROBLEMS.noCondition({ label }, { path: ["when"] })];
}

function unknownKeys(spec: Values, label: string): Problem[] {
  return Object.entries(KNOWN).flatMap(([way, known]) =>
    Object.keys(Object(spec[way]))
      .filter((key) => !known.includes(key))
      .map((key) => PROBLEMS.unknownMemberKey({ label, way, key, known }, { path: [way, key] })),
  );
}

/** The same problem, seen from further up. */
export function within(path: Path, { code, message, fix, path: inner = [], cause }: Problem): Problem {
  return new Problem(
    code,
    { what: message, ...(fix === undefined ? {} : { fix }) },
    { path: [...path, ...inner], cause },
  );
}

const DEEPEST = 8;
const SINGLE = [
  ["retry", "of"],
  ["when", "then"],
  ["when", "else"],
] as const;
const OF_THE_WHOLE = ["event", "matcher", "priority", "mode", "async", "parallel"];
const CONDITIONS = ["if", "event", "tool", "matcher"];
const KNOWN: Readonly<Record<string, readonly string[]>> = {
  retry: ["times", "of", "delay"],
  when: [...CONDITIONS, "then", "else"],
};

const PROBLEMS = problems("hook", {
  manyWays: ({ label, said }: { label: string; said: readonly string[] }) => ({
    what: `${label} says ${said.map((way) => `\`${way}\``).join(" and ")}; one hook combines others in one way.`,
    fix: "Make one of them a member of the other.",
  }),
  tooDeep: ({ label }: { label: string }) => ({
    what: `${label} lies more than ${DEEPEST} hooks deep.`,
    fix: "Make it a hook of its own.",
  }),
  ofTheWhole: ({ label, key }: { label: string; key: string }) => ({
    what: `A member of ${label} says \`${key}\`, which only the whole can say.`,
    fix: "Remove it there; `when` runs a member for some events only.",
  }),
  noCondition: ({ label }: { label: string }) => ({
    what: `\`when\` of ${label} names no condition.`,
    fix: 'Add `tool: "@shell"`, `event`, `matcher` or `if`.',
  }),
  unknownMemberKey: ({
    label,
    way,
    key,
    known,
  }: {
    label: string;
    way: string;
    key: string;
    known: readonly string[];
  }) => ({
    what: `\`${way}\` of ${label} has a key \`${key}\`, which does nothing.`,
    fix: didYouMean(key, known) || `It knows ${known.join(", ")}.`,
  }),
});
