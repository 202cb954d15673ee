import { randomBytes, timingSafeEqual } from "node:crypto";
import { sha256Text } from "../fs/late-builtins.ts";
import type { PendingRequest } from "./store.ts";

/** A token for the link to one request, and what is stored of it. */
export function newLink(): { readonly token: string; readonly hash: string } {
  const token = randomBytes(24).toString("base64url");
  return { token, hash: digest(token) };
}

/**
 * Whether a token opens this request. It is made for one request, which is bound to one input; the request ends with its
 * answer, so the token answers once.
 */
export function opensRequest(token: unknown, { link }: PendingRequest): boolean {
  if (typeof token !== "string" || link === undefined) return false;
  return timingSafeEqual(Buffer.from(digest(token)), Buffer.from(link));
}

function digest(token: string): string {
  return sha256Text(token);
}
