const KEPT_MAX = 100;
const keys = new Map<string, string>();

/**
 * Returns the key under which a form is sent. The same form has the same key again until it was answered, so that one whose
 * answer was lost is not done twice.
 */
export function keyOf(form: string): string {
  const key = keys.get(form) ?? crypto.randomUUID();
  if (keys.size >= KEPT_MAX) keys.delete(keys.keys().next().value!);
  keys.set(form, key);
  return key;
}

/** Call it once the service has answered for certain: a fault of the service is no answer. */
export const forgetKey = (form: string): void => void keys.delete(form);
