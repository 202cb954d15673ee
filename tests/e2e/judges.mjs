import { readFileSync } from "node:fs";

/** The call had no effect, and the model was told why; where a denial ends the agent's task, its user was told. */
export function blocked(kind, reason) {
  const judge = ({ ran, results, agent, printed }) => [
    ...(ran(kind) ? ["the tool ran"] : []),
    ...(agent.endsAtDenial || kind in results ? [] : ["the model got no result for the call"]),
    ...((agent.endsAtDenial ? printed : results[kind])?.includes(reason)
      ? []
      : [`nobody was told why, but: ${(agent.endsAtDenial ? printed : results[kind])?.slice(-300)}`]),
  ];
  return Object.assign(judge, { kind });
}

/** The model was told these words, whenever it was. */
export function told(words) {
  return ({ model }) => (model.told.some((text) => text.includes(words)) ? [] : ["no question to the model has it"]);
}

/** Hooks heard each call exactly once, before it or after it. */
export function counted({ place, main, sub }, when) {
  const lines = readFileSync(place.log, "utf8").trim().split("\n");
  const heard = lines.filter((line) => line.startsWith(`${when} `));
  const calls = main.length + sub.length;
  return heard.length === calls ? [] : [`${calls} calls, heard ${heard.length}: ${heard.join(", ")}`];
}

/** Hooks heard this event exactly once. */
export function heardOnce(event) {
  return ({ place }) => heard(place, event, 1);
}

/** The log has this line so many times. */
export function heard({ log }, word, times) {
  const found = readFileSync(log, "utf8")
    .split("\n")
    .filter((line) => line === word).length;
  return found === times ? [] : [`heard ${found} times`];
}
