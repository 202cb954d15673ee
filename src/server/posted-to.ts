import { readAddress } from "./http-address.ts";
import { untilAnswered } from "./http-probe.ts";
import { type ColdWords, quartersOf } from "./quarters.ts";

/** Where agents post their calls, waits for the engine that was just started: the first tool would find nobody else. */
export async function postedTo(cold: ColdWords, env: Readonly<Record<string, string | undefined>>): Promise<void> {
  const address = readAddress(quartersOf(cold, { env }));
  if (address !== undefined) await untilAnswered(address, PATIENCE_MS);
}

const PATIENCE_MS = 3000;
