import { GAP, type Word } from "./parse/command.ts";

/** The host that a url or an address names: `https://me@host:8080/x`, `me@host:path`, `host:22`, `host`. */
export function hostOf(word: Word | undefined): Word | undefined {
  if (word === undefined) return undefined;
  const text = word.text.replace(/^[A-Za-z][A-Za-z0-9+.-]*:\/\//, "").replace(/^\/\//, "");
  const authority = text.split(/[/?#\\]/, 1)[0] ?? "";
  const place = authority.slice(authority.lastIndexOf("@") + 1);
  const host = place.startsWith("[") ? place.slice(1).split("]", 1)[0] : place.split(":", 1)[0];
  if (host === undefined || host === "") return undefined;
  return { text: host.toLowerCase(), isKnown: word.isKnown || !host.includes(GAP), isGlob: false };
}

/** Does an operand of `scp` or `rsync` lie on another machine? */
export function isRemote(text: string): boolean {
  if (/^[a-z]+:\/\//.test(text)) return true;
  const colon = text.indexOf(":");
  return colon > 0 && !text.slice(0, colon).includes("/") && !/^[A-Za-z]:[\\/]/.test(text);
}
