import { isSame } from "../decision/patch.ts";
import { isObject } from "../event/json.ts";

/** What an agent sent: an object, and nothing more is known about it. */
export type Payload = Readonly<Record<string, unknown>>;

/** A payload that lacks a field that its hook event needs; a gate stays shut for it. */
export class Unreadable extends Error {
  override readonly name = "Unreadable";
}

/** The text under a key, if there is one. */
export function textAt(holder: Payload, ...keys: readonly string[]): string | undefined {
  for (const key of keys) {
    const value = holder[key];
    if (typeof value === "string" && value !== "") return value;
  }
  return undefined;
}

/** The text under a key; without it the payload cannot be read. */
export function needText(holder: Payload, key: string): string {
  return textAt(holder, key) ?? refuse(key, "a string", holder[key]);
}

/** The text under a key, which may be empty; without it the payload cannot be read. */
export function needString(holder: Payload, key: string): string {
  const value = holder[key];
  return typeof value === "string" ? value : refuse(key, "a string", value);
}

/** The object under a key; an empty one when there is none. */
export function objectAt(holder: Payload, key: string): Payload {
  const value = holder[key];
  return isObject(value) ? value : {};
}

/** The object under a key; without it the payload cannot be read. */
export function needObject(holder: Payload, key: string): Payload {
  const value = holder[key];
  return isObject(value) ? value : refuse(key, "an object", value);
}

/** The list under a key; without it the payload cannot be read. */
export function needList(holder: Payload, key: string): readonly unknown[] {
  const value = holder[key];
  return Array.isArray(value) ? value : refuse(key, "a list", value);
}

/** A value that may have come as JSON text. */
export function parsed(value: unknown): unknown {
  if (typeof value !== "string") return value;
  try {
    return JSON.parse(value);
  } catch {
    return value;
  }
}

/** Our name of an MCP tool that the agent calls `server__tool`; no tool of such an agent's own has two underscores. */
export function mcpToolName(name: string): string {
  return /^(?!mcp__).+?__./.test(name) ? `mcp__${name}` : name;
}

/** The payload without these keys. */
export function without(payload: Payload, ...keys: readonly string[]): Record<string, unknown> {
  const rest: Record<string, unknown> = {};
  for (const key of Object.keys(payload))
    if (key === "__proto__") Object.defineProperty(rest, key, { ...OWN, value: payload[key] });
    else if (!keys.includes(key)) rest[key] = payload[key];
  return rest;
}

/** An agent may send any name, and this one would become something else. */
const OWN = { enumerable: true, configurable: true, writable: true };

function refuse(key: string, wanted: string, got: unknown): never {
  throw new Unreadable(`\`${key}\` has to be ${wanted}, and is ${kindOf(got)}`);
}

function kindOf(value: unknown): string {
  if (value === null) return "null";
  if (value === "") return "empty";
  return Array.isArray(value) ? "a list" : (KINDS[typeof value] ?? typeof value);
}

const KINDS: Readonly<Record<string, string>> = {
  undefined: "missing",
  string: "a string",
  number: "a number",
  boolean: "true or false",
  object: "an object",
};

/** The keys that a changed input no longer has; all of them if it is not an object any more. */
export function lostKeys(original: unknown, changed: unknown): string[] {
  if (!isObject(original)) return [];
  return Object.keys(original).filter((key) => !isObject(changed) || changed[key] === undefined);
}

/** The keys outside of these to which another input gives other values; what it does not name stays. */
export function changedOutside(keys: readonly string[], original: unknown, changed: unknown): string[] {
  if (!isObject(original) || !isObject(changed)) return [];
  return Object.keys(changed).filter((key) => !keys.includes(key) && !isSame(original[key], changed[key]));
}

/** Whether a changed input has the same keys, with the same kinds of values. */
export function keepsShape(original: unknown, changed: unknown): boolean {
  if (!isObject(original) || !isObject(changed)) return valueKind(original) === valueKind(changed);
  const keys = Object.keys(original);
  return (
    Object.keys(changed).length === keys.length &&
    keys.every((key) => valueKind(original[key]) === valueKind(changed[key]))
  );
}

function valueKind(value: unknown): string {
  if (value === null) return "null";
  return Array.isArray(value) ? "list" : typeof value;
}
