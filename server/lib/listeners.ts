/** Passes a value on to every listener there is by then: it joins a part to those that are opened after it. */
export class Listeners<Value> {
  readonly #listeners = new Set<(value: Value) => void>();

  add(listener: (value: Value) => void): void {
    this.#listeners.add(listener);
  }

  readonly call = (value: Value): void => {
    for (const listener of this.#listeners) listener(value);
  };
}
