/** A map that keeps what was asked for last, and forgets the rest. */
export class RecentMap<Key, Value> {
  readonly #kept = new Map<Key, Value>();
  readonly #most: number;

  constructor(most: number) {
    this.#most = most;
  }

  get(key: Key): Value | undefined {
    const value = this.#kept.get(key);
    if (value !== undefined) this.set(key, value);
    return value;
  }

  /** What was used last is last, so that the first is the one to forget. */
  set(key: Key, value: Value): void {
    this.#kept.delete(key);
    const [oldest] = this.#kept.size < this.#most ? [] : this.#kept.keys();
    if (oldest !== undefined) this.#kept.delete(oldest);
    this.#kept.set(key, value);
  }
}
