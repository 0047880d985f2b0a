import { fileURLToPath } from "node:url";
import { toBase58 } from "@holdfast/devnet/ledger/base58.ts";
import type { LocalWallet } from "@holdfast/devnet/wallets.ts";
import {
  AccountRole,
  type Address,
  address,
  compileTransaction,
  decompileTransactionMessage,
  getBase64EncodedWireTransaction,
  getCompiledTransactionMessageDecoder,
  getProgramDerivedAddress,
  getTransactionDecoder,
  type Instruction,
} from "@solana/kit";

/** A program that passes instructions on and signs for an address of its own, which is on no curve: as multisigs do. */
const SMART_WALLET_PROGRAM = address(toBase58(new Uint8Array(32).fill(77)));
/** The programs by which the local chain has it. */
export const SMART_WALLET_PROGRAMS = [
  `${SMART_WALLET_PROGRAM}=${fileURLToPath(import.meta.resolve("@holdfast/program/tests/smart_wallet.so"))}`,
];

export interface SmartWallet {
  readonly account: Address;
  /** Puts an instruction into the program, which signs for the account inside. */
  readonly wrap: (instruction: Instruction) => Instruction;
  /** Makes the key's own transaction of one that the account was to sign. */
  readonly handle: (transaction: Uint8Array) => Uint8Array;
}

/** A smart wallet that the key operates: the key pays the network, and the program signs for the account inside. */
export async function aSmartWallet(key: LocalWallet): Promise<SmartWallet> {
  const [account, bump] = await getProgramDerivedAddress({ programAddress: SMART_WALLET_PROGRAM, seeds: ["wallet"] });
  const wrap = ({ programAddress, accounts = [], data = new Uint8Array() }: Instruction): Instruction => ({
    programAddress: SMART_WALLET_PROGRAM,
    accounts: [
      { address: programAddress, role: AccountRole.READONLY },
      // The wallet's account cannot sign the outer transaction.
      ...accounts.map((meta) => (meta.address === account ? { ...meta, role: meta.role & 1 } : meta)),
    ],
    data: Uint8Array.from([bump, ...data]),
  });
  const handle = (transaction: Uint8Array) => {
    const { messageBytes } = getTransactionDecoder().decode(transaction);
    const message = decompileTransactionMessage(getCompiledTransactionMessageDecoder().decode(messageBytes));
    const own = message.instructions.filter(({ accounts = [] }) => accounts.some((meta) => meta.address === account));
    const outer = { ...message, feePayer: { address: key.address }, instructions: own.map(wrap) };
    return Buffer.from(getBase64EncodedWireTransaction(compileTransaction(outer as never)), "base64");
  };
  return { account, wrap, handle };
}
