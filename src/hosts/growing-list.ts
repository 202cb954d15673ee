import { problems } from "../problem/problem.ts";

/** A list that a program can push to: `add` gets each item first, and returns what is kept. Nothing can be removed. */
export function growingList<Item>(items: Item[], add: (given: Item) => Item): Item[] {
  return new Proxy(items, {
    set(list, key, given) {
      if (key === String(list.length)) list.push(add(given));
      else if (key !== "length" || given !== list.length) throw PROBLEMS.onlyGrows(undefined);
      return true;
    },
    deleteProperty() {
      throw PROBLEMS.onlyGrows(undefined);
    },
  });
}

const PROBLEMS = problems("host", {
  onlyGrows: () => ({
    what: "Hooks of `hooksConfig.hooks` can be added there, and neither removed nor replaced.",
    fix: "Set `hooksConfig = { hooks: [ … ] }` for other preset hooks; `disableHook(name)` switches one off.",
  }),
});
