/** An XML element; what stands inside is markup already. */
export function element(
  name: string,
  attributes: Readonly<Record<string, string | number>>,
  inside: readonly string[],
): string {
  const given = Object.entries(attributes).map(([key, value]) => ` ${key}="${escaped(String(value))}"`);
  const open = `<${name}${given.join("")}`;
  if (inside.length === 0) return `${open}/>`;
  const isNested = inside.every((part) => part.startsWith("<"));
  return isNested ? `${open}>\n${inside.join("\n")}\n</${name}>` : `${open}>${inside.join("")}</${name}>`;
}

/** Text that every XML parser reads: markup characters become entities, characters that XML forbids become a question mark. */
export function escaped(text: string): string {
  return text
    .replaceAll(FORBIDDEN, "?")
    .replaceAll(/[&<>"'\n\r\t]/g, (sign) => ENTITIES[sign] ?? `&#${sign.charCodeAt(0)};`);
}

/** The line that an XML document begins with. */
export const XML_HEAD = '<?xml version="1.0" encoding="UTF-8"?>\n';

const ENTITIES: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&apos;",
};
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what it looks for.
const FORBIDDEN = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff\p{Cs}]/gu;
