import { join } from "node:path";
import {
  createOperatorInstruction,
  findOperatorAddress,
  findTokenAccountAddress,
  LOCAL_PROGRAM_ID,
  SYSTEM_PROGRAM_ID,
} from "@holdfast/escrow-client";
import { type Address, address, type Instruction } from "@solana/kit";
import { DEFAULT_ASSET, MINTED_ASSETS } from "./assets.ts";
import { type Currency, draftGift } from "./faucet.ts";
import { addressBytes } from "./ledger/base58.ts";
import type { Ledger } from "./ledger/ledger.ts";
import { describeRefusal } from "./ledger/ledger.ts";
import { mintData } from "./ledger/tokens.ts";
import { type StoredImage, storeImage } from "./ledger/vm.ts";
import { readWireTransaction } from "./ledger/wire.ts";
import { signTransaction } from "./signTransaction.ts";
import { keptWallet, type LocalWallet, readWallet } from "./wallets.ts";

/** The wallets of the local chain; each has a key file of this name. */
const WALLET_NAMES = [
  "faucet",
  "authority",
  "arbiter",
  "keeper",
  "sponsor",
  "recipient",
  "buyer-1",
  "buyer-2",
  "buyer-3",
] as const;
export type WalletName = (typeof WALLET_NAMES)[number];
export type Wallets = Readonly<Record<WalletName, LocalWallet>>;

export const BUYER_NAMES = ["buyer-1", "buyer-2", "buyer-3"] as const satisfies readonly WalletName[];

const COMPUTE_BUDGET = address("ComputeBudget111111111111111111111111111111");
/** Below 2^53 lamports, so that every balance is exact in JavaScript too. */
const FAUCET_LAMPORTS = 5_000_000n * 1_000_000_000n;
const START_LAMPORTS = 100n * 1_000_000_000n;
const START_TOKENS = 1_000_000n * 1_000_000n;

/** The wallets kept in the folder, made on first use. */
export const keptWallets = (folder: string): Wallets =>
  Object.fromEntries(WALLET_NAMES.map((name) => [name, keptWallet(folder, name)])) as unknown as Wallets;

/** Reads the wallets of a running chain, and creates none. */
export const readWallets = (folder: string): Wallets =>
  Object.fromEntries(
    WALLET_NAMES.map((name) => [name, readWallet(join(folder, `${name}.json`))]),
  ) as unknown as Wallets;

/** The accounts a new chain begins with: the faucet's funds and the mints under its key. Everything after is a transaction. */
export function draftGenesisAccounts(faucet: LocalWallet, rent: (space: number) => bigint): StoredImage[] {
  const key = addressBytes(faucet.address)!;
  const empty = { owner: SYSTEM_PROGRAM_ID, data: new Uint8Array(), executable: false };
  return [
    storeImage(faucet.address, { ...empty, lamports: FAUCET_LAMPORTS }),
    ...MINTED_ASSETS.map(({ address: mint, decimals, tokenProgram }) => {
      const data = mintData(key, decimals, 0n);
      return storeImage(mint, { lamports: rent(data.length), owner: tokenProgram, data, executable: false });
    }),
  ];
}

/** The ledger with the wallets that act on it from inside the process. */
export class Chain {
  readonly ledger: Ledger;
  readonly wallets: Wallets;
  #gifts = 0;

  constructor(ledger: Ledger, wallets: Wallets) {
    this.ledger = ledger;
    this.wallets = wallets;
  }

  /** Signs and lands a transaction in the running slot; throws what the chain says when it fails. */
  send(instructions: readonly Instruction[], ...wallets: [LocalWallet, ...LocalWallet[]]): string {
    const { slots } = this.ledger;
    const { wire } = signTransaction({ instructions, wallets, blockhash: slots.blockhash(slots.tip) });
    const done = this.ledger.submit(readWireTransaction(wire), true);
    if (!("entry" in done)) throw new Error(`${describeRefusal(done)}${logsOf(done.meta?.logs())}`);
    return done.entry.signature;
  }

  /** Hands out SOL or tokens; returns the signature. */
  async give(to: Address, currency: Currency, amount: bigint): Promise<string> {
    const gift = await draftGift(this.wallets.faucet, to, currency, amount);
    return this.send([this.#different(), ...gift], this.wallets.faucet);
  }

  /** Two equal gifts in one slot would be one transaction; a compute limit of its own makes them differ. */
  #different(): Instruction {
    const data = new DataView(new ArrayBuffer(5));
    data.setUint8(0, 2);
    data.setUint32(1, 300_000 + (this.#gifts++ % 1_000_000), true);
    return { programAddress: COMPUTE_BUDGET, data: new Uint8Array(data.buffer) };
  }

  /** Funds the wallets that own nothing: all of a new chain's, and those a crash in its first moments left out. */
  async fundWallets(): Promise<void> {
    const { faucet: _, ...others } = this.wallets;
    for (const wallet of Object.values(others)) {
      if (!this.#exists(wallet.address)) await this.give(wallet.address, "SOL", START_LAMPORTS);
    }
    for (const name of BUYER_NAMES) {
      const owner = this.wallets[name].address;
      const { address: mint, tokenProgram } = DEFAULT_ASSET;
      const holding = await findTokenAccountAddress({ owner, mint, tokenProgram });
      if (!this.#exists(holding)) await this.give(owner, DEFAULT_ASSET, START_TOKENS);
    }
  }

  #exists = (account: string): boolean => this.ledger.accountAt(account, this.ledger.slots.tip) !== null;

  /** The service's operator account, created by a real transaction where it is missing. */
  async ensureOperator(programId: Address = LOCAL_PROGRAM_ID): Promise<Address> {
    const { authority, arbiter } = this.wallets;
    const operator = await findOperatorAddress({ programId, authority: authority.address });
    if (!this.#exists(operator)) {
      const create = await createOperatorInstruction({
        programId,
        authority: authority.address,
        arbiter: arbiter.address,
      });
      this.send([create], authority);
    }
    return operator;
  }
}

const logsOf = (logs: readonly string[] | undefined): string => (logs?.length ? `\n${logs.join("\n")}` : "");
