import { chmodSync, existsSync, readFileSync, statSync, writeFileSync } from "node:fs";

/** The variable in which a handler finds its secret. */
export const SECRET_NAME = "HOLDFAST_WEBHOOK_SECRET";

const ASSIGNMENT = new RegExp(`^[ \\t]*(export[ \\t]+)?${SECRET_NAME}[ \\t]*=[ \\t]*(.*?)[ \\t]*$`);
const unquoted = (value: string): string => value.replace(/^(["'])(.*)\1$/, "$2");

/**
 * A file of settings with the secret in it, in the place of the last assignment, which is the one that counts. A value that
 * is none of `own`, those that `listen` wrote, is somebody's: its line becomes a comment. `kept`: how many did.
 */
export function putSecret(
  text: string,
  secret: string,
  own: ReadonlySet<string>,
): { readonly text: string; readonly kept: number } {
  const end = text.includes("\r\n") ? "\r\n" : "\n";
  const lines = text === "" ? [] : text.replace(/\r?\n$/, "").split(/\r?\n/);
  const found = lines.map((line) => ASSIGNMENT.exec(line));
  const last = found.findLastIndex((match) => match !== null);
  let kept = 0;
  const put = lines.flatMap((line, index) => {
    const match = found[index]!;
    if (match === null) return [line];
    const isOwn = own.has(unquoted(match[2]!)) || match[2] === "";
    if (!isOwn) kept++;
    const old = isOwn ? [] : [`# ${line.trimStart()}`];
    return index === last ? [...old, `${match[1] ?? ""}${SECRET_NAME}=${secret}`] : old;
  });
  if (last === -1) put.push(`${SECRET_NAME}=${secret}`);
  return { text: put.join(end) + end, kept };
}

/** Writes the secret into a file of settings that only this user can read; `say` hears what was changed besides. */
export function writeSecret(path: string, secret: string, own: ReadonlySet<string>, say: (text: string) => void): void {
  const before = existsSync(path) ? readFileSync(path, "utf8") : "";
  const { text, kept } = putSecret(before, secret, own);
  const isOpen = existsSync(path) && (statSync(path).mode & 0o077) !== 0;
  // Before the secret is in it.
  if (isOpen) chmodSync(path, 0o600);
  if (text !== before) writeFileSync(path, text, { mode: 0o600 });
  if (kept > 0)
    say(`${path} had another ${SECRET_NAME}, which listen did not write. It is kept as a comment beside the new one.`);
  if (isOpen) say(`${path} holds a secret: only you can read it now (0600).`);
}
