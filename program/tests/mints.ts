import { readFileSync } from "node:fs";
import { NATIVE_MINTS, SYSTEM_PROGRAM_ID, TOKEN_2022_PROGRAM_ID, TOKEN_PROGRAM_ID } from "@holdfast/escrow-client";
import {
  type AccountMeta,
  type Address,
  getAddressEncoder,
  getProgramDerivedAddress,
  getU64Encoder,
} from "@solana/kit";
import {
  aFeeMint,
  aMint,
  anyAddress,
  type Chain,
  DECIMALS,
  give,
  readonly,
  signer,
  strangersAccount,
  type Token,
  tokenInstruction,
  transferLamports,
  writable,
  writableSigner,
} from "./chain.ts";

const bytesOf = getAddressEncoder();
const u64 = getU64Encoder();

export const wrappedSol = (): Token => ({
  mint: NATIVE_MINTS[0]!,
  tokenProgram: TOKEN_PROGRAM_ID,
  authority: anyAddress(),
});

/** Token-2022's own wrapped SOL; litesvm has its mint only if it is put there. */
export function wrappedSol2022(chain: Chain): Token {
  const mint = NATIVE_MINTS[1]!;
  const data = new Uint8Array(82);
  data.set([9, 1], 44);
  chain.plant(mint, TOKEN_2022_PROGRAM_ID, data);
  return { mint, tokenProgram: TOKEN_2022_PROGRAM_ID, authority: anyAddress() };
}

/** Every kind of token whose payments must go in and out to the last unit. */
export const TOKENS: Readonly<Record<string, (chain: Chain) => Token>> = {
  "SPL Token": (chain) => aMint(chain),
  "Token-2022": (chain) => aMint(chain, TOKEN_2022_PROGRAM_ID),
  "Token-2022 with a fee of nothing": (chain) => aFeeMint(chain, 0),
  "Token-2022 with an issuer's list of extensions": (chain) => anIssuerMint(chain),
  "wrapped SOL": wrappedSol,
  "Token-2022's wrapped SOL": wrappedSol2022,
};

export interface IssuerToken extends Token {
  /** Moves anybody's tokens. */
  readonly delegate: Address;
}

/**
 * The extensions of issuers' mints: each with the size of its value and, except for metadata, the instruction that
 * initializes it.
 */
const ISSUERS: readonly (readonly [
  kind: number,
  size: number,
  begin: (authority: number[], mint: Address, delegate: Address) => number[],
])[] = [
  [1, 108, (authority) => [26, 0, 1, ...authority, 1, ...authority, 0, 0, ...Array<number>(8).fill(0)]],
  [3, 32, (authority) => [25, 1, ...authority]],
  [12, 32, (_, __, delegate) => [35, ...bytesOf.encode(delegate)]],
  [4, 65, (authority) => [27, 0, ...authority, 0, ...Array<number>(32).fill(0)]],
  [16, 129, (authority) => [37, 0, ...authority, ...Array<number>(32).fill(0)]],
  [14, 64, (authority) => [36, 0, ...authority, ...Array<number>(32).fill(0)]],
  [18, 64, (authority, mint) => [39, 0, ...authority, ...bytesOf.encode(mint)]],
];
const PAUSABLE = [26, 33, (authority: number[]) => [44, 0, ...authority]] as const;
/**
 * The instruction that initializes metadata in the mint itself: the first eight bytes of
 * sha256("spl_token_metadata_interface:initialize_account").
 */
const BEGIN_METADATA = [210, 225, 30, 162, 88, 184, 77, 141];

/**
 * PYUSD's extensions on mainnet, also those that are off: fee 0, close authority, permanent delegate, confidential transfers
 * and their fees, a transfer hook without a program, metadata.
 */
export const aPyusdMint = (chain: Chain): IssuerToken => aMintWith(chain, ISSUERS);

/** The same and a pause, which newer issuers' mints have. */
export const anIssuerMint = (chain: Chain): IssuerToken => aMintWith(chain, [...ISSUERS, PAUSABLE]);

/** The same with the fee begun last: a token account has what is withheld in it behind a hook's mark of one byte and an empty one. */
export const aMintWithFeeLast = (chain: Chain): IssuerToken =>
  aMintWith(chain, [...ISSUERS.slice(1), PAUSABLE, ISSUERS[0]!]);

function aMintWith(chain: Chain, extensions: typeof ISSUERS): IssuerToken {
  const token = { mint: anyAddress(), tokenProgram: TOKEN_2022_PROGRAM_ID, authority: anyAddress() };
  const delegate = anyAddress();
  const authority = [...bytesOf.encode(token.authority)];
  const size = 166 + extensions.reduce((sum, [, one]) => sum + one + 4, 0);
  chain.plant(token.mint, token.tokenProgram, new Uint8Array(size));
  const set = (data: number[]) => tokenInstruction(token, [writable(token.mint)], data);
  const text = (words: string) => [words.length, 0, 0, 0, ...Buffer.from(words)];
  const metadata = [...BEGIN_METADATA, ...text("A dollar"), ...text("USD"), ...text("https://issuer.example/usd.json")];
  const roles = [writable(token.mint), readonly(token.authority), readonly(token.mint), signer(token.authority)];
  chain.done(
    // The metadata make the mint larger, and it pays for that itself.
    transferLamports(chain.feePayer, token.mint, 5_000_000n),
    ...extensions.map(([, , begin]) => set(begin(authority, token.mint, delegate))),
    set([20, DECIMALS, ...authority, 1, ...authority]),
    tokenInstruction(token, roles, metadata),
  );
  return { ...token, delegate };
}

export const pause = (token: Token) =>
  tokenInstruction(token, [writable(token.mint), signer(token.authority)], [44, 1]);
export const resume = (token: Token) =>
  tokenInstruction(token, [writable(token.mint), signer(token.authority)], [44, 2]);

/** From two epochs on each transfer costs this fee; so the epoch is moved on. */
export function beginFee(chain: Chain, token: Token, basisPoints: number, epoch = 3n): void {
  const fee = [basisPoints & 255, basisPoints >> 8, ...Array<number>(8).fill(255)];
  chain.done(tokenInstruction(token, [writable(token.mint), writableSigner(token.authority)], [26, 5, ...fee]));
  chain.setEpoch(epoch);
}

/** A stranger transfers tokens into an account, as transfers are: a fee is withheld in it. */
export async function transferInto(chain: Chain, token: Token, to: Address, amount: bigint): Promise<void> {
  const owner = anyAddress();
  const from = await give(chain, token, owner, amount);
  const accounts = [writable(from), writable(token.mint), writable(to), writableSigner(owner)];
  chain.done(tokenInstruction(token, accounts, [12, ...u64.encode(amount), DECIMALS]));
}

/** The issuer's delegate takes tokens out of any account. */
export async function seize(chain: Chain, token: IssuerToken, from: Address, amount: bigint): Promise<void> {
  const to = await strangersAccount(chain, token);
  const accounts = [writable(from), writable(token.mint), writable(to), signer(token.delegate)];
  chain.done(tokenInstruction(token, accounts, [12, ...u64.encode(amount), DECIMALS]));
}

/** The owner asks for a memo with each transfer into the account. */
export function requireMemos(chain: Chain, token: Token, account: Address, owner: Address): void {
  const grow = [writable(account), writableSigner(owner), readonly(SYSTEM_PROGRAM_ID), signer(owner)];
  chain.done(
    tokenInstruction(token, grow, [29, 8, 0]),
    tokenInstruction(token, [writable(account), signer(owner)], [30, 0]),
  );
}

/** The owner lets no program move tokens out of the account for them. */
export function guardCalls(chain: Chain, token: Token, account: Address, owner: Address): void {
  const grow = [writable(account), writableSigner(owner), readonly(SYSTEM_PROGRAM_ID), signer(owner)];
  chain.done(
    tokenInstruction(token, grow, [29, 11, 0]),
    tokenInstruction(token, [writable(account), signer(owner)], [34, 0]),
  );
}

/** The first eight bytes of sha256("spl-transfer-hook-interface:execute"). */
const EXECUTE = [105, 37, 101, 197, 75, 251, 102, 26];
const hookBytes = readFileSync(new URL("transfer_hook.so", import.meta.url));

/**
 * The issuer names a hook, which asks for these accounts besides, as signers where they are given as such. Answers what a
 * transfer must be given for it.
 */
export async function setHook(chain: Chain, token: Token, wanted: readonly AccountMeta[]): Promise<AccountMeta[]> {
  const hook = anyAddress();
  chain.svm.addProgram(hook, hookBytes);
  chain.done(
    tokenInstruction(token, [writable(token.mint), signer(token.authority)], [36, 1, ...bytesOf.encode(hook)]),
  );
  const seeds = ["extra-account-metas", bytesOf.encode(token.mint)];
  const [list] = await getProgramDerivedAddress({ programAddress: hook, seeds });
  const entries = wanted.flatMap(({ address, role }) => [0, ...bytesOf.encode(address), role >> 1, role & 1]);
  const length = 4 + entries.length;
  const data = [...EXECUTE, length & 255, length >> 8, 0, 0, wanted.length, 0, 0, 0, ...entries];
  chain.plant(list, hook, Uint8Array.from(data));
  return [...wanted, readonly(list), readonly(hook)];
}

/** Puts the tests' hook in the place of Token-2022: it refuses a signer behind a transfer's own, and moves nothing. */
export function replaceToken2022(chain: Chain): void {
  chain.svm.addProgram(TOKEN_2022_PROGRAM_ID, hookBytes);
}

/** The issuer takes the hook back. */
export const unsetHook = (token: Token) =>
  tokenInstruction(token, [writable(token.mint), signer(token.authority)], [36, 1, ...Array<number>(32).fill(0)]);
