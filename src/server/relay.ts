import type { Socket } from "node:net";
import { GoAhead } from "./go-ahead.ts";
import type { Handed, Hands } from "./hands.ts";
import type { Answer } from "./protocol.ts";

/**
 * Lets a hand run the hooks of a client that cannot be handed to it: the engine asks the client whether hooks may begin, and
 * passes the hand's answer on. Nothing when the client is gone, or when nobody knows what its hooks have done: it sees the
 * end of the connection then, and knows that too.
 */
export async function relay(handed: Handed, client: Socket, hands: Hands): Promise<Answer | undefined> {
  const gone = new AbortController();
  for (const name of ["end", "close"]) client.on(name, () => gone.abort());
  const seconds = Math.ceil(handed.patience / 1000) + SPARE_SECONDS;
  if (!(await GoAhead.listening(client).ask("HOOKS", seconds))) return undefined;
  const answer = await hands.decide(handed, gone.signal);
  if (answer === undefined) return COLD;
  return answer.kind === "cold" && answer.isLost ? undefined : answer;
}

/** No hand was free, so nothing has begun. */
const COLD: Answer = { kind: "cold", usesNetwork: true };
/** Hooks that were ended need a moment to end, and so does what comes after them. */
const SPARE_SECONDS = 3;
