import { readFileSync } from "node:fs";
import {
  ARBITRATION_SECONDS,
  acceptInstruction,
  closePaymentInstruction,
  openDisputeInstruction,
  type Payout,
  PERIOD_SECONDS,
  type ProgramInstruction,
  payOutInstruction,
  proposeInstruction,
  RETENTION_SECONDS,
  refundInstruction,
  releaseInstruction,
  resolveInstruction,
  type Side,
  SYSTEM_PROGRAM_ID,
} from "@holdfast/escrow-client";
import {
  type Address,
  getAddressEncoder,
  getProgramDerivedAddress,
  getU64Encoder,
  type Instruction,
} from "@solana/kit";
import {
  anyAddress,
  type Chain,
  type Paid,
  readonly,
  signer,
  strangersAccount,
  type Token,
  tokenAccountOf,
  tokenInstruction,
  transferLamports,
  writable,
  writableSigner,
} from "./chain.ts";

export const DAY = BigInt(PERIOD_SECONDS.oneDay);
export const ARBITRATION = BigInt(ARBITRATION_SECONDS);
export const RETENTION = BigInt(RETENTION_SECONDS);

export const TOKEN_ACCOUNT_SIZE = 165;
const BARE_ASSOCIATED_SIZE = 170;
const u64 = getU64Encoder();
const bytesOf = getAddressEncoder();
const u32 = (value: number) => [value & 255, (value >> 8) & 255, (value >> 16) & 255, value >>> 24];

const on = (paid: Paid) => ({ programId: paid.chain.programId, payment: paid.payment });

export const dispute = (paid: Paid): ProgramInstruction => openDisputeInstruction(on(paid));
export const resolve = (paid: Paid, total: bigint): ProgramInstruction => resolveInstruction({ ...on(paid), total });
export const release = (paid: Paid, total = 0n): ProgramInstruction => releaseInstruction({ ...on(paid), total });
export const refund = (paid: Paid, total: bigint): ProgramInstruction => refundInstruction({ ...on(paid), total });
export const close = (paid: Paid, signed = false): Promise<ProgramInstruction> =>
  closePaymentInstruction({ ...on(paid), signed });
export const payOut = (paid: Paid, side: Side, more: Partial<Payout> = {}): Promise<ProgramInstruction> =>
  payOutInstruction({ ...on(paid), side, ...more });

/** The balance of an owner's associated token account. */
export const has = async (paid: Paid, owner: Address): Promise<bigint> =>
  paid.chain.tokens(await tokenAccountOf(paid.token, owner));

let seeds = 0;

/** An off-curve wallet, like a program's; signatures are not checked here, so it signs like any other. */
export async function offCurveAddress(): Promise<Address> {
  seeds += 1;
  const [address] = await getProgramDerivedAddress({ programAddress: SYSTEM_PROGRAM_ID, seeds: [`wallet ${seeds}`] });
  return address;
}

/** Another token account of the owner's; `size` is that of a new associated one. */
export function secondAccount(chain: Chain, token: Token, owner: Address, size: number): Address {
  const account = anyAddress();
  // An associated account of Token-2022 also has the mark, of four bytes, that its owner cannot change.
  const without = size <= BARE_ASSOCIATED_SIZE ? TOKEN_ACCOUNT_SIZE : size - 4;
  chain.plant(account, token.tokenProgram, new Uint8Array(without));
  chain.done(tokenInstruction(token, [writable(account), readonly(token.mint)], [18, ...bytesOf.encode(owner)]));
  return account;
}

/** Proposes another account for a role, which accepts or not. */
export function replaceRole(
  { chain, operator }: Pick<Paid, "chain" | "operator">,
  role: "arbiter" | "authority",
  key: Address,
  accepts: boolean,
): void {
  const { programId } = chain;
  const { authority } = chain.operator(operator);
  const propose = proposeInstruction({ programId, operator, authority, role, key });
  chain.done(propose, ...(accepts ? [acceptInstruction({ programId, operator, role, key })] : []));
}

/** Empties a wallet to the last lamport. */
export function emptyWallet(chain: Chain, wallet: Address): void {
  chain.done(transferLamports(wallet, anyAddress(), chain.balance(wallet)));
}

/** The owner moves everything out of their associated token account and closes it. */
export async function closeTokenAccount(chain: Chain, token: Token, owner: Address): Promise<void> {
  const account = await tokenAccountOf(token, owner);
  const elsewhere = await strangersAccount(chain, token);
  const decimals = chain.data(token.mint)![44]!;
  const all = [12, ...u64.encode(chain.tokens(account)), decimals];
  const move = [writable(account), readonly(token.mint), writable(elsewhere), signer(owner)];
  chain.done(
    tokenInstruction(token, move, all),
    tokenInstruction(token, [writable(account), writable(chain.feePayer), signer(owner)], [9]),
  );
}

export const syncNative = (token: Token, account: Address): Instruction =>
  tokenInstruction(token, [writable(account)], [17]);

/** Moves the withheld fees of the account to the mint; anybody may send it. It fails for a token without fees. */
export const harvest = (token: Token, account: Address): Instruction =>
  tokenInstruction(token, [writable(token.mint), writable(account)], [26, 4]);

const LOADER = "BPFLoaderUpgradeab1e11111111111111111111111" as Address;
const RENT_SYSVAR = "SysvarRent111111111111111111111111111111111" as Address;
const CLOCK_SYSVAR = "SysvarC1ock11111111111111111111111111111111" as Address;
/** The size of the account that the loader keeps at a program's own address. */
const PROGRAM_SIZE = 36;
const BUFFER_HEADER_SIZE = 37;
const CHUNK = 900;

const loader = (accounts: Instruction["accounts"], data: number[]): Instruction => ({
  programAddress: LOADER,
  accounts: accounts ?? [],
  data: Uint8Array.from(data),
});
const system = (accounts: Instruction["accounts"], data: number[]): Instruction => ({
  programAddress: SYSTEM_PROGRAM_ID,
  accounts: accounts ?? [],
  data: Uint8Array.from(data),
});

/** The wallet's key deploys a program at the wallet's own address, through the real loader: it signs on, and is executable. */
export async function makeExecutable(chain: Chain, wallet: Address): Promise<void> {
  await deployAt(chain, wallet);
}

/** The same, and closed again: the lamports are back, and the address stays executable. */
export async function makeClosedProgram(chain: Chain, wallet: Address): Promise<void> {
  const { programData, authority } = await deployAt(chain, wallet);
  chain.svm.warpToSlot(chain.svm.getClock().slot + 10n);
  chain.done(loader([writable(programData), writable(authority), signer(authority), writable(wallet)], u32(5)));
}

async function deployAt(
  chain: Chain,
  wallet: Address,
): Promise<{ readonly programData: Address; readonly authority: Address }> {
  const elf = readFileSync(new URL("smart_wallet.so", import.meta.url));
  const [buffer, authority] = [anyAddress(), anyAddress()];
  chain.fund(authority);
  const size = BUFFER_HEADER_SIZE + elf.length;
  const space = [...u64.encode(chain.rent(size)), ...u64.encode(BigInt(size))];
  chain.done(
    system([writableSigner(chain.feePayer), writableSigner(buffer)], [...u32(0), ...space, ...bytesOf.encode(LOADER)]),
    loader([writable(buffer), readonly(authority)], u32(0)),
  );
  for (let at = 0; at < elf.length; at += CHUNK) {
    const chunk = elf.subarray(at, at + CHUNK);
    const write = [...u32(1), ...u32(at), ...u64.encode(BigInt(chunk.length)), ...chunk];
    chain.done(loader([writable(buffer), signer(authority)], write));
  }
  const [programData] = await getProgramDerivedAddress({ programAddress: LOADER, seeds: [bytesOf.encode(wallet)] });
  const deploy = [
    writableSigner(chain.feePayer),
    writable(programData),
    writable(wallet),
    writable(buffer),
    ...[RENT_SYSVAR, CLOCK_SYSVAR, SYSTEM_PROGRAM_ID].map(readonly),
    signer(authority),
  ];
  chain.done(
    system([writableSigner(wallet)], [...u32(8), ...u64.encode(BigInt(PROGRAM_SIZE))]),
    system([writableSigner(wallet)], [...u32(1), ...bytesOf.encode(LOADER)]),
    loader(deploy, [...u32(2), ...u64.encode(BigInt(elf.length))]),
  );
  return { programData, authority };
}

export const HUGE_SIZE = 10 * 1024 * 1024;

/** A wallet as large as an account can be, so that it needs more lamports than anybody sends it. */
export function makeHuge(chain: Chain, wallet: Address): void {
  chain.plant(wallet, SYSTEM_PROGRAM_ID, new Uint8Array(HUGE_SIZE));
}

/** A wallet that its key gave to another program. */
export function assignAway(chain: Chain, wallet: Address): void {
  chain.done(system([writableSigner(wallet)], [...u32(1), ...bytesOf.encode(LOADER)]));
}
