import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { setImmediate as nextTurn } from "node:timers/promises";
import {
  createOperatorInstruction,
  createPaymentInstruction,
  createTokenAccountInstruction,
  decodePaymentAccount,
  findOperatorAddress,
  findPaymentAddress,
  findProgramError,
  findTokenAccountAddress,
  findVaultAddress,
  LOCAL_PROGRAM_ID,
  NATIVE_MINTS,
  type NewPayment,
  type OperatorAccount,
  type PaymentAccount,
  type PaymentRef,
  type ProgramErrorName,
  SYSTEM_PROGRAM_ID,
  TOKEN_2022_PROGRAM_ID,
  TOKEN_PROGRAM_ID,
} from "@holdfast/escrow-client";
import {
  type AccountMeta,
  AccountRole,
  type Address,
  getAddressDecoder,
  getAddressEncoder,
  getU64Encoder,
  type Instruction,
  lamports,
  type Transaction,
} from "@solana/kit";
import { type Account, Clock, FailedTransactionMetadata, FeatureSet, LiteSVM, Rent } from "litesvm";
import { mainnetAnd } from "./features.ts";
import { bytesOf, compileMessage } from "./message.ts";

/** With `ESCROW_PROGRAM` in the environment: another build, which `mutants.test.ts` expects the tests to reject. */
const programBytes = readFileSync(process.env.ESCROW_PROGRAM ?? new URL("../holdfast_escrow.so", import.meta.url));
const addressBytes = getAddressEncoder();
const u64Bytes = getU64Encoder();

/** 2026-01-01: where every test's clock begins. */
export const START = 1_767_225_600n;
export const DECIMALS = 6;
/** Lamports a byte, as litesvm begins and as mainnet was for years. */
export const RENT_PRICE = 6_960n;
/** A factor the program does not know, so that it cannot read the price. */
export const UNREADABLE = "unreadable";

const FEATURES: Readonly<Record<string, () => FeatureSet>> = {
  all: () => FeatureSet.allEnabled(),
  mainnet: () => mainnetAnd(),
};
/** The native module that litesvm wraps. */
const NATIVE_MODULE = "inner";

let addresses = 0;

/**
 * A new address; signatures are not checked here, so it needs no key. The same in every run: the search for a derived
 * address takes more or fewer compute units from one address to the next.
 */
export function anyAddress(): Address {
  addresses += 1;
  return getAddressDecoder().decode(createHash("sha256").update(`test address ${addresses}`).digest());
}

/** The result of a transaction: the compute units it took and its logs, or the reason it was refused. */
export type Sent =
  | {
      readonly ok: true;
      readonly units: number;
      readonly logs: readonly string[];
      /** The accounts, by their indexes, of each call to another program. */
      readonly calls: () => readonly Uint8Array[];
    }
  | { readonly ok: false; readonly code: number | null; readonly text: string; readonly logs: readonly string[] };

/**
 * litesvm with the real program and the real token programs. Signatures are not verified: the instruction itself says who
 * signs.
 */
export class Chain {
  readonly svm: LiteSVM;
  readonly programId = LOCAL_PROGRAM_ID;
  readonly feePayer = anyAddress();
  #rent: bigint | typeof UNREADABLE = RENT_PRICE;

  readonly #isOlderRent = process.env.RENT_FORM === "older";

  /** `RENT_FORM=older` in the environment: rent is priced by the year, with a factor of 2. With `FEATURES` every chain has `all` of the runtime's features, or those of `mainnet`, else those litesvm begins with. */
  constructor(choice: { features?: FeatureSet } = {}) {
    const features = choice.features ?? FEATURES[process.env.FEATURES ?? ""]?.();
    // The features decide what the built-in programs can do, so those are put in again.
    const svm =
      features === undefined
        ? new LiteSVM()
        : new LiteSVM().withFeatureSet(features).withBuiltins().withDefaultPrograms();
    this.svm = svm.withSigverify(false).withBlockhashCheck(false).withTransactionHistory(0n).withNativeMints();
    this.svm.addProgram(this.programId, programBytes);
    this.svm.setRent(this.#rentOf(RENT_PRICE));
    this.fund(this.feePayer);
    this.setTime(START);
  }

  fund(wallet: Address, amount = 10_000_000_000n): void {
    this.svm.airdrop(wallet, lamports(amount));
  }

  get time(): bigint {
    return this.svm.getClock().unixTimestamp;
  }

  setTime(time: bigint): void {
    const now = this.svm.getClock();
    this.svm.setClock(new Clock(now.slot, now.epochStartTimestamp, now.epoch, now.leaderScheduleEpoch, time));
  }

  /** Some settings of Token-2022 take effect two epochs later. */
  setEpoch(epoch: bigint): void {
    const now = this.svm.getClock();
    this.svm.setClock(new Clock(now.slot, now.epochStartTimestamp, epoch, epoch + 1n, now.unixTimestamp));
  }

  /** The price of storage from now on, in lamports a byte; accounts keep what they hold. */
  setRent(price: bigint | typeof UNREADABLE): void {
    // litesvm copies all its accounts to change the price.
    if (price === this.#rent) return;
    this.#rent = price;
    this.svm.setRent(price === UNREADABLE ? new Rent(RENT_PRICE, 1.5, 50) : this.#rentOf(price));
  }

  /** The same price in the form of this run: a byte's, or half of it a year for two years. */
  #rentOf(price: bigint): Rent {
    return this.#isOlderRent ? new Rent(price / 2n, 2, 50) : new Rent(price, 1, 50);
  }

  balance(wallet: Address): bigint {
    return this.look(wallet)?.lamports() ?? 0n;
  }

  /**
   * The account as litesvm holds it; null if there is none. Skips litesvm's own reader, which makes addresses of bytes each
   * time.
   */
  look(at: Address): Pick<Account, "lamports" | "data" | "owner" | "executable"> | null {
    return this.svm[NATIVE_MODULE].getAccount(bytesOf(at));
  }

  rent(size: number): bigint {
    return this.svm.minimumBalanceForRentExemption(BigInt(size));
  }

  data(at: Address): Uint8Array | null {
    const data = this.look(at)?.data();
    return data !== undefined && data.length > 0 ? Uint8Array.from(data) : null;
  }

  exists(at: Address): boolean {
    return this.look(at) !== null;
  }

  payment(at: Address): PaymentAccount {
    const decoded = decodePaymentAccount(this.data(at) ?? new Uint8Array());
    if (decoded?.kind !== "payment") throw new Error(`no payment at ${at}`);
    return decoded;
  }

  operator(at: Address): OperatorAccount {
    const decoded = decodePaymentAccount(this.data(at) ?? new Uint8Array());
    if (decoded?.kind !== "operator") throw new Error(`no operator at ${at}`);
    return decoded;
  }

  /** Tokens in a token account; 0 if it does not exist. */
  tokens(at: Address): bigint {
    const data = this.data(at);
    return data === null ? 0n : new DataView(data.buffer).getBigUint64(64, true);
  }

  plant(at: Address, owner: Address, data: Uint8Array): void {
    const account = { address: at, programAddress: owner, data, executable: false, space: BigInt(data.length) };
    this.svm.setAccount({ ...account, lamports: lamports(this.rent(data.length)) });
  }

  send(...instructions: readonly Instruction[]): Sent {
    return this.sendAs(this.feePayer, ...instructions);
  }

  /** Sends with this wallet paying the fee. */
  sendAs(feePayer: Address, ...instructions: readonly Instruction[]): Sent {
    return this.submit(this.compile(feePayer, ...instructions));
  }

  /** A transaction that can be submitted again and again: neither blockhash nor repetition is checked here. */
  compile(feePayer: Address, ...instructions: readonly Instruction[]): Transaction {
    return compileMessage(feePayer, instructions, bytesOf(this.svm.latestBlockhash() as string as Address));
  }

  submit(transaction: Transaction): Sent {
    const result = this.svm.sendTransaction(transaction);
    if (!(result instanceof FailedTransactionMetadata)) {
      const calls = () =>
        result
          .innerInstructions()
          .flat()
          .map((inner) => inner.instruction().accounts());
      return { ok: true, units: Number(result.computeUnitsConsumed()), logs: result.logs(), calls };
    }
    const logs = result.meta().logs();
    return { ok: false, code: readCustomCode(result), text: result.toString(), logs };
  }

  /** Sends what must succeed; returns the compute units. */
  done(...instructions: readonly Instruction[]): number {
    const sent = this.send(...instructions);
    if (!sent.ok) throw new Error(`refused: ${this.nameOf(sent) ?? sent.code} ${sent.text}\n${sent.logs.join("\n")}`);
    return sent.units;
  }

  /** Sends what the program must refuse; returns the refusal's name, or the raw text of an error that is not the program's. */
  refused(...instructions: readonly Instruction[]): ProgramErrorName | string {
    const sent = this.send(...instructions);
    if (sent.ok) throw new Error("was not refused");
    return this.nameOf(sent) ?? sent.text;
  }

  /** The refusal's name; null if it succeeded or the error is not the program's. */
  nameOf(sent: Sent): ProgramErrorName | null {
    return sent.ok || sent.code === null ? null : (findProgramError(sent.code)?.name ?? null);
  }
}

function readCustomCode(result: FailedTransactionMetadata): number | null {
  const failure = result.err();
  if (typeof failure !== "object" || !("err" in failure)) return null;
  const inner = failure.err();
  return typeof inner === "object" && "code" in inner ? inner.code : null;
}

/** A new chain for one test; the event loop gets a turn in between, so that the runner can report. */
async function aChain(choice: { features?: FeatureSet }): Promise<Chain> {
  await nextTurn();
  return new Chain(choice);
}

export interface Token {
  readonly mint: Address;
  readonly tokenProgram: Address;
  readonly authority: Address;
}

/** A plain mint with a mint and freeze authority. */
export function aMint(chain: Chain, tokenProgram: Address = TOKEN_PROGRAM_ID): Token {
  const mint = anyAddress();
  const authority = anyAddress();
  const data = new Uint8Array(82);
  data.set([1, 0, 0, 0, ...addressBytes.encode(authority)], 0);
  data.set([DECIMALS, 1, 1, 0, 0, 0, ...addressBytes.encode(authority)], 44);
  chain.plant(mint, tokenProgram, data);
  return { mint, tokenProgram, authority };
}

/** A Token-2022 mint that takes `basisPoints` of each transfer. */
export function aFeeMint(chain: Chain, basisPoints: number): Token {
  const token = { mint: anyAddress(), tokenProgram: TOKEN_2022_PROGRAM_ID, authority: anyAddress() };
  const key = addressBytes.encode(token.authority);
  const fee = [...u16(basisPoints), ...u64Bytes.encode(2n ** 63n)];
  chain.plant(token.mint, token.tokenProgram, new Uint8Array(278));
  chain.done(
    tokenInstruction(token, [writable(token.mint)], [26, 0, 1, ...key, 1, ...key, ...fee]),
    tokenInstruction(token, [writable(token.mint)], [20, DECIMALS, ...key, 1, ...key]),
  );
  return token;
}

const u16 = (value: number) => [value & 0xff, value >> 8];

export const writable = (at: Address): AccountMeta => ({ address: at, role: AccountRole.WRITABLE });
export const readonly = (at: Address): AccountMeta => ({ address: at, role: AccountRole.READONLY });
export const signer = (at: Address): AccountMeta => ({ address: at, role: AccountRole.READONLY_SIGNER });
export const writableSigner = (at: Address): AccountMeta => ({ address: at, role: AccountRole.WRITABLE_SIGNER });

/** An instruction of the token's own program; `data` begins with its number there. */
export function tokenInstruction(token: Token, accounts: AccountMeta[], data: number[]): Instruction {
  return { programAddress: token.tokenProgram, accounts, data: Uint8Array.from(data) };
}

const associated = new Map<string, Promise<Address>>();

/** From memory after the first time: deriving an address costs as much as several transactions. */
export function tokenAccountOf(token: Token, owner: Address): Promise<Address> {
  const key = `${owner} ${token.mint} ${token.tokenProgram}`;
  const known = associated.get(key) ?? findTokenAccountAddress({ ...token, owner });
  associated.set(key, known);
  return known;
}

const strangers = new WeakMap<Chain, Map<Address, Promise<Address>>>();

/** A token account of an unrelated owner, for tokens that have to go somewhere. */
export function strangersAccount(chain: Chain, token: Token): Promise<Address> {
  const here = strangers.get(chain) ?? new Map<Address, Promise<Address>>();
  strangers.set(chain, here);
  const known = here.get(token.mint) ?? give(chain, token, anyAddress(), 0n);
  here.set(token.mint, known);
  return known;
}

/** Makes the owner's associated token account and puts tokens into it. */
export async function give(chain: Chain, token: Token, owner: Address, amount: bigint): Promise<Address> {
  chain.done(await createTokenAccountInstruction({ ...token, payer: chain.feePayer, owner }));
  const account = await tokenAccountOf(token, owner);
  giveTo(chain, token, account, amount);
  return account;
}

/** Puts tokens into any token account: minted, or for wrapped SOL paid in and synced. */
export function giveTo(chain: Chain, token: Token, account: Address, amount: bigint): void {
  if (amount === 0n) return;
  if (NATIVE_MINTS.includes(token.mint)) {
    chain.done(transferLamports(chain.feePayer, account, amount), tokenInstruction(token, [writable(account)], [17]));
    return;
  }
  const accounts = [writable(token.mint), writable(account), signer(token.authority)];
  chain.done(tokenInstruction(token, accounts, [7, ...u64Bytes.encode(amount)]));
}

export function transferLamports(from: Address, to: Address, amount: bigint): Instruction {
  return {
    programAddress: SYSTEM_PROGRAM_ID,
    accounts: [writableSigner(from), writable(to)],
    data: Uint8Array.from([2, 0, 0, 0, ...u64Bytes.encode(amount)]),
  };
}

/** A second token account of the owner's, which is not the associated one. */
export function anotherAccount(chain: Chain, token: Token, owner: Address): Address {
  const account = anyAddress();
  chain.plant(account, token.tokenProgram, new Uint8Array(165));
  chain.done(tokenInstruction(token, [writable(account), readonly(token.mint)], [18, ...addressBytes.encode(owner)]));
  return account;
}

export function freeze(token: Token, account: Address): Instruction {
  return tokenInstruction(token, [writable(account), readonly(token.mint), signer(token.authority)], [10]);
}

export function thaw(token: Token, account: Address): Instruction {
  return tokenInstruction(token, [writable(account), readonly(token.mint), signer(token.authority)], [11]);
}

/** A buyer with tokens, a seller with an empty token account, an operator with its arbiter. */
export interface World {
  readonly chain: Chain;
  readonly token: Token;
  readonly authority: Address;
  readonly arbiter: Address;
  readonly operator: Address;
  readonly sender: Address;
  readonly recipient: Address;
  readonly offer: NewPayment;
}

export const AMOUNT = 25_000_000n;
export const FUNDS = 100_000_000n;

export interface Choice {
  readonly token?: (chain: Chain) => Token;
  readonly features?: FeatureSet;
}

export async function aWorld(choice: Choice = {}): Promise<World> {
  const chain = await aChain(choice);
  const token = choice.token?.(chain) ?? aMint(chain);
  const [authority, arbiter, sender, recipient] = [anyAddress(), anyAddress(), anyAddress(), anyAddress()];
  const { programId } = chain;
  for (const wallet of [authority, arbiter, sender, recipient]) chain.fund(wallet);
  chain.done(await createOperatorInstruction({ programId, authority, arbiter }));
  const operator = await findOperatorAddress({ programId, authority });
  await give(chain, token, sender, FUNDS);
  await give(chain, token, recipient, 0n);
  const { mint, tokenProgram } = token;
  const terms = { paymentId: 1n, amount: AMOUNT, period: "oneDay", arbiter } as const;
  const offer: NewPayment = { programId, operator, sender, recipient, mint, tokenProgram, ...terms };
  return { chain, token, authority, arbiter, operator, sender, recipient, offer };
}

/** A payment made in that world. */
export interface Paid extends World {
  readonly payment: PaymentRef;
  readonly vault: Address;
}

export async function pay(world: World, changes: Partial<NewPayment> = {}): Promise<Paid> {
  const offer = { ...world.offer, ...changes };
  world.chain.done(await createPaymentInstruction(offer));
  const at = await findPaymentAddress(offer);
  const vault = await findVaultAddress({ ...offer, payment: at });
  const { operator, sender, recipient, mint, tokenProgram, arbiter } = offer;
  const rentPayer = offer.payer ?? sender;
  const payment = { address: at, operator, sender, recipient, mint, tokenProgram, arbiter, rentPayer };
  return { ...world, payment, vault };
}

/** A payment just made, in a world of its own. */
export async function aPayment(choice: Choice = {}): Promise<Paid> {
  return pay(await aWorld(choice));
}
