const ALPHABET = "123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz";
const DIGITS = new Int8Array(128).fill(-1);
for (const [value, letter] of [...ALPHABET].entries()) DIGITS[letter.charCodeAt(0)] = value;

// Converts five digits at a time: a remainder below 58^5 times 2^16 stays an exact double. This is several times faster than
// BigInt, and every account key passes here.
const CHUNK = 58 ** 5;

/** Base58 of the bytes, one "1" per leading zero byte. */
export function toBase58(bytes: Uint8Array): string {
  let zeros = 0;
  while (zeros < bytes.length && bytes[zeros] === 0) zeros++;
  const odd = bytes.length & 1;
  const limbs = new Uint16Array((bytes.length + odd) >> 1);
  for (let i = 0; i < bytes.length; i++) {
    const at = i + odd;
    limbs[at >> 1] = (limbs[at >> 1]! << 8) | bytes[i]!;
  }
  let digits = "";
  let start = 0;
  while (start < limbs.length) {
    if (limbs[start] === 0) {
      start++;
      continue;
    }
    let rest = 0;
    for (let i = start; i < limbs.length; i++) {
      const value = rest * 65536 + limbs[i]!;
      const quotient = Math.floor(value / CHUNK);
      rest = value - quotient * CHUNK;
      limbs[i] = quotient & 0xffff;
      // The quotient fits 16 bits because rest < CHUNK.
    }
    let five = "";
    for (let i = 0; i < 5; i++) {
      five = ALPHABET[rest % 58] + five;
      rest = Math.floor(rest / 58);
    }
    digits = five + digits;
  }
  let from = 0;
  while (from < digits.length && digits[from] === "1") from++;
  return "1".repeat(zeros) + digits.slice(from);
}

/** The bytes of a base58 text, or null when it has a foreign letter. */
export function fromBase58(text: string): Uint8Array | null {
  let zeros = 0;
  while (zeros < text.length && text[zeros] === "1") zeros++;
  const size = Math.ceil((text.length - zeros) * 0.7323) + 2;
  const limbs = new Uint16Array((size >> 1) + 1);
  for (let i = zeros; i < text.length; i++) {
    const code = text.charCodeAt(i);
    const digit = code < 128 ? DIGITS[code]! : -1;
    if (digit < 0) return null;
    let carry = digit;
    for (let at = limbs.length - 1; at >= 0; at--) {
      const value = limbs[at]! * 58 + carry;
      limbs[at] = value & 0xffff;
      carry = value >>> 16;
    }
  }
  const flat = new Uint8Array(limbs.length * 2);
  for (const [at, limb] of limbs.entries()) {
    flat[at * 2] = limb >> 8;
    flat[at * 2 + 1] = limb & 255;
  }
  let from = 0;
  while (from < flat.length && flat[from] === 0) from++;
  const bytes = new Uint8Array(zeros + flat.length - from);
  bytes.set(flat.subarray(from), zeros);
  return bytes;
}

/** The 32 bytes of an address, or null. */
export function addressBytes(text: string): Uint8Array | null {
  if (text.length < 32 || text.length > 44) return null;
  const bytes = fromBase58(text);
  return bytes?.length === 32 ? bytes : null;
}
