import type { Handshake } from "./handshake.ts";
import { greeting } from "./protocol.ts";
import { isSame, type Token } from "./token.ts";

/** The engine's side where each side shows its secret: whoever reaches the address has entered a private folder, or knows one. */
export function hearSecret({ client, engine }: Token): Handshake {
  return { opening: "", steps: [(line) => (isSame(`${line}\n`, greeting(client)) ? greeting(engine) : undefined)] };
}

/** The client's side. */
export function showSecret({ client, engine }: Token): Handshake {
  return { opening: greeting(client), steps: [(line) => (isSame(`${line}\n`, greeting(engine)) ? "" : undefined)] };
}
