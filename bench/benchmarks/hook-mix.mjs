/** A tool whose calls exactly three hooks of every mix match. */
export const MATCHED_TOOL = "mcp__files__read";

/** Hooks of mixed patterns, of which three match MATCHED_TOOL and its like (`mcp__files__…`), however many there are. */
export function hookMix(Hook, size) {
  const bystanders = Array.from({ length: size - LISTENERS.length }, (_, index) =>
    BYSTANDERS[index % BYSTANDERS.length](index),
  );
  // The listeners lie among the others, as they would in real files.
  const all = [...bystanders.slice(0, 3), ...LISTENERS, ...bystanders.slice(3)];
  return all.map((spec, index) => Hook.fromJSON({ name: `hook ${index}`, command: "true", ...spec }));
}

const LISTENERS = [
  { event: "tool:pre_execute", priority: 50 },
  { event: "tool:*:mcp__files__*" },
  { matcher: { events: ["PreToolUse"], tools: ["@mcp"] } },
];

/** One row per sort of pattern; most of them listen to the very event that is measured, for another tool. */
const BYSTANDERS = [
  (index) => ({ event: `tool:pre_execute:tool_${index}` }),
  (index) => ({ event: ["session:start", "llm:*", "user:prompt_submit", "Stop"][index % 4] }),
  (index) => ({ event: `tool:pre_execute:mcp__server_${index}__*` }),
  (index) => ({ event: ["PreToolUse:@shell", "tool:pre_execute:@write", "tool:*:@read"][index % 3] }),
  (index) => ({ matcher: { events: ["PreToolUse"], tools: [`alpha_${index}`, `beta_${index}`] } }),
  (index) => ({ event: `tool:pre_execute:gamma_${index}, tool:post_execute`, priority: index % 200 }),
  (index) => ({ event: `tool:*:delta_${index}_?`, priority: index % 200 }),
];
