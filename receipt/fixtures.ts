import { encodeText, sha256Of } from "@holdfast/escrow-client";
import { encodeAccount, encodeTombstone, findDerived, type PaymentFigures } from "./account.ts";
import type { Node, NodeAnswer } from "./nodes.ts";
import type { Receipt, SignedReceipt } from "./receipt.ts";
import { createSigningKey, type DeploymentKeys, type SigningKey } from "./signature.ts";

export const CHAIN = {
  genesisHash: "EtWTRABZaYq6iMfeYKouRu166VU2xqa1wcaWoxPkrZBG",
  programId: "CJq7vnAyPBqjiGZfbLWuZR8DnK4pfARW4pXtKRw72Y3c",
  programHash: "7".repeat(64),
  operator: "6dNVxkyfuyCqe5xCiLGPUpNaCNTsV7wJ3wTJkHFUZ6Uu",
};
export const ISSUER = "https://pay.shop.example";
const SENDER = "CGB7q4KjYiHb8TcZVJ1wwJbZyQequ95VYBcWRDkPmv2X";

const TERMS = {
  v: 2,
  nonce: "q83vEjRWeJCrze8SNFZ4kA",
  paymentId: "4242",
  operator: CHAIN.operator,
  recipient: "DFScJcCVGUqL6VfvXntAZyrhLszXTqDryfrqM6Gdw6Cx",
  amount: "5000000",
  asset: "EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v",
  protectionPeriod: "sevenDays",
  arbiter: "8qbHbw2BbbTHBW1sbeqakYXVKRQM8Ne7pLK7m6CVfeR1",
};
export const TERMS_TEXT = JSON.stringify(TERMS);

/** A payment of 5 USDC that is protected. */
export const aFigures = async (given: Partial<PaymentFigures> = {}): Promise<PaymentFigures> => ({
  paymentId: TERMS.paymentId,
  sender: SENDER,
  recipient: TERMS.recipient,
  amount: TERMS.amount,
  asset: TERMS.asset,
  decimals: 6,
  tokenProgram: "TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA",
  protectionPeriod: "sevenDays",
  arbiter: TERMS.arbiter,
  rentPayer: SENDER,
  termsHash: await sha256Of(TERMS_TEXT),
  createdAt: "2026-11-21T02:58:22.000Z",
  protectionDeadline: "2026-11-28T02:58:22.000Z",
  status: "protected",
  outcome: null,
  refundTotal: "0",
  amountRefunded: "0",
  amountReleased: "0",
  disputedAt: null,
  settledAt: null,
  refundedAt: null,
  ...given,
});

export const REFUNDED = {
  status: "refunded",
  outcome: "refunded_unresolved",
  refundTotal: TERMS.amount,
  amountRefunded: TERMS.amount,
  disputedAt: "2026-11-22T02:58:22.000Z",
  refundedAt: "2027-02-21T02:58:22.000Z",
} as const;

/** A receipt with the order's data, of a payment with these figures; closed, if `isClosed`. */
export async function aReceipt(given: Partial<PaymentFigures> = {}, isClosed = false): Promise<Receipt> {
  const figures = await aFigures(given);
  const [address, bump] = (await findDerived(CHAIN, figures))!;
  return {
    object: "receipt",
    v: 1,
    issuer: ISSUER,
    issuedAt: "2026-11-21T03:00:00.123Z",
    environment: "test",
    chain: CHAIN,
    payment: { address, ...figures },
    account: { data: await encodeAccount(CHAIN, figures), slot: isClosed ? null : 100 },
    tombstone: isClosed ? { data: encodeTombstone(figures, bump), slot: 900 } : null,
    transactions: [{ kind: "created", signature: "5".repeat(88) }],
    terms: { text: TERMS_TEXT, fields: null },
    decision: null,
    order: {
      intent: "pi_test_01a1fc0a61ca6aa1dc5681f996bdf948",
      reference: "order-1001",
      description: null,
      business: { name: "Fernweh Coffee", domain: "shop.example", contact: "help@shop.example" },
    },
  };
}

/** A deployment with one key. */
export async function aDeployment(given: Partial<DeploymentKeys["keys"][number]> = {}): Promise<{
  readonly key: SigningKey;
  readonly keys: DeploymentKeys;
}> {
  const key = await createSigningKey();
  const { kid, x } = key;
  const shown = { kty: "OKP", crv: "Ed25519", alg: "EdDSA", use: "sig", kid, x } as const;
  const published = { ...shown, createdAt: "2026-11-20T00:00:00.000Z", retiredAt: null, ...given };
  return {
    key,
    keys: { object: "deployment", v: 1, issuer: ISSUER, keys: [published], environments: { test: CHAIN } },
  };
}

/** A node that shows this account, and knows every transaction with it. */
export const aNode = (account: string | null, given: Partial<NodeAnswer> & { readonly owner?: string } = {}): Node => ({
  fetchAccount: async () => ({
    genesisHash: CHAIN.genesisHash,
    slot: 200,
    account: account === null ? null : { owner: given.owner ?? CHAIN.programId, data: account },
    ...given,
  }),
  fetchTransaction: async () => null,
  fetchProgramHash: async () => CHAIN.programHash,
});

/** The receipt with another value at this path, in the readable members alone or in the signed text too. */
export function changed(receipt: SignedReceipt, path: readonly string[], value: unknown, isSignedToo = false): unknown {
  const copy = structuredClone(receipt) as SignedReceipt;
  setAt(copy as unknown as Record<string, unknown>, path, value);
  if (!isSignedToo) return copy;
  const { signature, ...members } = copy;
  return { ...members, signature: { ...signature, payload: encodeText(canonicalOf(members)) } };
}

const canonicalOf = (value: unknown): string =>
  JSON.stringify(value, (_, member: unknown) =>
    typeof member === "object" && member !== null && !Array.isArray(member)
      ? Object.fromEntries(Object.entries(member).sort(([one], [other]) => (one < other ? -1 : 1)))
      : member,
  );

function setAt(object: Record<string, unknown>, [name, ...rest]: readonly string[], value: unknown): void {
  if (rest.length === 0) object[name!] = value;
  else setAt(object[name!] as Record<string, unknown>, rest, value);
}

/** The paths of all values that are neither objects nor lists. */
export const leavesOf = (value: unknown, path: readonly string[] = []): (readonly string[])[] =>
  typeof value === "object" && value !== null
    ? Object.entries(value).flatMap(([name, member]) => leavesOf(member, [...path, name]))
    : [path];
