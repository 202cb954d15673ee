/** What is wrong with a text that should be XML; nothing when every element is closed and every sign is written as it must be. */
export function xmlFault(text: string): string | undefined {
  const open: string[] = [];
  const rest = text
    .replace(/^<\?xml [^?]*\?>\s*/, "")
    .replaceAll(TAG, (tag, end: string, name: string, self: string) => {
      if (end === "/") {
        const last = open.pop();
        if (last !== name) open.push(`</${name}> closes ${last}`);
      } else if (self !== "/") open.push(name);
      return tag.length > 0 ? "" : tag;
    });
  if (open.length > 0) return `not closed: ${open.join(", ")}`;
  const stray = /<|>|&(?!(?:amp|lt|gt|quot|apos|#\d+);)|[^\P{Cc}\n\t\r]/u.exec(rest);
  return stray === null ? undefined : `stray ${JSON.stringify(rest.slice(stray.index, stray.index + 20))}`;
}

const TAG = /<(\/?)([a-z]+)(?: [a-z]+="(?:[^"<&\p{Cc}]|&(?:amp|lt|gt|quot|apos|#\d+);)*")*\s*(\/?)>/gu;
