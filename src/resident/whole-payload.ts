/**
 * Whether an agent has written all it is going to write: the text ends like an object and is one. The last sign is looked
 * at first: most payloads come in one piece, and parsing each piece of a large one would be slow.
 */
export function isWholePayload(bytes: Buffer): boolean {
  const text = bytes.toString("utf8").trimEnd();
  if (!text.endsWith("}")) return false;
  try {
    JSON.parse(text.replace(/^\uFEFF/, ""));
    return true;
  } catch {
    return false;
  }
}
