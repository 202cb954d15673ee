import { resolve } from "node:path";
import { describe, expect, it } from "vitest";
import { campaign } from "../campaigns/self-protection/campaign.mjs";

/** Every so many cases of the campaign are tried in a test run; `npm run campaign self-protection` tries all. */
const EVERY = 60;

describe.runIf(process.platform === "linux")("a part of the campaign against self-protection", () => {
  it("stops attacks by the payloads of six agents, and lets their harmless neighbours pass", {
    timeout: 180_000,
  }, async () => {
    let at = 0;
    const { counts, failed } = await campaign(resolve(import.meta.dirname, "../.."), {
      keep: () => at++ % EVERY === 0,
    });
    expect(failed.map(({ call, why }) => `${call.command ?? JSON.stringify(call)}: ${why}`)).toEqual([]);
    expect(counts.attacks).toBeGreaterThan(30);
    expect(counts.passed).toBe(counts.harmless);
  });
});
