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
type Decompilable = Parameters<typeof decompileTransactionMessage>[0];
