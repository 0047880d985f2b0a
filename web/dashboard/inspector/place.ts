const SECRET = /(?:sk_(?:test|live)_|whsec_)\S/;
/** True for a key or a signing secret: it must not be sent. */
export const isSecret = (text: string): boolean => SECRET.test(text);

/** The environment that an id names; null if it names none. */
export const environmentIn = (text: string): "test" | "live" | null =>
  (/\b[a-z]+_(test|live)_[0-9a-z]{4}[0-9a-f]{32}/.exec(text)?.[1] as "test" | "live" | undefined) ?? null;
