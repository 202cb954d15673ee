import type { CountKey } from "./recent.ts";
import type { Condition } from "./rule.ts";
import { conditionText } from "./text.ts";

/** What the calls that meet a condition are counted under: the same on every machine, and without the words of the condition. */
export function countKey(of: Condition): CountKey {
  // FNV-1a over two halves: few conditions are counted, and a collision would only be stricter.
  const [one, other] = [2_166_136_261, 40_389].map((start) => {
    let hash = start;
    for (const char of conditionText(of)) hash = Math.imul(hash ^ (char.codePointAt(0) ?? 0), 16_777_619);
    return (hash >>> 0).toString(16).padStart(8, "0");
  });
  return `count ${one}${other}`;
}
