import type { WorkBudget } from "./work-budget.ts";

/** What is asked about the work that is left for a call. */
export type EventBudget = Pick<WorkBudget, "isSpent">;

/** Returns what is left of the work for an event while it is decided; undefined if no event has a budget. */
export let budgetOf: (event: object) => EventBudget | undefined = () => undefined;

/** Sets how budgets are found: the class of events keeps them in a private field. */
export function findBudgetsBy(find: (event: object) => EventBudget | undefined): void {
  budgetOf = find;
}
