import { FIELD_SPELLINGS } from "../event/field.ts";
import { nearest } from "../problem/nearest.ts";
import { type Problem, problems } from "../problem/problem.ts";
import { CORE_FIELDS } from "./field.ts";
import { problemOf, type WrittenRule } from "./read.ts";
import type { Condition } from "./rule.ts";

/** Fields that no event is known to have, and that are one letter away from one that events do have. */
export function nearFields({ rule, path, label, line }: WrittenRule): Problem[] {
  return fieldsIn(rule.when).flatMap((field) => {
    const [first = "", ...rest] = field.split(".");
    const meant = KNOWN.includes(first) ? undefined : nearest(first, KNOWN, 1);
    if (meant === undefined) return [];
    return [
      problemOf(label, PROBLEMS.nearField({ field, meant: [meant, ...rest].join(".") }), [...path, line ?? "field"]),
    ];
  });
}

function fieldsIn(condition: Condition): string[] {
  switch (condition.kind) {
    case "compare":
      return [condition.field];
    case "not":
      return fieldsIn(condition.of);
    case "all":
    case "any":
      return condition.of.flatMap(fieldsIn);
  }
}

const KNOWN: readonly string[] = [
  ...new Set([...Object.values(FIELD_SPELLINGS).flat(), ...CORE_FIELDS, "path", "file_path", "recent"]),
];

const PROBLEMS = problems("rule", {
  nearField: ({ field, meant }: { field: string; meant: string }) => ({
    what: `no event is known to have the field ${field}; without it the rule never matches.`,
    fix: `Did you mean "${meant}"?`,
  }),
});
