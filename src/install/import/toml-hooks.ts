/** The tables `[[hooks.<moment>]]` and `[[hooks.<moment>.hooks]]` of a TOML text, as the same settings in JSON would be. */
export function tablesIn(text: string): { readonly hooks: Record<string, object[]> } {
  const hooks: Record<string, { hooks: object[] }[]> = {};
  for (const part of text.split(/^(?=[ \t]*\[)/m)) {
    const [, moment, nested] = HEADER.exec(part) ?? [];
    if (moment === undefined) continue;
    const list = hooks[moment] ?? [];
    hooks[moment] = list;
    if (nested === undefined) list.push({ ...pairsIn(part), hooks: [] });
    else list.at(-1)?.hooks.push(pairsIn(part));
  }
  return { hooks };
}

function pairsIn(part: string): Record<string, unknown> {
  const pairs = [...part.matchAll(PAIR)].map(([, key = "", value = ""]) => [key, tomlValue(value)] as const);
  return Object.fromEntries(pairs);
}

function tomlValue(text: string): unknown {
  if (text.startsWith("'")) return text.slice(1, -1);
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

const HEADER = /^[ \t]*\[\[\s*hooks\s*\.\s*"?(\w+)"?\s*(\.\s*hooks\s*)?\]\]/;
const PAIR = /^[ \t]*"?([\w-]+)"?[ \t]*=[ \t]*("(?:[^"\\\n]|\\.)*"|'[^'\n]*'|[^\s#]+)/gm;
