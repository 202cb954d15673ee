import { hello } from "./api.ts";

/** The time of day, with the date where it is not today. */
export function timeText(at: number): string {
  const time = CLOCK.format(at);
  return at >= startOfToday() ? time : `${dayText(at)} ${time}`;
}

const CLOCK = new Intl.DateTimeFormat(undefined, {
  hour: "2-digit",
  minute: "2-digit",
  second: "2-digit",
  hourCycle: "h23",
});

function startOfToday(): number {
  const now = Date.now();
  if (now - today.looked > 60_000) today = { looked: now, start: new Date(now).setHours(0, 0, 0, 0) };
  return today.start;
}

let today = { looked: 0, start: 0 };

/** Month and day. */
function dayText(at: number): string {
  const date = new Date(at);
  return `${String(date.getMonth() + 1).padStart(2, "0")}-${String(date.getDate()).padStart(2, "0")}`;
}

/** Milliseconds, with as many digits as mean something. */
export function msText(ms: number): string {
  if (ms >= 10_000) return `${(ms / 1000).toFixed(0)} s`;
  if (ms >= 1000) return `${(ms / 1000).toFixed(1)} s`;
  return `${ms < 10 ? ms.toFixed(1) : Math.round(ms)} ms`;
}

/** Bytes in the unit that fits. */
export function bytesText(bytes: number): string {
  const step = bytes < 1 ? 0 : Math.min(BYTES.length - 1, Math.floor(Math.log(bytes) / Math.log(1024)));
  const value = bytes / 1024 ** step;
  return `${step === 0 || value >= 100 ? Math.round(value) : value.toFixed(1)} ${BYTES[step]}`;
}

const BYTES = ["bytes", "KiB", "MiB", "GiB", "TiB"] as const;

/** A span of time in the two largest units. */
export function spanText(ms: number): string {
  const seconds = Math.round(ms / 1000);
  if (seconds < 60) return `${seconds} s`;
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) return `${minutes} min`;
  const hours = Math.floor(minutes / 60);
  return hours < 48 ? `${hours} h ${minutes % 60} min` : `${Math.floor(hours / 24)} days`;
}

/** A path as a person writes it. */
export function pathText(path: string): string {
  const home = hello.value?.home;
  return home && path.startsWith(`${home}/`) ? `~${path.slice(home.length)}` : path;
}

/** A text with the paths in it as a person writes them. */
export function pathsText(text: string): string {
  const home = hello.value?.home;
  return home ? text.replaceAll(`${home}/`, "~/") : text;
}

/** The last part of a path. */
export function nameText(path: string): string {
  return path.split("/").filter(Boolean).at(-1) ?? path;
}

/** A session's id, short enough for a list. */
export function sessionText(session: string): string {
  return session.length > 12 ? session.slice(0, 8) : session;
}

/** A count with its word. */
export function countText(count: number, word: string): string {
  return `${count.toLocaleString("en")} ${word}${count === 1 ? "" : "s"}`;
}

/**
 * Text of others made visible: control characters and those that turn the direction of writing are shown as their number,
 * so that a payload cannot dress up as something else.
 */
export function plain(text: string, most = 20_000): string {
  const cut =
    text.length > most
      ? `${text.slice(0, most)}… (${(text.length - most).toLocaleString("en")} more characters)`
      : text;
  return cut.replaceAll(
    UNSEEN,
    (sign) => `‹U+${(sign.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0")}›`,
  );
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: these are the characters that are looked for.
const UNSEEN = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff]/g;
