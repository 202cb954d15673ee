import { callSluice, type ShimCall, type ShimHookEvent } from "./call-sluice.ts";

/** A plugin that hands Amp's events to Sluice and Sluice's answers to Amp. */
export function ampShim(call: ShimCall, hookEvents: Readonly<Record<string, ShimHookEvent>>): string {
  return `// @i-know-the-amp-plugin-api-is-wip-and-very-experimental-right-now
// Asks \`sluice run amp\`; written by \`sluice install\`, taken away by \`sluice uninstall\`.
${callSluice(call)}
const HOOK_EVENTS = ${JSON.stringify(hookEvents, null, 2)};

${"export default"} function (amp) {
  for (const [event, hookEvent] of Object.entries(HOOK_EVENTS))
    amp.on(event, (told, ctx) => (event === "tool.call" ? decided(told, ctx, hookEvent) : answered(event, told, hookEvent)));
}

/** Amp waits for a decision about every call; whatever goes wrong here is a refusal. */
async function decided(told, ctx, hookEvent) {
  try {
    const answer = await answerOf(payloadOf("tool.call", told), hookEvent);
    if (answer.action !== "ask") return answer;
    const yes = await ctx.ui.confirm({ title: "Allow " + told.tool + "?", message: answer.message, confirmButtonText: "Allow" });
    if (yes !== true) return refused(answer.message);
    return answer.input ? { action: "modify", input: answer.input } : { action: "allow" };
  } catch (error) {
    return refused(error.message);
  }
}

async function answered(event, told, hookEvent) {
  const answer = await answerOf(payloadOf(event, told), hookEvent).catch(() => ({}));
  return Object.keys(answer).length === 0 ? undefined : answer;
}

function payloadOf(event, told) {
  return { agent: "amp", event, cwd: process.cwd(), ...told };
}

function refused(message) {
  return { action: "reject-and-continue", message };
}
`;
}
