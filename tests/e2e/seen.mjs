import { KINDS } from "./kinds.mjs";

/** What can be seen of a run: which calls had their effect, and what the model was told of each. */
export function seenIn({ place, model, main, sub }) {
  const answered = (script, results) => script.map((kind, at) => [kind, results[at]]).filter(([, text]) => text);
  const results = Object.fromEntries([...answered(main, model.results.main), ...answered(sub, model.results.sub)]);
  const ran = (kind) => KINDS[kind](place, results[kind] ?? "");
  const notRun = (only) =>
    [...main, ...sub]
      .filter((kind) => kind in KINDS && (only === undefined || kind === only) && !ran(kind))
      .map((kind) => `the ${kind} call did not run: ${results[kind]?.slice(0, 300) ?? "no result"}`);
  return { place, model, main, sub, results, ran, notRun };
}
