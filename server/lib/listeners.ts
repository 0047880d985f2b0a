/** Passes a value to every listener added so far: it joins a part to parts that open later. */
export class Listeners<Value> {
  readonly #listeners = new Set<(value: Value) => void>();

  add(listener: (value: Value) => void): void {
    this.#listeners.add(listener);
  }

  readonly call = (value: Value): void => {
    for (const listener of this.#listeners) listener(value);
  };
}
