/**
 * Named points at which a test ends the process like a power cut: no handler runs, no buffer is written. A deployment arms
 * none; then a point costs one comparison.
 */
let armed: { readonly name: string; left: number } | null = null;

/** `name` or `name:count`: the process ends when the point is reached for the count-th time. */
export function readFailpoint(text: string): { name: string; count: number } | null {
  const match = /^([a-z_]+(?:\.[a-z_]+)*)(?::([1-9]\d{0,5}))?$/.exec(text);
  return match === null ? null : { name: match[1]!, count: Number(match[2] ?? 1) };
}

export function armFailpoint({ name, count }: { readonly name: string; readonly count: number }): void {
  armed = { name, left: count };
}

export function failpoint(name: string): void {
  if (armed === null || armed.name !== name) return;
  armed.left -= 1;
  if (armed.left === 0) process.kill(process.pid, "SIGKILL");
}
