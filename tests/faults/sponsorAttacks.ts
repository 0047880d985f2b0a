import { signWith, withInstructions } from "@holdfast/devnet/testing/wireTransaction.ts";
import type { LocalWallet } from "@holdfast/devnet/wallets.ts";
import { AccountRole, type Address, address, type Instruction } from "@solana/kit";

const SYSTEM = address("11111111111111111111111111111111");
const BUDGET = address("ComputeBudget111111111111111111111111111111");
/** The guard program of the sponsor's list. */
export const LIGHTHOUSE = address("L2TExMFKdjpN9kozasaurPirfHy9P8sbXoAN1qA3S95");
/** Its instructions that only read; the runtime does not know that they only read. */
export const ASSERTIONS = [2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15] as const;
const RECENT_BLOCKHASHES = address("SysvarRecentB1ockHashes11111111111111111111");
/** The server's instructions in their order: limit, price, payment. */
const [LIMIT, PRICE, PAYMENT] = [0, 1, 2];

interface Prey {
  /** The unsigned transaction that the checkout built for the thief. */
  readonly built: string;
  /** The transaction for another intent of the thief's. */
  readonly foreign: string;
  readonly thief: LocalWallet;
  readonly sponsor: Address;
}

const metas = (role: AccountRole, ...accounts: readonly Address[]) => accounts.map((one) => ({ address: one, role }));

function transferOf(from: Address, to: Address, lamports: bigint): Instruction {
  const data = Buffer.alloc(12);
  data.writeUInt32LE(2, 0);
  data.writeBigUInt64LE(lamports, 4);
  const accounts = [...metas(AccountRole.WRITABLE_SIGNER, from), ...metas(AccountRole.WRITABLE, to)];
  return { programAddress: SYSTEM, accounts, data };
}

function budgetOf(kind: number, value: bigint): Instruction {
  const data = Buffer.alloc(kind === 3 ? 9 : 5);
  data[0] = kind;
  if (kind === 3) data.writeBigUInt64LE(value, 1);
  else data.writeUInt32LE(Number(value), 1);
  return { programAddress: BUDGET, data };
}

/**
 * Resembles an assertion, and hands the sponsor's account to the program at the guard program's address. A program that
 * passes on its accounts and data takes lamports with it: the account brings the sponsor's signature.
 */
export const drainByGuard = (kind: number, sponsor: Address, thief: Address, lamports: bigint): Instruction => ({
  programAddress: LIGHTHOUSE,
  accounts: [...metas(AccountRole.READONLY, SYSTEM), ...(transferOf(sponsor, thief, lamports).accounts ?? [])],
  data: Uint8Array.of(kind, ...(transferOf(sponsor, thief, lamports).data ?? [])),
});

/**
 * Returns the attacks: ways to take from the sponsor, or to get its signature for a forbidden transaction. Each has the
 * transaction that the thief would hand in.
 */
export function attacksOf({ built, foreign, thief, sponsor }: Prey): readonly { name: string; transaction: string }[] {
  const changed = (change: (all: readonly Instruction[]) => Instruction[]) =>
    signWith(withInstructions(built, change), thief).transaction;
  const add = (one: Instruction) => changed((all) => [...all, one]);
  const put = (at: number, change: (one: Instruction) => Instruction) =>
    changed((all) => all.map((one, index) => (index === at ? change(one) : one)));
  const nonce = (authority: Address): Instruction => ({
    programAddress: SYSTEM,
    accounts: [
      ...metas(AccountRole.WRITABLE, thief.address, RECENT_BLOCKHASHES),
      ...metas(AccountRole.READONLY_SIGNER, authority),
    ],
    data: Uint8Array.of(4, 0, 0, 0),
  });
  const attacks: Record<string, string> = {
    "a transfer from the sponsor": add(transferOf(sponsor, thief.address, 1_000_000n)),
    "a transfer in front": changed((all) => [transferOf(sponsor, thief.address, 1n), ...all]),
    "a transfer to the sponsor": add(transferOf(thief.address, sponsor, 1n)),
    "the sponsor's account assigned away": add({
      programAddress: SYSTEM,
      accounts: metas(AccountRole.WRITABLE_SIGNER, sponsor),
      data: Buffer.concat([Buffer.from([1, 0, 0, 0]), Buffer.alloc(32, 7)]),
    }),
    "an assertion on the sponsor": add({
      programAddress: LIGHTHOUSE,
      accounts: metas(AccountRole.READONLY, sponsor),
      data: Uint8Array.of(5, 0),
    }),
    "assertions on the sponsor": add({
      programAddress: LIGHTHOUSE,
      accounts: metas(AccountRole.READONLY, sponsor),
      data: Uint8Array.of(6, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 4),
    }),
    "an assertion that takes the sponsor's signature": add({
      programAddress: LIGHTHOUSE,
      accounts: metas(AccountRole.WRITABLE_SIGNER, sponsor),
      data: Uint8Array.of(5, 0),
    }),
    "the sponsor as the second account of a difference": add({
      programAddress: LIGHTHOUSE,
      accounts: metas(AccountRole.READONLY, thief.address, sponsor),
      data: Uint8Array.of(4, 0),
    }),
    "the sponsor behind the accounts of an assertion": add({
      programAddress: LIGHTHOUSE,
      accounts: metas(AccountRole.READONLY, thief.address, LIGHTHOUSE, sponsor),
      data: Uint8Array.of(9, 0),
    }),
    "memory of the guard program at the sponsor's expense": add({
      programAddress: LIGHTHOUSE,
      accounts: [
        ...metas(AccountRole.READONLY, LIGHTHOUSE, SYSTEM),
        ...metas(AccountRole.WRITABLE_SIGNER, sponsor),
        ...metas(AccountRole.WRITABLE, thief.address),
      ],
      data: Uint8Array.of(0, 0),
    }),
    "memory of the guard program closed": add({
      programAddress: LIGHTHOUSE,
      accounts: [
        ...metas(AccountRole.READONLY, LIGHTHOUSE),
        ...metas(AccountRole.WRITABLE_SIGNER, thief.address),
        ...metas(AccountRole.WRITABLE, sponsor),
      ],
      data: Uint8Array.of(1, 0, 255),
    }),
    "an assertion that calls another program": add({
      programAddress: LIGHTHOUSE,
      accounts: metas(AccountRole.READONLY, thief.address, LIGHTHOUSE),
      data: Uint8Array.of(16, 0),
    }),
    "memory of the guard program": add({
      programAddress: LIGHTHOUSE,
      accounts: metas(AccountRole.WRITABLE_SIGNER, thief.address),
      data: Uint8Array.of(0, 0),
    }),
    "a nonce of the thief's": changed((all) => [nonce(thief.address), ...all]),
    "a nonce of the sponsor's": changed((all) => [nonce(sponsor), ...all]),
    "more compute": put(LIMIT, () => budgetOf(2, 1_400_000n)),
    "more priority": put(PRICE, () => budgetOf(3, 5_000_000n)),
    "a larger heap": add(budgetOf(1, 65_536n)),
    "a price twice": add(budgetOf(3, 1n)),
    "no limit": changed((all) => all.filter((_, index) => index !== LIMIT)),
    "the payment twice": changed((all) => [...all, all[PAYMENT]!]),
    "no payment": changed((all) => all.filter((_, index) => index !== PAYMENT)),
    "a release beside it": changed((all) => [
      ...all,
      { ...all[PAYMENT]!, data: Buffer.from([6, 0, 0, 0, 0, 0, 0, 0, 0]) } as Instruction,
    ]),
    "another amount": put(PAYMENT, (one) => ({ ...one, data: Buffer.from(one.data ?? []).fill(1, 9, 10) })),
    "no end": put(PAYMENT, (one) => ({ ...one, data: Buffer.from(one.data ?? []).fill(0, 18, 26) })),
    "other terms": put(PAYMENT, (one) => ({ ...one, data: Buffer.from(one.data ?? []).fill(9, 58, 90) })),
    "another intent's bytes": signWith(foreign, thief).transaction,
    unsigned: built,
  };
  for (const kind of ASSERTIONS)
    attacks[`a replaced guard program, by its instruction ${kind}`] = changed(([, ...rest]) => [
      budgetOf(2, 100_000n),
      ...rest,
      drainByGuard(kind, sponsor, thief.address, 1_000_000_000n),
    ]);
  for (const index of [1, 4, 5, 6, 7])
    attacks[`account ${index} swapped`] = put(
      PAYMENT,
      (one) =>
        ({
          ...one,
          accounts: (one.accounts ?? []).map((meta, at) => (at === index ? { ...meta, address: thief.address } : meta)),
        }) as Instruction,
    );
  return Object.entries(attacks).map(([name, transaction]) => ({ name, transaction }));
}
