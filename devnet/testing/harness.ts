import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { TestContext } from "node:test";
import { type Address, lamports } from "@solana/kit";
import { getTransferSolInstruction } from "@solana-program/system";
import type { IntentTerms, Market } from "../buyer.ts";
import { callRpc } from "../client.ts";
import { signTransaction } from "../signTransaction.ts";
import { type Devnet, type DevnetOptions, startDevnet } from "../start.ts";
import { type LocalWallet, newWallet } from "../wallets.ts";

/** A folder that goes with the test. */
export function aFolder(t: TestContext): string {
  const dir = mkdtempSync(join(tmpdir(), "devnet-"));
  t.after(() => rmSync(dir, { recursive: true, force: true }));
  return dir;
}

export interface TestNet extends Devnet, Market {
  rpc<T>(method: string, ...params: unknown[]): Promise<T>;
  tick(slots?: number): void;
}

/** A chain whose slots pass only on request, confirmed after 2 and finalized after 8. */
export async function aChain(t: TestContext, options: Partial<DevnetOptions> = {}): Promise<TestNet> {
  const devnet = await startDevnet({
    dataDir: options.dataDir ?? aFolder(t),
    autoTick: false,
    finalizedAfter: 8,
    ...options,
  });
  t.after(() => devnet.stop());
  return {
    ...devnet,
    rpc: (method, ...params) => callRpc(devnet.rpcUrl, method, params),
    tick: (slots = 1) => void devnet.controls.tick(slots),
  };
}

/** A signed transfer of SOL, by default under the newest blockhash. */
export function aTransfer(
  { chain, wallets }: Devnet,
  {
    from = wallets["buyer-1"],
    to = newWallet().address,
    amount = 2_000_000n,
    blockhash = "",
    version = 0,
  }: Partial<TransferTerms> = {},
) {
  const { slots } = chain.ledger;
  const instruction = getTransferSolInstruction({ source: from.signer, destination: to, amount: lamports(amount) });
  const signed = signTransaction({
    instructions: [instruction],
    wallets: [from],
    blockhash: blockhash || slots.blockhash(slots.tip),
    version,
  });
  return { ...signed, to, base64: Buffer.from(signed.wire).toString("base64") };
}

interface TransferTerms {
  readonly from: LocalWallet;
  readonly to: Address;
  readonly amount: bigint;
  readonly blockhash: string;
  readonly version: 0 | 1;
}

export const PROCESSED = { encoding: "base64", preflightCommitment: "processed" } as const;

let paymentId = 1n;

/** Terms such as an intent asks for. */
export const someTerms = ({ addresses, asset }: Devnet, terms: Partial<IntentTerms> = {}): IntentTerms => ({
  paymentId: String(paymentId++),
  recipient: addresses.recipient,
  amount: "25000000",
  asset,
  protectionPeriod: "sevenDays",
  ...terms,
});
