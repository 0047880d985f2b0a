import type { ProofNonce, ProofPlace } from "./texts.ts";

/**
 * The input of `solana:signIn` of the Wallet Standard, with every member set that a wallet would fill in by itself: the text
 * that it signs follows from it.
 */
export interface SignInInput {
  readonly domain: string;
  readonly address: string;
  readonly statement: string;
  readonly uri: string;
  readonly version: "1";
  readonly chainId: string;
  readonly nonce: string;
  readonly issuedAt: string;
  readonly expirationTime: string;
  readonly requestId: string;
  readonly resources: readonly string[];
}

interface SignInPlace extends ProofPlace {
  /** The page's address. */
  readonly uri: string;
  /** The chain's name in wallets, "solana:mainnet". */
  readonly chainId: string;
  /** The wallet that paid. */
  readonly sender: string;
}

/** Drafts what a wallet is asked: the fields of the plain text, in the places that the standard has for them. */
export const draftSignIn = (
  { host, genesisHash, operator, payment, uri, chainId, sender }: SignInPlace,
  { nonce, expiresAt }: ProofNonce,
  issuedAt: Date,
): SignInInput => ({
  domain: host,
  address: sender,
  statement: "Write in the dispute about this payment from this browser. This moves no money.",
  uri,
  version: "1",
  chainId,
  nonce,
  issuedAt: issuedAt.toISOString(),
  expirationTime: expiresAt.toISOString(),
  requestId: payment,
  resources: [
    `urn:holdfast:genesis:${genesisHash}`,
    `urn:holdfast:operator:${operator}`,
    `urn:holdfast:payment:${payment}`,
    "urn:holdfast:act:open_session",
  ],
});

type SignInFields = Readonly<Record<string, string | readonly string[]>>;

const INTRODUCTION = " wants you to sign in with your Solana account:";
/** The labels of the fields in the order of the standard. */
const LABELS = [
  ["uri", "URI"],
  ["version", "Version"],
  ["chainId", "Chain ID"],
  ["nonce", "Nonce"],
  ["issuedAt", "Issued At"],
  ["expirationTime", "Expiration Time"],
  ["notBefore", "Not Before"],
  ["requestId", "Request ID"],
] as const;
/** More lines than a text of ours has are not read. */
const LINES_MAX = 32;
const BYTES_MAX = 4_096;
const utf8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

/**
 * Parses the bytes that a wallet signed for `solana:signIn`, line by line; null if they are no such text. A field stands at
 * most once, in the standard's order, and every line is one: nothing that a person was shown is left out.
 */
export function parseSignIn(bytes: Uint8Array): SignInFields | null {
  const text = bytes.length > BYTES_MAX ? null : decode(bytes);
  const lines = text === null ? [] : text.split("\n");
  const [first = "", address = "", ...rest] = lines;
  if (lines.length > LINES_MAX || !first.endsWith(INTRODUCTION) || address === "") return null;
  const fields: Record<string, string | readonly string[]> = {
    domain: first.slice(0, -INTRODUCTION.length),
    address,
  };
  if (rest.length > 0 && rest.shift() !== "") return null;
  const isField = (line: string) => line === "Resources:" || LABELS.some(([, label]) => line.startsWith(`${label}: `));
  // The statement is one line between two empty ones. A text that has none goes on with the fields.
  if (rest.length > 0 && !isField(rest[0]!)) {
    fields.statement = rest.shift()!;
    if (fields.statement === "" || (rest.length > 0 && rest.shift() !== "")) return null;
  }
  for (const [name, label] of LABELS)
    if (rest[0]?.startsWith(`${label}: `)) fields[name] = rest.shift()!.slice(label.length + 2);
  if (rest[0] === "Resources:") {
    const listed = rest.splice(0).slice(1);
    if (!listed.every((line) => line.startsWith("- "))) return null;
    fields.resources = listed.map((line) => line.slice(2));
  }
  return rest.length === 0 ? fields : null;
}

function decode(bytes: Uint8Array): string | null {
  try {
    return utf8.decode(bytes);
  } catch {
    return null; // The decoder throws only for bytes that are no UTF-8.
  }
}

/** Names the first field that is another than was asked for; null if all are the same, and there is no other. */
export function findOtherField(fields: SignInFields, asked: SignInInput): string | null {
  const expected: SignInFields = { ...asked };
  const names = new Set([...Object.keys(expected), ...Object.keys(fields)]);
  return [...names].find((name) => JSON.stringify(fields[name]) !== JSON.stringify(expected[name])) ?? null;
}
