import {
  type Address,
  type AddressesByLookupTableAddress,
  appendTransactionMessageInstructions,
  type Blockhash,
  compileTransaction,
  compressTransactionMessageUsingAddressLookupTables,
  createTransactionMessage,
  getTransactionEncoder,
  type Instruction,
  pipe,
  type SignatureBytes,
  setTransactionMessageFeePayer,
  setTransactionMessageLifetimeUsingBlockhash,
} from "@solana/kit";
import { toBase58 } from "./ledger/base58.ts";
import type { LocalWallet } from "./wallets.ts";

export interface Draft {
  readonly instructions: readonly Instruction[];
  /** The first one pays the fee; the rest sign where an instruction asks for them. */
  readonly wallets: readonly [LocalWallet, ...LocalWallet[]];
  readonly blockhash: string;
  /** Tables to look addresses up in, with what they hold. */
  readonly lookupTables?: AddressesByLookupTableAddress;
}

export interface SignedTransaction {
  readonly wire: Uint8Array;
  readonly signature: string;
}

/** Compiles and signs a version-0 transaction by node:crypto. */
export function signTransaction({ instructions, wallets, blockhash, lookupTables = {} }: Draft): SignedTransaction {
  const lifetime = { blockhash: blockhash as Blockhash, lastValidBlockHeight: 0n };
  const message = pipe(
    createTransactionMessage({ version: 0 }),
    (empty) => setTransactionMessageFeePayer(wallets[0].address, empty),
    (unborn) => setTransactionMessageLifetimeUsingBlockhash(lifetime, unborn),
    (bare) => appendTransactionMessageInstructions(instructions, bare),
    (whole) => compressTransactionMessageUsingAddressLookupTables(whole, lookupTables),
  );
  const compiled = compileTransaction(message);
  const signatures: Record<Address, SignatureBytes | null> = { ...compiled.signatures };
  for (const wallet of wallets) {
    if (wallet.address in signatures)
      signatures[wallet.address] = wallet.sign(compiled.messageBytes as unknown as Uint8Array);
  }
  const missing = Object.keys(signatures).find((signer) => signatures[signer as Address] === null);
  if (missing) throw new Error(`no wallet was given for the signer ${missing}`);
  const wire = getTransactionEncoder().encode({ ...compiled, signatures }) as Uint8Array;
  return { wire, signature: toBase58(signatures[wallets[0].address]!) };
}
