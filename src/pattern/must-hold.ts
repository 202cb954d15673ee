/** What a text must hold for an expression to match, as re2js works it out; none when it is any text. */
export interface MustHold {
  readonly type: number;
  readonly str: string;
  readonly subs: readonly MustHold[];
}

/** Looks for these words before anything is matched: most texts have none of them, and are done. */
export function wordsTest(filter: MustHold | null): (text: string) => boolean {
  return filter === null || wordsIn(filter) > FEW ? () => true : (text) => holds(filter, text);
}

function wordsIn({ type, subs }: MustHold): number {
  return subs.reduce((sum, sub) => sum + wordsIn(sub), type === TYPE.word ? 1 : 0);
}

function holds({ type, str, subs }: MustHold, text: string): boolean {
  if (type === TYPE.word) return text.includes(str);
  if (type === TYPE.all) return subs.every((sub) => holds(sub, text));
  return type === TYPE.any ? subs.some((sub) => holds(sub, text)) : true;
}

/** How re2js numbers them. */
const TYPE = { word: 1, all: 2, any: 3 } as const;
const FEW = 8;
