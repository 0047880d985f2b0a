import {
  type Address,
  type CompiledTransactionMessage,
  compileTransaction,
  decompileTransactionMessage,
  getBase58Decoder,
  getBase64Decoder,
  getCompiledTransactionMessageDecoder,
  getTransactionDecoder,
  getTransactionEncoder,
  type Instruction,
  type SignatureBytes,
  type Transaction,
  type V1TransactionConfig,
} from "@solana/kit";
import type { LocalWallet } from "../wallets.ts";

/** These functions do what a wallet does with a transaction that it gets in base64. */

export const decodeTransaction = (text: string): Transaction =>
  getTransactionDecoder().decode(Buffer.from(text, "base64")) as Transaction;

export const messageOf = (text: string): CompiledTransactionMessage =>
  getCompiledTransactionMessageDecoder().decode(decodeTransaction(text).messageBytes) as CompiledTransactionMessage;

const encode = (transaction: Transaction): string =>
  getBase64Decoder().decode(getTransactionEncoder().encode(transaction));

/** Signs what asks for these wallets' signatures; the transaction's signature is its first. */
export function signWith(text: string, ...wallets: readonly LocalWallet[]): { transaction: string; signature: string } {
  const transaction = decodeTransaction(text);
  const signatures: Record<Address, SignatureBytes | null> = { ...transaction.signatures };
  for (const wallet of wallets)
    if (wallet.address in signatures)
      signatures[wallet.address] = wallet.sign(transaction.messageBytes as unknown as Uint8Array);
  const first = Object.values(signatures)[0];
  return {
    transaction: encode({ ...transaction, signatures }),
    signature: first ? getBase58Decoder().decode(first) : "",
  };
}

/** The same transaction with its instructions changed, unsigned, as a wallet that inserts guards makes it. */
export function withInstructions(
  text: string,
  change: (instructions: readonly Instruction[]) => Instruction[],
): string {
  const message = decompileTransactionMessage(messageOf(text) as Decompilable);
  const changed = { ...message, instructions: change(message.instructions) } as typeof message;
  return encode(compileTransaction(changed) as Transaction);
}

/** The same transaction as version 1, unsigned, as a wallet that makes it anew does: its limits stand outside the instructions. */
export function asVersion1(
  text: string,
  change: (config: V1TransactionConfig) => V1TransactionConfig = (all) => all,
): string {
  const message = decompileTransactionMessage(messageOf(text) as Decompilable);
  const budget = message.instructions.filter(({ programAddress }) => programAddress === COMPUTE_BUDGET);
  const read = (kind: number) => Buffer.from(budget.find(({ data }) => data?.[0] === kind)?.data ?? new Uint8Array(9));
  const [computeUnitLimit, microLamports] = [read(2).readUInt32LE(1), read(3).readBigUInt64LE(1)];
  const config = change({
    computeUnitLimit,
    loadedAccountsDataSizeLimit: 4 * 1024 * 1024,
    priorityFeeLamports: (BigInt(computeUnitLimit) * microLamports + 999_999n) / 1_000_000n,
  });
  const instructions = message.instructions.filter((one) => !budget.includes(one));
  return encode(compileTransaction({ ...message, version: 1, instructions, config } as never) as Transaction);
}
const COMPUTE_BUDGET = "ComputeBudget111111111111111111111111111111";

type Decompilable = Parameters<typeof decompileTransactionMessage>[0];
