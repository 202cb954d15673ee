import { validateHeaderName, validateHeaderValue } from "node:http";

/** The headers of a request, or the sentence that says why there are none. */
export type RequestHeaders = { readonly all: Readonly<Record<string, string | number>> } | { readonly problem: string };

/** Fills in `${NAME}` from the environment: only names that the hook writes, and never without a value. */
export function requestHeaders(
  written: Readonly<Record<string, string>>,
  length: number,
  env: Readonly<Record<string, string | undefined>> = process.env,
): RequestHeaders {
  const all: Record<string, string | number> = { accept: "application/json", "user-agent": "sluice" };
  for (const [header, text] of Object.entries(written)) {
    const missing = namesIn(text).find((name) => !env[name]);
    if (missing !== undefined) return { problem: `header "${header}" needs the variable ${missing}, which is not set` };
    const value = text.replace(VARIABLE, (_, name: string) => env[name] ?? "");
    if (!isSendable(header, value)) return { problem: `header "${header}" holds characters that no header may have` };
    if (!HOP_BY_HOP.has(header.toLowerCase())) all[header.toLowerCase()] = value;
  }
  return { all: { ...all, ...OURS, "content-length": length } };
}

/** The variables that the text of a header names. */
export function namesIn(text: string): string[] {
  return [...text.matchAll(VARIABLE)].map(([, name]) => name ?? "");
}

function isSendable(header: string, value: string): boolean {
  try {
    validateHeaderName(header);
    validateHeaderValue(header, value);
    return true;
  } catch {
    return false;
  }
}

const VARIABLE = /\$\{(\w+)\}/g;

/** How the bytes travel follows from the body. */
const HOP_BY_HOP = new Set(["transfer-encoding", "te", "trailer", "upgrade", "expect", "keep-alive"]);

/** What describes the body and the connection is nobody else's to say. */
const OURS = { "content-type": "application/json", "accept-encoding": "identity", connection: "close" } as const;
