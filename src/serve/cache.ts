/** The entries used last, up to a number of them. */
export class LruCache<V> {
  readonly #entries = new Map<string, V>();
  constructor(readonly most: number) {}

  get(key: string, make: () => V): V {
    const known = this.#entries.get(key);
    const value = known === undefined ? make() : known;
    this.#entries.delete(key);
    this.#entries.set(key, value);
    if (this.#entries.size > this.most) {
      const [oldest] = this.#entries.keys();
      if (oldest !== undefined) this.#entries.delete(oldest);
    }
    return value;
  }
}
