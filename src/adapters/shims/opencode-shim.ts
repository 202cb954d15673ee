import { callSluice, type ShimCall, type ShimHookEvent } from "./call-sluice.ts";

/** A plugin that asks Sluice at these hooks and tells it of these events, without knowing more about either. */
export function opencodeShim(
  call: ShimCall,
  hooks: Readonly<Record<string, ShimHookEvent>>,
  events: Readonly<Record<string, ShimHookEvent>>,
): string {
  return `// Asks \`sluice run opencode\`; written by \`sluice install\`, taken away by \`sluice uninstall\`.
${callSluice(call)}
const HOOKS = ${JSON.stringify(hooks, null, 2)};
const EVENTS = ${JSON.stringify(events, null, 2)};

${"export const"} Sluice = async ({ directory }) => {
  const asked = Object.entries(HOOKS).map(([hook, hookEvent]) => [
    hook,
    async (input, output) => {
      const answer = await answerOf({ hook, input: withoutKeys(hook, input), output, cwd: directory }, hookEvent);
      if (answer.action === "deny" && hookEvent.gate) throw new Error(answer.reason);
      for (const [key, value] of Object.entries(answer.output ?? {})) output[key] = become(output[key], value);
    },
  ]);
  const event = async ({ event }) => {
    const hookEvent = Object.hasOwn(EVENTS, event.type) ? EVENTS[event.type] : undefined;
    if (hookEvent) answerOf({ hook: "event", input: { event }, cwd: directory }, hookEvent).catch(() => {});
  };
  return { ...Object.fromEntries(asked), event };
};

/** What a hook is handed has to be changed where it lies: a new object is not looked at. */
function become(target, source) {
  if (!holds(target) || !holds(source) || Array.isArray(target) !== Array.isArray(source)) return source;
  for (const key of Object.keys(target)) if (!Object.hasOwn(source, key)) delete target[key];
  for (const [key, value] of Object.entries(source)) target[key] = become(target[key], value);
  if (Array.isArray(target)) target.length = source.length;
  return target;
}

function holds(value) {
  return typeof value === "object" && value !== null;
}

/** A provider's and a model's settings hold keys, which stay there. */
function withoutKeys(hook, input) {
  if (hook !== "chat.params") return input;
  const { provider, model, ...rest } = input;
  return { ...rest, model: { id: model?.id, providerID: model?.providerID } };
}
`;
}
