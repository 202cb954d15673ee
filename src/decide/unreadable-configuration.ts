import { EVENT_NAMES, eventSpec } from "../event/catalogue.ts";
import { Hook } from "../hook/hook.ts";
import type { Loaded } from "../config/load.ts";

/**
 * Where a file of the user's own configuration, or of the machine's, is there and cannot be read at all, it is not known
 * what it would have denied: a hook in its place asks about every call that could be stopped.
 */
export function gatesOfUnreadable({ errors, files }: Pick<Loaded, "errors" | "files">): Hook[] {
  return errors.flatMap((problem) => {
    const found = files.find(({ path }) => path === problem.place?.file);
    if (!UNREADABLE.has(problem.code) || problem.place === undefined) return [];
    if (found?.layer !== "user" && found?.layer !== "managed") return [];
    const gates = EVENT_NAMES.filter((name) => eventSpec(name).gate && !eventSpec(name).keepsWorking);
    const reason =
      `${problem.place.file} cannot be read, so what its hooks would say is not known. ${problem.fix ?? ""}`.trim();
    const rules = `event in ${JSON.stringify(gates)} -> ask(${JSON.stringify(reason)})`;
    const origin = { place: problem.place, layer: found.layer, index: 0 };
    return [Hook.fromJSON({ name: "unreadable-configuration", event: "*", rules }, origin)];
  });
}

const UNREADABLE: ReadonlySet<string> = new Set([
  "config/unreadable",
  "config/too-large",
  "config/too-much",
  "config/too-many-parts",
  "config/too-many-problems",
  "config/takes-too-long",
]);
