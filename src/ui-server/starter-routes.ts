import { hookDenying } from "../suggest/suggestions.ts";
import { HOOK_TEMPLATES } from "../templates/index.ts";
import { isCanary, toldAction } from "../trace/outcome.ts";
import { recordedText } from "../trace/recorded-event.ts";
import type { UiContext, UiRoute } from "./route.ts";
import type { StarterHook } from "./wire-policy.ts";

/** What a new hook can begin with: templates, and calls that were denied or asked about lately. */
export const listStarters: UiRoute = async (_, context) => ({
  json: [...templateStarters(), ...(await denialStarters(context))],
});

function templateStarters(): StarterHook[] {
  return Object.entries(HOOK_TEMPLATES).map(([name, hook]) => ({
    from: "template",
    id: name,
    title: `${name}: ${hook.description}`,
    hook: hook.toJSON() as StarterHook["hook"],
  }));
}

/** One hook for each call that was objected to, however often; it denies exactly that call. */
async function denialStarters({ source }: UiContext): Promise<StarterHook[]> {
  const found = new Map<string, StarterHook>();
  const oldest = new Date(Date.now() - DAYS * DAY_MS).toISOString();
  for await (const record of source.records(oldest)) {
    if (record.time < oldest || found.size >= MOST) break;
    const told = toldAction(record);
    if ((told !== "deny" && told !== "ask") || record.kind !== "decision" || isCanary(record.results)) continue;
    const hook = hookDenying(record, record.reasons[0] ?? "This is not done here.");
    const text = recordedText(record).replaceAll(/\s+/g, " ").slice(0, LONGEST);
    if (hook !== undefined && !found.has(text))
      found.set(text, { from: "denial", id: record.id, title: `${told}: ${text}`, hook });
  }
  return [...found.values()];
}

const DAYS = 30;
const DAY_MS = 24 * 60 * 60 * 1000;
const MOST = 30;
const LONGEST = 80;
