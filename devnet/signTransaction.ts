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
  setTransactionMessageConfig,
  setTransactionMessageFeePayer,
  setTransactionMessageLifetimeUsingBlockhash,
  type Transaction,
} from "@solana/kit";
import { toBase58 } from "./ledger/base58.ts";
import type { LocalWallet } from "./wallets.ts";

export interface Draft {
  readonly instructions: readonly Instruction[];
  /** The first one pays the fee; the rest sign where an instruction asks for them. */
  readonly wallets: readonly [LocalWallet, ...LocalWallet[]];
  readonly blockhash: string;
  /** Tables to look addresses up in, with what they hold; version 1 has none. */
  readonly lookupTables?: AddressesByLookupTableAddress;
  /** Default 0. */
  readonly version?: 0 | 1;
}

/** Version 1 has no limits by itself, and a transaction without limits does nothing. */
const MOST = { computeUnitLimit: 1_400_000, loadedAccountsDataSizeLimit: 64 * 1024 * 1024 };

export interface SignedTransaction {
  readonly wire: Uint8Array;
  readonly signature: string;
}

/** Compiles and signs a transaction by node:crypto. */
export function signTransaction({ wallets, ...draft }: Draft): SignedTransaction {
  const compiled = compile(wallets[0].address, draft);
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

function compile(
  feePayer: Address,
  { instructions, blockhash, lookupTables = {}, version = 0 }: Omit<Draft, "wallets">,
): Transaction {
  const lifetime = { blockhash: blockhash as Blockhash, lastValidBlockHeight: 0n };
  if (version === 1)
    return pipe(
      createTransactionMessage({ version }),
      (empty) => setTransactionMessageFeePayer(feePayer, empty),
      (unborn) => setTransactionMessageLifetimeUsingBlockhash(lifetime, unborn),
      (bare) => appendTransactionMessageInstructions(instructions, bare),
      (whole) => compileTransaction(setTransactionMessageConfig(MOST, whole)),
    );
  return pipe(
    createTransactionMessage({ version }),
    (empty) => setTransactionMessageFeePayer(feePayer, empty),
    (unborn) => setTransactionMessageLifetimeUsingBlockhash(lifetime, unborn),
    (bare) => appendTransactionMessageInstructions(instructions, bare),
    (whole) => compileTransaction(compressTransactionMessageUsingAddressLookupTables(whole, lookupTables)),
  );
}
