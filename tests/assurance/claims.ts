import { describe, it } from "vitest";

/** One sentence or exit code with which Sluice reports that all is well. */
export interface Claim {
  /** What Sluice prints, or the exit code, as a user reads it: `undo: "Brought back 1 item"`. */
  readonly says: string;
  /** Expects the claim in a world in which it is true. */
  readonly whenTrue: () => void | Promise<void>;
  /** Worlds in which the claim is false, by what is wrong there; each expects that the claim is not made. */
  readonly whenFalse: Readonly<Record<string, () => void | Promise<void>>>;
}

/** Registers the tests of all claims that one command or page makes. A claim without a false world does not load. */
export function claimsOf(source: string, claims: readonly Claim[]): void {
  describe(`${source} reports that all is well only when it is`, () => {
    for (const { says, whenTrue, whenFalse } of claims) {
      const worlds = Object.entries(whenFalse);
      if (worlds.length === 0) throw new Error(`${source}: "${says}" has no world in which it is false`);
      describe(says, () => {
        it("is reported when it is true", whenTrue);
        for (const [world, check] of worlds) it(`is not reported when ${world}`, check);
      });
    }
  });
}
