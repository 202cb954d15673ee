/** What a text of JSON holds, when it holds an object or a list; everything else stays what it is. */
export function unpacked(value: unknown): unknown {
  if (typeof value !== "string" || value.length > LONGEST || !/^\s*[{[]/.test(value)) return value;
  if (value !== latest.text) latest = { text: value, holds: parsed(value) };
  return latest.holds;
}

/** Many rules ask about the same event: the latest text is read once. */
let latest: { readonly text: string; readonly holds: unknown } = { text: "", holds: "" };

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

const LONGEST = 10 * 1024 * 1024;
