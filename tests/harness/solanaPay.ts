import assert from "node:assert/strict";
import { decodeTransaction, signWith } from "@holdfast/devnet/testing/wireTransaction.ts";
import type { LocalWallet } from "@holdfast/devnet/wallets.ts";

/** A wallet that knows the published Solana Pay protocol, and nothing else of the service. */

const ICON_TYPES = /^image\/(svg\+xml|png|webp)/;

/**
 * Fetches the label and the icon that a wallet shows before it asks for a transaction. The link may use http only here: no
 * local chain has a certificate.
 */
export async function scan(link: string): Promise<{ label: string; icon: string }> {
  const answer = await fetch(link, { headers: { accept: "application/json", origin: "https://wallet.example" } });
  assert.equal(answer.headers.get("access-control-allow-origin"), "*");
  assert.equal(answer.status, 200);
  const { label, icon } = (await answer.json()) as { label: string; icon: string };
  assert.ok(URL.canParse(icon), "an absolute address");
  const image = await fetch(icon);
  assert.match(image.headers.get("content-type") ?? "", ICON_TYPES);
  return { label, icon };
}

export interface Requested {
  readonly transaction: string;
  readonly message?: string;
}

/** Asks for the transaction; an error is the message that the wallet shows. */
export async function request(link: string, account: string): Promise<Requested | { readonly refused: string }> {
  const preflight = await fetch(link, {
    method: "OPTIONS",
    headers: {
      origin: "https://wallet.example",
      "access-control-request-method": "POST",
      "access-control-request-headers": "content-type",
    },
  });
  assert.ok(preflight.ok);
  assert.match(preflight.headers.get("access-control-allow-methods") ?? "", /POST/);
  const answer = await fetch(link, {
    method: "POST",
    headers: {
      accept: "application/json",
      "content-type": "application/json",
      origin: "https://wallet.example",
      "sec-fetch-site": "cross-site",
    },
    body: JSON.stringify({ account }),
  });
  assert.equal(answer.headers.get("access-control-allow-origin"), "*");
  const body = (await answer.json()) as Requested & { readonly message?: string };
  if (answer.ok) return body;
  assert.ok(answer.status >= 400 && body.message !== undefined && body.message.length <= 80, body.message);
  return { refused: body.message };
}

/**
 * Signs the transaction as the protocol says. If every signature is empty, the wallet may sign as the fee payer. If one is
 * present, it must be valid, and only the wallet's own may be missing; the wallet rejects a transaction that lacks another
 * one.
 */
export function sign(requested: Requested, wallet: LocalWallet) {
  const { signatures } = decodeTransaction(requested.transaction);
  const missing = Object.entries(signatures).filter(([, signature]) => signature === null);
  assert.deepEqual(
    missing.map(([address]) => address),
    [wallet.address],
    "the wallet is the only signer that is missing",
  );
  const signed = signWith(requested.transaction, wallet);
  assert.notEqual(signed.signature, "", "it was made for another account");
  return signed;
}
