import type { Layer } from "../hook/hook.ts";
import type { Place } from "../problem/problem.ts";
import { SETTINGS, type Statement } from "./settings.ts";

/** What a file that cannot be read still says about guards: one wrong sign in it does not switch them off. */
export function guardsOfBrokenFile(text: string, layer: Layer, place: Place): Statement[] {
  const [, word] = STATED.exec(text) ?? [];
  if (word === undefined || word === "off") return [];
  const value = /^(?:strict|paranoid)$/.test(word) ? word : SETTINGS.guards.unread;
  return [{ setting: "guards", value, layer, place }];
}

/** At the top of a file, in either notation. */
const STATED = /^(?:\{[ \t]*|[ \t]{1,4}(?="))?["']?guards["']?[ \t]*:[ \t]*["']?(\w*)/m;
