import type { Message } from "./message.ts";

/** Collects messages without letting them fill the memory: when they weigh too much, the oldest go. */
export class KeptMessages {
  #messages: Message[] = [];
  #weights: number[] = [];
  #weight = 0;
  /** Messages that lost a part of their text. */
  shortened = 0;
  /** The oldest messages, which are gone. */
  leftOut = 0;

  add(message: Message): void {
    const cut = { isShort: false };
    const { content, weight } = shorten(message.content, cut);
    this.#messages.push({ ...message, content });
    this.#weights.push(weight + MESSAGE);
    this.#weight += weight + MESSAGE;
    if (cut.isShort) this.shortened++;
    // More than a few at a time: each time moves all that stay.
    if (this.#weight > MOST_WEIGHT) this.#dropOldest(MOST_WEIGHT * 0.8);
  }

  get messages(): Message[] {
    return this.#messages;
  }

  #dropOldest(allowed: number): void {
    let count = 0;
    while (this.#weight > allowed && count < this.#messages.length - 1) this.#weight -= this.#weights[count++] ?? 0;
    this.#messages = this.#messages.slice(count);
    this.#weights = this.#weights.slice(count);
    this.leftOut += count;
  }
}

interface Cut {
  isShort: boolean;
}

/** A copy in which no text is longer and nothing lies deeper than it may, and what it weighs. */
function shorten(value: unknown, cut: Cut, depth = 0): { content: unknown; weight: number } {
  if (typeof value === "string") {
    const content = value.length > MOST_TEXT_EACH ? cutText(value, cut) : value;
    return { content, weight: content.length + NODE };
  }
  if (typeof value !== "object" || value === null) return { content: value, weight: NODE };
  if (depth >= DEEPEST) {
    cut.isShort = true;
    return { content: LEFT_OUT, weight: NODE };
  }
  let weight = NODE;
  const inner = (item: unknown) => {
    const short = shorten(item, cut, depth + 1);
    weight += short.weight;
    return short.content;
  };
  if (Array.isArray(value)) return { content: value.map(inner), weight };
  const content = Object.fromEntries(Object.entries(value).map(([key, item]) => [key, inner(item)]));
  return { content, weight };
}

/** A slice would keep the whole text alive behind it, so this one is made anew. */
function cutText(text: string, cut: Cut): string {
  const over = text.length - MOST_TEXT_EACH;
  cut.isShort = true;
  return `${Buffer.from(text.slice(0, MOST_TEXT_EACH)).toString("utf8")}… [${over} characters left out]`;
}

/** Stands where something lay too deep. */
const LEFT_OUT = "[left out]";
const MOST_TEXT_EACH = 100_000;
const MOST_WEIGHT = 16_000_000;
/** What a message and a value in it weigh besides their characters. */
const MESSAGE = 250;
const NODE = 32;
const DEEPEST = 32;
