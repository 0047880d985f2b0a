import { createPublicKey, verify } from "node:crypto";
import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import type { LocalWallet } from "@holdfast/devnet/wallets.ts";
import { canonicalJson, findOperatorAddress } from "@holdfast/escrow-client";
import {
  type DeploymentKeys,
  openNode,
  parseDeploymentKeys,
  type SignedReceipt,
  verifyReceipt,
} from "@holdfast/receipt";
import { type Address, getAddressEncoder } from "@solana/kit";

const MANIFEST = fileURLToPath(import.meta.resolve("@holdfast/program/manifest.json"));

/** The acts of a rehearsal, each with the outcome that the receipt of its payment must show. */
const OUTCOMES = {
  ruled: "resolved",
  refunded: "refunded_by_recipient",
  released: "released_by_sender",
  protected: null,
} as const;
export type ActName = keyof typeof OUTCOMES;

/** A wallet's payment, and what was done with it. */
export interface RehearsedPayment {
  readonly wallet: string;
  readonly way: string;
  readonly sender: string;
  readonly payment: string;
  readonly act: ActName;
}

/** What a rehearsal has seen, without its signature. */
export interface Report {
  readonly object: "rehearsal";
  readonly v: 1;
  readonly commit: string;
  readonly startedAt: string;
  readonly endedAt: string;
  readonly chain: { readonly genesisHash: string; readonly programId: string; readonly operator: string };
  /** The answer of the node to getVersion. */
  readonly node: string;
  readonly authority: string;
  readonly payments: readonly RehearsedPayment[];
  readonly deployment: DeploymentKeys;
  readonly receipts: readonly SignedReceipt[];
}

/** The file of a report: canonical JSON, so that each of its bytes counts, signed by the authority of the operator account. */
export function signReport(report: Report, authority: LocalWallet): string {
  const signature = Buffer.from(authority.sign(bytesOf(report))).toString("base64");
  return `${canonicalJson({ ...report, signature } as never)}\n`;
}

const bytesOf = (report: Report): Uint8Array => new TextEncoder().encode(canonicalJson(report as never));

/**
 * The reasons why a file proves no rehearsal of this commit's program; none if it does. With nodes, each receipt is compared
 * with the chain, too: only that shows that the payments were made.
 */
export async function examineReport(text: string, rpcUrls: readonly string[] = []): Promise<string[]> {
  let parsed: Report & { readonly signature: string };
  try {
    parsed = JSON.parse(text);
    if (text !== `${canonicalJson(parsed as never)}\n`) return ["The file is not in canonical JSON."];
  } catch {
    return ["The file is not JSON."];
  }
  if (parsed?.object !== "rehearsal" || parsed.v !== 1) return ["The file is no report of a rehearsal, version 1."];
  const { signature, ...report } = parsed;
  if (!isSigned(report, signature)) return ["The signature is not of the authority over these bytes."];
  if (!isWhole(report)) return ["The report lacks its chain, its payments or its receipts."];
  const keys = parseDeploymentKeys(report.deployment);
  if (keys === null) return ["The report has no keys of a deployment."];
  const { programId, operator } = report.chain;
  const named = { programId: programId as Address, authority: report.authority as Address };
  const acts = report.payments.map(({ act }) => act);
  const missing = (Object.keys(OUTCOMES) as ActName[]).filter((act) => !acts.includes(act));
  const differing = await Promise.all(report.payments.map((one) => examinePayment(report, keys, one, rpcUrls)));
  return [
    ...((await findOperatorAddress(named)) === operator ? [] : ["The operator account is not the authority's."]),
    ...missing.map((act) => `No payment was ${act}.`),
    ...differing.flat(),
  ];
}

/** Whoever signs a report may leave anything out. */
const isWhole = ({ chain, payments, receipts }: Partial<Report>): boolean =>
  Boolean(chain) && [payments, receipts].every((list) => Array.isArray(list) && list.every((one) => one?.payment));

async function examinePayment(
  { chain, receipts }: Report,
  keys: DeploymentKeys,
  { wallet, payment, sender, act }: RehearsedPayment,
  rpcUrls: readonly string[],
): Promise<string[]> {
  const receipt = receipts.find((one) => one.payment.address === payment);
  if (receipt === undefined) return [`${wallet}: there is no receipt of ${payment}.`];
  const { program } = JSON.parse(await readFile(MANIFEST, "utf8")) as { readonly program: string };
  const wanted = { ...chain, programHash: program };
  const verdict = await verifyReceipt(receipt, keys, rpcUrls.map(openNode));
  const expected = rpcUrls.length === 0 ? "consistent" : "confirmed";
  return [
    ...(verdict.verdict === expected ? [] : [`${wallet}: the receipt is ${verdict.verdict}, not ${expected}.`]),
    ...(canonicalJson(receipt.chain as never) === canonicalJson(wanted as never)
      ? []
      : [`${wallet}: the receipt is of another chain or program.`]),
    ...(receipt.payment.sender === sender ? [] : [`${wallet}: another wallet has paid.`]),
    ...(receipt.payment.outcome === OUTCOMES[act] ? [] : [`${wallet}: the payment was not ${act}.`]),
  ];
}

function isSigned(report: Report, signature: unknown): boolean {
  try {
    const x = Buffer.from(getAddressEncoder().encode(report.authority as Address)).toString("base64url");
    const key = createPublicKey({ key: { kty: "OKP", crv: "Ed25519", x }, format: "jwk" });
    const bytes = Buffer.from(String(signature), "base64");
    return bytes.toString("base64") === signature && verify(null, bytesOf(report), key, bytes);
  } catch {
    return false;
  }
}
