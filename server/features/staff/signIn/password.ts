import { randomBytes, type ScryptOptions, scrypt, timingSafeEqual } from "node:crypto";
import { OverloadedError } from "../../../lib/batch.ts";
import type { PasswordCost } from "../context.ts";
import { normalPassword } from "../user.ts";

/** 32 MiB and about a quarter of a second: as strong as 2^17 at once, in a quarter of its memory. */
export const PASSWORD_COST: PasswordCost = { ln: 15, r: 8, p: 3 };
const SALT_BYTES = 16;
const HASH_BYTES = 32;
/** Each hash uses a thread of Node.js and its memory. Further ones wait; beyond that number the answer is 503. */
const RUNNING_MAX = 2;
const WAITING_MAX = 60;

const STORED = /^\$scrypt\$ln=(\d{1,2}),r=(\d{1,2}),p=(\d{1,2})\$([A-Za-z0-9_-]+)\$([A-Za-z0-9_-]+)$/;

export async function hashPassword(password: string, cost: PasswordCost): Promise<string> {
  const salt = randomBytes(SALT_BYTES);
  const hash = await derive(password, salt, HASH_BYTES, cost);
  return `${prefixOf(cost)}${salt.toString("base64url")}$${hash.toString("base64url")}`;
}

const prefixOf = ({ ln, r, p }: PasswordCost): string => `$scrypt$ln=${ln},r=${r},p=${p}$`;

/** Stands for the hash of an account without a password, or of none: checking it takes as long. */
const nobody = (cost: PasswordCost): string => `${prefixOf(cost)}${"A".repeat(22)}$${"A".repeat(43)}`;

/** True if it is the password of the stored hash. False if there is no hash, after the same work. */
export async function isPasswordOf(stored: string | null, password: string, cost: PasswordCost): Promise<boolean> {
  const match = STORED.exec(stored ?? nobody(cost));
  if (match === null) throw new Error("A stored password has no known form.");
  const [ln, r, p] = match.slice(1, 4).map(Number) as [number, number, number];
  const expected = Buffer.from(match[5]!, "base64url");
  const found = await derive(password, Buffer.from(match[4]!, "base64url"), expected.length, { ln, r, p });
  return timingSafeEqual(found, expected) && stored !== null;
}

/** True if the hash was made at another cost than today's. */
export const isOutdated = (stored: string, cost: PasswordCost): boolean => !stored.startsWith(prefixOf(cost));

let running = 0;
const waiting: (() => void)[] = [];

async function derive(password: string, salt: Buffer, bytes: number, { ln, r, p }: PasswordCost): Promise<Buffer> {
  if (running >= RUNNING_MAX) {
    if (waiting.length >= WAITING_MAX)
      throw new OverloadedError("More passwords wait to be checked than can be in time.");
    await new Promise<void>((resolve) => waiting.push(resolve));
  } else running++;
  const options: ScryptOptions = { N: 2 ** ln, r, p, maxmem: 256 * r * 2 ** ln };
  try {
    return await new Promise<Buffer>((resolve, reject) =>
      scrypt(normalPassword(password), salt, bytes, options, (error, key) =>
        error === null ? resolve(key) : reject(error),
      ),
    );
  } finally {
    // The next one takes this one's place.
    const next = waiting.shift();
    if (next === undefined) running--;
    else next();
  }
}
