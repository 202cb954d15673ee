import type { Answer, Request } from "./protocol.ts";

/** What an engine tells a hand: to take a call, whose client comes along where it has a socket; or to give it up. */
export type ToHand =
  | {
      readonly say: "take";
      readonly request: Request;
      /** The project whose plugins this hand may load; it serves no other any more. */
      readonly project: string | undefined;
      /** The client comes along; without one the engine gets the answer. */
      readonly hasClient: boolean;
    }
  | { readonly say: "give up" };

/** What a hand tells its engine: that it can take a call, how large it has grown, and the answer where nobody else hears it. */
export interface FromHand {
  readonly say: "free";
  /** Bytes of memory. */
  readonly rss: number;
  readonly answer?: Answer;
}
