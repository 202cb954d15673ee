import { createHash, randomBytes, randomInt, timingSafeEqual } from "node:crypto";

/** Who is logged in: browsers whose user has typed the code from the terminal. All of it is kept in memory alone. */
export interface Logins {
  /** Makes a new code; the one before is no longer valid. */
  newCode(): string;
  /** Takes a code. A right one is used up by it. */
  tryCode(code: unknown): LoginResult;
  /** Whether both the cookie and the key of the page belong to one login. */
  isLoggedIn(cookie: string | undefined, key: string | undefined): boolean;
}

/** What came of a code. */
export type LoginResult =
  | { readonly outcome: "in"; readonly cookie: string; readonly key: string }
  | { readonly outcome: "wrong"; readonly left: number }
  /** There is no code now: it was used, or guessed at too often. */
  | { readonly outcome: "none" };

/**
 * Keeps logins. A browser sends the cookie to every port of this machine, so that other programs may see it; the key lies in
 * the page's own storage, which no other port reads. Both are needed.
 */
export function createLogins(): Logins {
  let code: string | undefined;
  let left = 0;
  const logins = new Map<string, string>();
  return {
    newCode() {
      code = Array.from({ length: CODE_LENGTH }, () => LETTERS[randomInt(LETTERS.length)]).join("");
      left = MOST_TRIES;
      return `${code.slice(0, CODE_LENGTH / 2)}-${code.slice(CODE_LENGTH / 2)}`;
    },
    tryCode(given) {
      if (code === undefined) return { outcome: "none" };
      const typed = typeof given === "string" ? given.slice(0, 64).toUpperCase().replaceAll(/[\s-]/g, "") : "";
      if (!isSame(typed, code)) {
        left--;
        if (left <= 0) code = undefined;
        return { outcome: "wrong", left };
      }
      code = undefined;
      const [cookie, key] = [secret(), secret()];
      logins.set(hashOf(cookie), hashOf(key));
      const [oldest] = logins.keys();
      if (logins.size > MOST_LOGINS && oldest !== undefined) logins.delete(oldest);
      return { outcome: "in", cookie, key };
    },
    isLoggedIn(cookie, key) {
      if (cookie === undefined || key === undefined) return false;
      const known = logins.get(hashOf(cookie));
      return known !== undefined && isSame(hashOf(key), known);
    },
  };
}

/** Compares in a time that tells nothing about where two texts differ. */
function isSame(one: string, other: string): boolean {
  return timingSafeEqual(digest(one), digest(other));
}

function digest(text: string): Buffer {
  return createHash("sha256").update(text).digest();
}

function hashOf(text: string): string {
  return digest(text).toString("hex");
}

function secret(): string {
  return randomBytes(32).toString("hex");
}

/** Letters and digits that are not taken for one another. */
const LETTERS = "ABCDEFGHJKMNPQRSTUVWXYZ23456789";
const CODE_LENGTH = 8;
const MOST_TRIES = 5;
const MOST_LOGINS = 8;
