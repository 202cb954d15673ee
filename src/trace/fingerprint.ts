/** A short name for one decision, as people type it: six hexadecimal digits. */
export function newId(): string {
  return Math.floor(Math.random() * 0x1000000)
    .toString(16)
    .padStart(6, "0");
}

/**
 * Twelve digits that differ when the text differs: for noticing a change, not for withstanding an attack.
 * It needs no library, whose loading would cost a short call more than all the rest of a record.
 */
export function fingerprint(text: string): string {
  let [one, other] = [0xdeadbeef, 0x41c6ce57];
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    one = Math.imul(one ^ code, 2654435761);
    other = Math.imul(other ^ code, 1597334677);
  }
  one = Math.imul(one ^ (one >>> 16), 2246822507) ^ Math.imul(other ^ (other >>> 13), 3266489909);
  other = Math.imul(other ^ (other >>> 16), 2246822507) ^ Math.imul(one ^ (one >>> 13), 3266489909);
  return ((other & 0xffff) * 0x100000000 + (one >>> 0)).toString(16).padStart(12, "0");
}
