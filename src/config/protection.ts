import { nearest } from "../problem/nearest.ts";

/** Something that protects: its values from the loosest to the strictest, and what counts where none can be read. */
export interface Protection<Rungs extends readonly string[] = readonly string[]> {
  readonly rungs: Rungs;
  readonly unread: Rungs[number];
}

/** What a setting protects: as a whole, or with each of its parts. */
export type Protects =
  | { readonly whole: Protection; readonly parts?: never }
  | { readonly parts: Readonly<Record<string, Protection>>; readonly whole?: never };

/** Every protection that a file can ask for. */
export const PROTECTIONS = {
  guards: protection(["off", "standard", "strict", "paranoid"], "standard"),
  trace: protection(["off", "on", "required"], "required"),
  mode: protection(["off", "advise", "enforce"], "enforce"),
  onUnknown: protection(["allow", "ask", "deny"], "deny"),
};

/** What a stated value counts as: itself, else what was most likely meant, and then nothing looser than the row says. */
export function countsAs(value: unknown, { rungs, unread }: Protection): string {
  if (typeof value === "string" && rungs.includes(value)) return value;
  const near = nearest(String(value), rungs);
  return near !== undefined && rungs.indexOf(near) > rungs.indexOf(unread) ? near : unread;
}

/** What a setting counts as when nothing in it can be read; whoever mistypes a protection does not lose it. */
export function unreadSetting({ whole, parts }: Protects, value: unknown): unknown {
  if (whole !== undefined) return countsAs(value, whole);
  return Object.fromEntries(Object.entries(parts).map(([name, { unread }]) => [name, unread]));
}

/** The part that a key of a setting names, in any spelling, or most likely means. */
export function partNamed(key: string, { parts = {} }: Protects): string | undefined {
  return nearest(key, Object.keys(parts));
}

/** What is left of a value that only a guess gave its meaning: a guess may tighten, never loosen. */
export function tightening(value: unknown, protects: Protects): unknown {
  if (protects.whole !== undefined) return isLoosest(value, protects.whole) ? undefined : value;
  const kept = Object.entries(Object(value)).filter(([key, stated]) => {
    const part = protects.parts[partNamed(key, protects) ?? ""];
    return part !== undefined && !isLoosest(stated, part);
  });
  return kept.length === 0 ? undefined : Object.fromEntries(kept);
}

function isLoosest(value: unknown, { rungs }: Protection): boolean {
  return value === rungs[0];
}

function protection<const Rungs extends readonly string[]>(rungs: Rungs, unread: Rungs[number]): Protection<Rungs> {
  return { rungs, unread };
}
