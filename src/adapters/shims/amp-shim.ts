import { callSluice, type ShimMoment } from "./call-sluice.ts";

/** A plugin that hands Amp's events to Sluice and Sluice's answers to Amp. */
export function ampShim(words: readonly string[], moments: Readonly<Record<string, ShimMoment>>): string {
  return `// @i-know-the-amp-plugin-api-is-wip-and-very-experimental-right-now
// Asks \`sluice run amp\`; written by \`sluice install\`, taken away by \`sluice uninstall\`.
${callSluice(words)}
const MOMENTS = ${JSON.stringify(moments, null, 2)};

${"export default"} function (amp) {
  for (const [event, moment] of Object.entries(MOMENTS))
    amp.on(event, (told, ctx) => (event === "tool.call" ? decided(told, ctx, moment) : answered(event, told, moment)));
}

/** Amp waits for a decision about every call; whatever goes wrong here is a refusal. */
async function decided(told, ctx, moment) {
  try {
    const answer = await answerOf(payloadOf("tool.call", told), moment);
    if (answer.action !== "ask") return answer;
    const yes = await ctx.ui.confirm({ title: "Allow " + told.tool + "?", message: answer.message, confirmButtonText: "Allow" });
    if (yes !== true) return refused(answer.message);
    return answer.input ? { action: "modify", input: answer.input } : { action: "allow" };
  } catch (error) {
    return refused(error.message);
  }
}

async function answered(event, told, moment) {
  const answer = await answerOf(payloadOf(event, told), moment).catch(() => ({}));
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
