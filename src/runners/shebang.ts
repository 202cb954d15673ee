import { closeSync, openSync, readSync } from "node:fs";

/** The interpreter that a script's first line names, and its one argument; nothing when it names none. */
export function shebangOf(script: string): readonly [program: string, ...argument: string[]] | undefined {
  const found = /^#![ \t]*([^ \t\n]+)(?:[ \t]+([^\n]*?))?[ \t]*(?:\n|$)/.exec(firstBytes(script));
  if (found?.[1] === undefined) return undefined;
  return found[2] ? [found[1], found[2]] : [found[1]];
}

function firstBytes(file: string): string {
  let descriptor: number | undefined;
  try {
    descriptor = openSync(file, "r");
    const buffer = Buffer.alloc(256);
    return buffer.toString("utf8", 0, readSync(descriptor, buffer, 0, buffer.length, 0));
  } catch {
    return "";
  } finally {
    if (descriptor !== undefined) closeSync(descriptor);
  }
}
