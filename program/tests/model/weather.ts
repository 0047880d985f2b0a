import { NATIVE_MINTS, TOKEN_PROGRAM_ID } from "@holdfast/escrow-client";
import { type AccountMeta, type Address, getAddressEncoder } from "@solana/kit";
import {
  anyAddress,
  type Chain,
  freeze,
  give,
  giveTo,
  type Paid,
  signer,
  type Token,
  thaw,
  tokenInstruction,
  transferLamports,
  UNREADABLE,
  writable,
} from "../chain.ts";
import {
  beginFee,
  guardCalls,
  pause,
  requireMemos,
  resume,
  seize,
  setHook,
  transferInto,
  unsetHook,
} from "../mints.ts";
import {
  assignAway,
  closeTokenAccount,
  HUGE_SIZE,
  harvest,
  makeClosedProgram,
  makeExecutable,
  makeHuge,
  syncNative,
} from "../scenario.ts";
import { feeOf, ignoreRefusal, isIssuers, pick } from "./accounts.ts";

/** Events around payments that are no instruction of the program. */
export const WEATHER = [
  ...(["rent", "rent", "empty", "fund", "become", "become", "lose_account", "make_account", "give_away"] as const),
  ...(["dust", "dust", "remake_vault", "sync", "freeze", "thaw", "thaw", "harvest"] as const),
  ...(["squeeze", "squeeze", "withhold", "withhold"] as const),
  ...(["hook", "pause", "seize", "fee", "memo", "guard"] as const),
] as const;
export type Weather = (typeof WEATHER)[number];

const RENTS = [6_960n, 6_960n, 5_080n, 696n, 69_600n, UNREADABLE] as const;
const [RENT_MIN, RENT_MAX] = [69n, 696_000n];
const bytesOf = getAddressEncoder();

/** The changing state of a chain, and the facts that the model needs to predict a refusal. */
export class Sky {
  rent: bigint | typeof UNREADABLE = 6_960n;
  hookAccounts: readonly AccountMeta[] | null = null;
  isPaused = false;
  readonly #chain: Chain;
  readonly #token: Token;
  #epoch = 0n;
  #huge: Address | null = null;

  constructor(chain: Chain, token: Token) {
    this.#chain = chain;
    this.#token = token;
  }

  /** Applies an event of that kind, if the world allows it: an account may be missing, frozen or too poor. */
  async change(
    kind: Weather,
    wallet: Address,
    paid: Paid | null,
    accounts: readonly Address[],
    numbers: readonly [one: number, two: number, three: number],
  ): Promise<void> {
    await this.#turn(kind, wallet, paid, accounts, numbers).catch(ignoreRefusal);
  }

  /** `one` picks a wallet or a price, `two` a token account or a manner, `three` a quantity. */
  async #turn(
    kind: Weather,
    wallet: Address,
    paid: Paid | null,
    accounts: readonly Address[],
    numbers: readonly [number, number, number],
  ): Promise<void> {
    const [chain, token] = [this.#chain, this.#token];
    const [one, two, three] = numbers;
    const account = pick(accounts, two);
    switch (kind) {
      case "rent":
        return this.#setRent(one, two);
      case "empty":
        chain.send(transferLamports(wallet, anyAddress(), chain.balance(wallet)));
        return;
      case "fund":
        chain.send(transferLamports(chain.feePayer, wallet, 100_000_000n));
        return;
      case "become":
        return this.#become(wallet, two);
      case "lose_account":
        return closeTokenAccount(chain, token, wallet);
      case "make_account":
        await give(chain, token, wallet, 0n);
        return;
      case "give_away":
        // SPL Token alone lets an associated account change hands.
        if (token.tokenProgram === TOKEN_PROGRAM_ID && three % 3 === 0) {
          const set = [6, 2, 1, ...bytesOf.encode(anyAddress())];
          chain.send(tokenInstruction(token, [writable(account), signer(wallet)], set));
        }
        return;
      case "squeeze":
        // Empties the rent payer just before storage becomes dear: the vault's rent is then not enough.
        if (paid === null) return;
        chain.send(transferLamports(paid.payment.rentPayer, anyAddress(), chain.balance(paid.payment.rentPayer)));
        return this.#setRent(0, two);
      case "withhold":
        if (paid === null || feeOf(chain, token.mint) === null) return;
        this.#beginFee(100);
        return this.#dust(paid, 2, three + 100);
      case "dust":
        return this.#dust(paid, two, three);
      case "remake_vault":
        if (paid !== null) await give(chain, token, paid.payment.address, BigInt(three % 3));
        return;
      case "sync":
        chain.send(syncNative(token, account));
        return;
      case "freeze":
        chain.send(freeze(token, account));
        return;
      case "thaw":
        chain.send(thaw(token, account));
        return;
      case "harvest":
        chain.send(harvest(token, account));
        return;
      default:
        return this.#issuer(kind, wallet, paid, account, numbers);
    }
  }

  async #issuer(
    kind: Weather,
    wallet: Address,
    paid: Paid | null,
    account: Address,
    numbers: readonly [number, number, number],
  ): Promise<void> {
    const [chain, token] = [this.#chain, this.#token];
    const [, two, three] = numbers;
    if (kind === "memo" || kind === "guard") {
      if (token.tokenProgram === TOKEN_PROGRAM_ID || NATIVE_MINTS.includes(token.mint) || three % 2 === 0) return;
      const ask = kind === "memo" ? requireMemos : guardCalls;
      ask(chain, token, account, wallet);
      return;
    }
    if (kind === "fee" && feeOf(chain, token.mint) !== null && three % 4 === 0) {
      this.#beginFee(two % 2 === 0 ? 0 : 100);
      return;
    }
    if (!isIssuers(token)) return;
    switch (kind) {
      case "hook":
        if (this.hookAccounts === null) this.hookAccounts = await setHook(chain, token, []);
        else {
          chain.done(unsetHook(token));
          this.hookAccounts = null;
        }
        return;
      case "pause":
        chain.done(this.isPaused ? resume(token) : pause(token));
        this.isPaused = !this.isPaused;
        return;
      case "seize":
        if (paid !== null) await seize(chain, token, paid.vault, BigInt((three % 3) + 1));
    }
  }

  #beginFee(basisPoints: number): void {
    this.#epoch += 3n;
    beginFee(this.#chain, this.#token, basisPoints, this.#epoch);
  }

  /** Bytes of an account's data, without copying the ten megabytes of the one that has them. */
  sizeOf(wallet: Address): number {
    return wallet === this.#huge ? HUGE_SIZE : (this.#chain.look(wallet)?.data().length ?? 0);
  }

  #setRent(one: number, two: number): void {
    const [now, times] = [this.rent, one % 4];
    if (now === UNREADABLE || times > 1) this.rent = pick(RENTS, two);
    else if (times === 0) this.rent = now * 10n > RENT_MAX ? RENT_MAX : now * 10n;
    else this.rent = now / 10n < RENT_MIN ? RENT_MIN : now / 10n;
    this.#chain.setRent(this.rent);
  }

  async #become(wallet: Address, two: number): Promise<void> {
    const chain = this.#chain;
    const was = chain.look(wallet);
    // Only the key of a plain wallet can do that: it has no data and no other owner.
    if (was !== null && (this.sizeOf(wallet) > 0 || was.executable())) return;
    switch (two % 8) {
      case 0:
      case 1:
        return makeExecutable(chain, wallet);
      case 2:
        return makeClosedProgram(chain, wallet);
      case 3:
        // A single huge wallet is enough: every transaction that names it carries ten megabytes.
        if (this.#huge === null) makeHuge(chain, wallet);
        this.#huge ??= wallet;
        return;
      case 4:
        if (was !== null) assignAway(chain, wallet);
        return;
      case 5:
      case 6: {
        const isMint = two % 8 === 5;
        const data = new Uint8Array(isMint ? 82 : 165);
        data.set(isMint ? [6, 1] : [1], isMint ? 44 : 108);
        chain.plant(wallet, TOKEN_PROGRAM_ID, data);
        return;
      }
      default:
        chain.send(transferLamports(wallet, anyAddress(), chain.balance(wallet)));
    }
  }

  async #dust(paid: Paid | null, two: number, three: number): Promise<void> {
    const [chain, token] = [this.#chain, this.#token];
    if (paid === null) return;
    const lamports = BigInt(three) + 1_000_000n;
    if (two % 3 === 0) chain.send(transferLamports(chain.feePayer, paid.vault, lamports));
    else if (!chain.exists(paid.vault)) return;
    else if (two % 3 === 1) giveTo(chain, token, paid.vault, BigInt(three % 9) + 1n);
    else if (!NATIVE_MINTS.includes(token.mint)) {
      await transferInto(chain, token, paid.vault, BigInt(three % 900) + 1n);
    }
  }
}
