import assert from "node:assert/strict";
import {
  createPaymentInstruction,
  findPaymentAddress,
  findVaultAddress,
  NATIVE_MINTS,
  PAYMENT_ACCOUNT_SIZE,
  PERIODS,
  type ProgramErrorName,
  type ProgramInstruction,
  type Side,
  TOMBSTONE_ACCOUNT_SIZE,
} from "@holdfast/escrow-client";
import { AccountRole, type Address } from "@solana/kit";
import {
  anyAddress,
  aWorld,
  type Chain,
  give,
  type Paid,
  pay,
  type Token,
  tokenAccountOf,
  transferLamports,
  UNREADABLE,
  type World,
} from "../chain.ts";
import { bytesOf } from "../message.ts";
import {
  ARBITRATION,
  close,
  dispute,
  offCurveAddress,
  payOut,
  RETENTION,
  refund,
  release,
  replaceRole,
  resolve,
  secondAccount,
  TOKEN_ACCOUNT_SIZE,
} from "../scenario.ts";
import { type Action, consult, letterOf, type State, stateOf, type Verdict, violations } from "../table.ts";
import { feeOf, ignoreRefusal, isFrozen, isGuarded, ownerOf, pick, wantsMemos, withheldIn } from "./accounts.ts";
import { Sky, WEATHER, type Weather } from "./weather.ts";

/** The first word names the act; the numbers pick, by their remainder, the payment or wallet and the amount. */
export interface Step {
  readonly kind: Kind;
  readonly one: number;
  readonly two: number;
  readonly three: number;
}

const ACTS = [
  ...([
    "create",
    "create",
    "open_dispute",
    "open_dispute",
    "resolve",
    "resolve",
    "release",
    "refund",
    "refund",
  ] as const),
  ...(["pay_out", "pay_out", "pay_out", "pay_out", "pay_out", "pay_out", "close", "close"] as const),
  ...(["advance", "advance", "advance", "operator", "hostile", "hostile"] as const),
] as const;
export const KINDS = [...ACTS, ...WEATHER] as const;
type Kind = (typeof KINDS)[number];

const PAYMENTS_MAX = 4;
/** Every eighth refusal is checked for balances that it moved. */
const LOOKED_AT = 8;
const AMOUNTS = [1n, 2n, 1_000n, 2_500_000n, 10_000_000n] as const;
const SIDES = ["sender", "recipient"] as const;
const WRONG: Readonly<Record<string, ProgramErrorName>> = {
  open_dispute: "wrong_sender",
  resolve: "wrong_arbiter",
  release: "wrong_sender",
  refund: "wrong_recipient",
};
const OTHERS = "refused by another program";

/** A payment with the instructions that take derived addresses. */
interface Known extends Paid {
  readonly parts: Readonly<Record<Side, ProgramInstruction>>;
  readonly closings: Readonly<Record<"signed" | "unsigned", ProgramInstruction>>;
}

type Held = ReadonlyMap<Address, readonly [lamports: bigint, tokens: bigint]>;

/** Payments of one token among two buyers, two merchants, a sponsor and strangers, on a chain whose conditions change. */
export class Model {
  readonly #world: World;
  readonly #sky: Sky;
  readonly #wallets: readonly Address[];
  /** The attacker signs hostile instructions, owns a token account, and must never have more than at the beginning. */
  readonly #attacker: Address;
  readonly #paids: Known[] = [];
  /** Each wallet's associated token account, and another of theirs: deriving one costs as much as a transaction. */
  readonly #accounts: ReadonlyMap<Address, Address>;
  readonly #seconds = new Map<Address, Address>();
  readonly #accountSize: number;
  readonly #last = new Map<Address, State>();
  #arbiters: readonly Address[];
  #payments = 0;
  #sent = 0;
  /** The number of times that each cell of the table, and each refusal beside it, was met. */
  readonly met = new Map<string, number>();

  private constructor(
    world: World,
    wallets: readonly Address[],
    attacker: Address,
    accounts: ReadonlyMap<Address, Address>,
  ) {
    this.#world = world;
    this.#sky = new Sky(world.chain, world.token);
    this.#accounts = accounts;
    this.#wallets = wallets;
    this.#attacker = attacker;
    this.#arbiters = [world.arbiter];
    this.#accountSize = world.chain.data(accounts.get(world.recipient)!)!.length;
  }

  static async create(token: (chain: Chain) => Token): Promise<Model> {
    const world = await aWorld({ token });
    const { chain, sender, recipient, arbiter } = world;
    const [buyer, merchant, sponsor, attacker] = [
      await offCurveAddress(),
      await offCurveAddress(),
      anyAddress(),
      anyAddress(),
    ];
    for (const wallet of [buyer, merchant, sponsor, attacker]) chain.fund(wallet);
    await give(chain, world.token, buyer, 100_000_000n);
    for (const wallet of [merchant, attacker]) await give(chain, world.token, wallet, 0n);
    const wallets = [sender, buyer, recipient, merchant, sponsor, arbiter];
    const accounts = new Map<Address, Address>();
    for (const wallet of [...wallets, attacker]) accounts.set(wallet, await tokenAccountOf(world.token, wallet));
    const model = new Model(world, wallets, attacker, accounts);
    for (const one of [0, 1]) await model.take({ kind: "create", one, two: one, three: one + 2 });
    return model;
  }

  async take({ kind, one, two, three }: Step): Promise<void> {
    switch (kind) {
      case "create":
        return this.#create(one, two, three);
      case "advance":
        return this.#advance(one, two);
      case "operator":
        return this.#operator(one, two);
    }
    const paid = this.#paids.length === 0 ? null : pick(this.#paids, one);
    if (isWeather(kind)) {
      const wallet = pick(this.#wallets, one);
      const theirs = paid === null ? [] : [paid.vault, this.#accountOf(paid.sender), this.#accountOf(paid.recipient)];
      const accounts = [this.#accountOf(wallet), ...theirs];
      return this.#sky.change(kind, wallet, paid, accounts, [one, two, three]);
    }
    if (paid === null) return;
    const total = this.#total(paid, three);
    switch (kind) {
      case "open_dispute":
        return this.#act(paid, { kind }, dispute(paid), two);
      case "resolve":
        return this.#act(paid, { kind, total }, resolve(paid, total), two);
      case "release":
        return this.#act(paid, { kind, total }, release(paid, total), two);
      case "refund":
        return this.#act(paid, { kind, total }, refund(paid, total), two);
      case "pay_out":
        return this.#act(paid, { kind, side: pick(SIDES, two) }, this.#payout(paid, pick(SIDES, two), three), 0);
      case "close": {
        const signed = two % 3 === 0;
        return this.#act(paid, { kind: "close_payment", signed }, paid.closings[signed ? "signed" : "unsigned"], 0);
      }
      case "hostile":
        return this.#hostile(paid, total, one, two, three);
    }
  }

  /** A part, with the hook's accounts or without; now and then into another account of the beneficiary's, who signs for it. */
  #payout(paid: Known, side: Side, three: number): ProgramInstruction {
    const plain = paid.parts[side];
    const hooked = this.#sky.hookAccounts !== null && three % 5 > 0 ? this.#sky.hookAccounts : [];
    const accounts = [...plain.accounts, ...hooked];
    if (three % 4 > 0) return { ...plain, accounts };
    const [beneficiary, destination] = [accounts[3]!, accounts[4]!];
    const wallet = beneficiary.address;
    if (!this.#seconds.has(wallet)) {
      this.#seconds.set(wallet, secondAccount(this.#world.chain, this.#world.token, wallet, this.#accountSize));
    }
    accounts[3] = { ...beneficiary, role: AccountRole.READONLY_SIGNER };
    accounts[4] = { ...destination, address: this.#seconds.get(wallet)! };
    return { ...plain, accounts };
  }

  async #create(one: number, two: number, three: number): Promise<void> {
    const { chain, offer } = this.#world;
    if (this.#paids.length >= PAYMENTS_MAX) {
      const over = this.#paids.findIndex((paid) => letterOf(this.#last.get(paid.payment.address)!) === "T");
      if (over === -1) return;
      this.#paids.splice(over, 1);
    }
    this.#payments += 1;
    const [sender, recipient] = [pick(this.#wallets.slice(0, 2), one), pick(this.#wallets.slice(2, 4), two)];
    const payer = pick([sender, this.#wallets[4]!, recipient, this.#wallets[5]!], three);
    const { arbiter } = chain.operator(this.#world.operator);
    const period = pick(PERIODS.slice(0, 3), two);
    const paymentId = BigInt(this.#payments);
    const terms = { sender, recipient, payer, paymentId, arbiter, period, amount: pick(AMOUNTS, three) };
    const hookAccounts = this.#sky.hookAccounts ?? [];
    // A stranger was there before: lamports at the payment's address and at the vault's.
    const at = await findPaymentAddress({ ...offer, ...terms });
    if (one % 3 === 0) chain.send(transferLamports(chain.feePayer, at, 2_000_000n));
    if (two % 5 === 0) {
      const vault = await findVaultAddress({ ...offer, payment: at });
      chain.send(transferLamports(chain.feePayer, vault, 900_000n));
    }
    const other = await createPaymentInstruction({ ...offer, ...terms, hookAccounts, arbiter: this.#world.operator });
    assert.equal(chain.refused(other), "arbiter_changed");
    const obstacle = this.#obstacleToCreate(sender, payer, terms.amount);
    try {
      const paid = await pay(this.#world, { ...terms, hookAccounts });
      const parts = { sender: await payOut(paid, "sender"), recipient: await payOut(paid, "recipient") };
      const closings = { signed: await close(paid, true), unsigned: await close(paid) };
      const known = { ...paid, sender, recipient, parts, closings };
      this.#paids.push(known);
      this.#last.set(at, this.#read(known));
      assert.equal(this.#read(known).amount, terms.amount);
      assert.equal(chain.payment(at).rentPayer, payer);
      assert.equal(chain.payment(at).arbiter, arbiter);
      this.#count("create done");
    } catch (error) {
      ignoreRefusal(error);
      assert.ok(obstacle, `nothing stood in the way of a payment: ${error}`);
      this.#count("create refused");
      return;
    }
    assert.ok(obstacle !== "a fee", "a payment is made for less than its amount");
  }

  /** Returns the obstacle that may refuse a payment; null if it must be made. */
  #obstacleToCreate(sender: Address, payer: Address, amount: bigint): string | null {
    const { chain, token } = this.#world;
    const source = this.#accountOf(sender);
    const data = chain.data(source);
    const purse = chain.look(payer);
    const isWallet = purse !== null && this.#sky.sizeOf(payer) === 0 && !purse.owner().some((byte) => byte !== 0);
    const needed = this.#minimum(PAYMENT_ACCOUNT_SIZE) + this.#minimum(TOKEN_ACCOUNT_SIZE) + this.#minimum(0);
    if (this.#sky.rent === UNREADABLE) return "the price of rent";
    if (!isWallet || purse.lamports() < needed + amount) return "the payer";
    if (data === null || ownerOf(data) !== sender || chain.tokens(source) < amount || isFrozen(chain, source))
      return "the source";
    if (this.#sky.isPaused || isGuarded(chain, source)) return "the token";
    // The source may have been left with less than today's minimum by a rent change.
    if (chain.balance(source) < this.#minimum(data.length) + amount) return "the source's rent";
    return (feeOf(chain, token.mint) ?? 0n) > 0n ? "a fee" : null;
  }

  /** Moves the clock to a boundary of some payment, or one second before it; never backwards. */
  #advance(one: number, two: number): void {
    const { chain } = this.#world;
    const bounds = this.#paids.flatMap((paid) => {
      const { deadline, disputedAt, settledAt, refundedAt } = this.#last.get(paid.payment.address)!;
      const ends = [settledAt, refundedAt].filter((time) => time !== null).map((time) => time + RETENTION);
      return [deadline, ...(disputedAt === null ? [] : [disputedAt + ARBITRATION]), ...ends];
    });
    const next = bounds
      .flatMap((bound) => [bound - 1n, bound])
      .filter((time) => time > chain.time)
      .sort();
    // Jumps to near boundaries more often than to far ones, or every payment would end at once.
    chain.setTime(next.length === 0 || two % 4 === 0 ? chain.time + BigInt(one % 7_200) : pick(next.slice(0, 3), one));
  }

  #operator(one: number, two: number): void {
    const key = two % 3 === 0 ? pick(this.#wallets, two) : anyAddress();
    const { arbiter } = this.#world.chain.operator(this.#world.operator);
    replaceRole(this.#world, pick(["arbiter", "authority"] as const, one), key, two % 2 === 1);
    this.#arbiters = [...new Set([...this.#arbiters, arbiter, key])].slice(-4);
  }

  #total(paid: Paid, three: number): bigint {
    const { amount, refundTotal } = this.#last.get(paid.payment.address)!;
    return (
      pick([0n, 1n, refundTotal, refundTotal + 1n, amount / 2n, amount, amount + 1n, amount - 1n], three) &
      (2n ** 64n - 1n)
    );
  }

  #read(paid: Paid): State {
    const { chain } = this.#world;
    const vault = chain.data(paid.vault) === null ? null : chain.tokens(paid.vault);
    if (chain.data(paid.payment.address)!.length === TOMBSTONE_ACCOUNT_SIZE) {
      return { ...this.#last.get(paid.payment.address)!, closed: true, vault };
    }
    return stateOf(chain.payment(paid.payment.address), vault);
  }

  /** Sends an instruction, by its own actor, unsigned, or by another wallet, and compares its effect with the table. */
  #act(paid: Known, action: Action, instruction: ProgramInstruction, by: number): void {
    const { chain } = this.#world;
    const before = this.#read(paid);
    const decides = WRONG[action.kind] !== undefined;
    const wallet = decides && by % 3 === 0 ? pick([...this.#wallets, ...this.#arbiters], by) : null;
    const own = instruction.accounts[2]!;
    const impostor = wallet !== null && wallet !== own.address;
    const unsigned = decides && !impostor && by % 7 === 1;
    let accounts = instruction.accounts;
    if (impostor) accounts = accounts.with(2, { ...own, address: wallet });
    if (unsigned) accounts = accounts.with(2, { ...own, role: AccountRole.READONLY });
    const label = `${letterOf(before)} ${action.kind}${impostor ? " by another" : ""}${unsigned ? " unsigned" : ""}`;
    const table: Verdict = consult(before, action, chain.time);
    let verdict = table;
    if (impostor) verdict = before.closed ? table : { refusal: WRONG[action.kind]! };
    if (unsigned) verdict = before.closed ? table : { refusal: "missing_signature" };
    const obstacle =
      "refusal" in verdict ? verdict.refusal : this.#obstacle(paid, action, instruction, before, verdict);
    const refused = "refusal" in verdict || obstacle !== null;
    const held = refused && this.#sent++ % LOOKED_AT > 0 ? null : this.#held([paid]);
    const sent = chain.send({ ...instruction, accounts });
    const answer = sent.ok ? "done" : (chain.nameOf(sent) ?? OTHERS);
    this.#count(`${label} ${answer}`);
    if ("refusal" in verdict || obstacle !== null) {
      assert.equal(answer, obstacle, `${label}: ${sent.ok ? "" : sent.text}`);
      this.#unchanged(paid, before, held);
      return;
    }
    if (!sent.ok) {
      // A rent change can still do this to native tokens: an account would be left with less than today's minimum.
      assert.match(sent.text, /InsufficientFundsForRent/, label);
      assert.ok(this.#isShortOfRent(paid, action, instruction, before, verdict), `${label}: ${sent.text}`);
      this.#unchanged(paid, before, held);
      return;
    }
    const after = this.#read(paid);
    const { vault: _, ...expected } = verdict.next;
    const { vault: __, ...actual } = after;
    assert.deepEqual(actual, expected, label);
    this.#last.set(paid.payment.address, after);
    if (action.kind === "pay_out") this.#partLeft(paid, action.side, instruction, before, after, verdict, held!, label);
    else if (action.kind === "close_payment") this.#recordClosed(paid, held!, this.#held([paid]));
    else assert.deepEqual(this.#held([paid]), held, `${label}: a decision moves nothing`);
    const native = NATIVE_MINTS.includes(paid.token.mint);
    // The issuer may have taken tokens out of the vault; the rest then stays.
    const left = before.amount - before.amountRefunded - before.amountReleased;
    const short = native || (before.vault ?? 0n) < left;
    const wrong = violations(after, before).filter((claim) => !(short && claim === "the vault holds what is left"));
    assert.deepEqual(wrong, [], label);
    if (native && after.vault !== null) {
      const due = after.amount - after.amountRefunded - after.amountReleased;
      assert.ok(chain.balance(paid.vault) >= due, "a native vault covers in lamports what is left");
    }
  }

  /** Returns the error that must refuse an instruction that the table allows, in the order of the guards; null if nothing may. */
  #obstacle(
    paid: Paid,
    action: Action,
    instruction: ProgramInstruction,
    before: State,
    verdict: Verdict & { next: State },
  ): ProgramErrorName | typeof OTHERS | null {
    const { chain, token } = this.#world;
    const native = NATIVE_MINTS.includes(token.mint);
    const { rentPayer } = paid.payment;
    if (action.kind === "close_payment") {
      if (this.#sky.rent === UNREADABLE) return OTHERS;
      if (action.signed) return null;
      if (chain.balance(paid.payment.address) < this.#minimum(PAYMENT_ACCOUNT_SIZE)) return "rent_risen";
      const freed = chain.balance(paid.payment.address) - this.#minimum(TOMBSTONE_ACCOUNT_SIZE);
      return this.#canHold(rentPayer, freed) ? null : "rent_payer_short";
    }
    if (action.kind !== "pay_out") return null;
    const swept = letterOf(before) === "F";
    const last = swept || letterOf(verdict.next) === "F";
    const due = swept ? before.vault! : this.#due(before, verdict.next);
    const left = before.amount - before.amountRefunded - before.amountReleased;
    if (!swept && !native && before.vault! < left) return "vault_short";
    if (native && !last && before.vault! < due) return "vault_short";
    if (due === 0n) {
      const closes = this.#canHold(rentPayer, chain.balance(paid.vault)) && withheldIn(chain, paid.vault) === 0n;
      return closes ? null : "nothing_due";
    }
    if (isFrozen(chain, paid.vault)) return "vault_frozen";
    const beneficiary = paid.payment[action.side];
    const destination = instruction.accounts[4]!.address;
    const data = chain.data(destination);
    if (data === null) return "destination_missing";
    if (ownerOf(data) !== beneficiary) return "wrong_destination";
    if (isFrozen(chain, destination)) return "destination_frozen";
    const sends = native ? before.vault! > 0n : true;
    const hooked = this.#sky.hookAccounts !== null && instruction.accounts.length === 8;
    return sends && (this.#sky.isPaused || hooked || wantsMemos(chain, destination)) ? OTHERS : null;
  }

  #isShortOfRent(
    paid: Paid,
    action: Action,
    instruction: ProgramInstruction,
    before: State,
    verdict: Verdict & { next: State },
  ): boolean {
    const { chain, token } = this.#world;
    if (!NATIVE_MINTS.includes(token.mint) || action.kind !== "pay_out") return false;
    const destination = instruction.accounts[4]!.address;
    const swept = letterOf(before) === "F";
    const due = swept ? before.vault! : this.#due(before, verdict.next);
    const last = swept || letterOf(verdict.next) === "F";
    const short = (at: Address, lamports: bigint) => lamports < this.#minimum(chain.data(at)!.length);
    return (
      short(destination, chain.balance(destination) + due) ||
      (!last && short(paid.vault, chain.balance(paid.vault) - due))
    );
  }

  #accountOf(wallet: Address): Address {
    return this.#accounts.get(wallet)!;
  }

  #due(before: State, after: State): bigint {
    return after.amountRefunded - before.amountRefunded + (after.amountReleased - before.amountReleased);
  }

  #minimum(size: number): bigint {
    const { rent } = this.#sky;
    // The program cannot read this form of the price; the runtime can.
    return rent === UNREADABLE ? this.#world.chain.rent(size) : (128n + BigInt(size)) * rent;
  }

  #canHold(wallet: Address, more: bigint): boolean {
    const { chain } = this.#world;
    return this.#sky.rent !== UNREADABLE && chain.balance(wallet) + more >= this.#minimum(this.#sky.sizeOf(wallet));
  }

  /** Lamports and tokens of every account that these payments could reach. */
  #held(paids: readonly Paid[]): Held {
    const { chain, token } = this.#world;
    const held = new Map<Address, readonly [bigint, bigint]>();
    // Compare only a wallet's lamports: its data may be ten megabytes.
    for (const [wallet, account] of this.#accounts) {
      held.set(wallet, [chain.balance(wallet), 0n]).set(account, look(chain, token, account));
    }
    const others = [...this.#seconds.values(), ...paids.flatMap(({ payment, vault }) => [payment.address, vault])];
    for (const at of others) held.set(at, look(chain, token, at));
    return held;
  }

  /** Asserts that a failed instruction changed nothing. The runtime ensures that, so a part of these cases is enough. */
  #unchanged(paid: Known, before: State, held: Held | null): void {
    assert.deepEqual(this.#read(paid), before);
    if (held !== null) assert.deepEqual(this.#held([paid]), held);
  }

  /** Tokens go only to the one side, and lamports only to the rent payer, except for a native part. */
  #partLeft(
    paid: Known,
    side: Side,
    instruction: ProgramInstruction,
    before: State,
    after: State,
    verdict: Verdict & { next: State; sent: Readonly<Record<Side, bigint>> },
    held: Held,
    label: string,
  ): void {
    const { chain, token } = this.#world;
    const native = NATIVE_MINTS.includes(token.mint);
    const destination = instruction.accounts[4]!.address;
    const now = this.#held([paid]);
    const gained = (at: Address, index: 0 | 1) => now.get(at)![index] - (held.get(at)?.[index] ?? 0n);
    const freed = -gained(paid.vault, 0);
    const { rentPayer } = paid.payment;
    for (const at of now.keys()) {
      if (at === paid.vault || at === destination || at === rentPayer) continue;
      assert.deepEqual([gained(at, 0), gained(at, 1)], [0n, 0n], `${label}: ${at} is not concerned`);
    }
    if (!native) {
      const sent = verdict.sent[side];
      const fee = (sent * (feeOf(chain, token.mint) ?? 0n) + 9_999n) / 10_000n;
      assert.equal(gained(destination, 1), sent - fee, label);
      assert.equal(gained(destination, 0), 0n, label);
      assert.equal(gained(rentPayer, 0), freed, label);
      if (verdict.next.vault === null && after.vault !== null) {
        const stays = !this.#canHold(rentPayer, chain.balance(paid.vault)) || withheldIn(chain, paid.vault) > 0n;
        assert.ok(stays, `${label}: the vault could close`);
      }
      return;
    }
    const due = letterOf(before) === "F" ? before.vault! : this.#due(before, after);
    const rest = freed - due;
    const had = held.get(rentPayer)![0];
    const able = this.#sky.rent !== UNREADABLE && had + rest >= this.#minimum(this.#sky.sizeOf(rentPayer));
    assert.equal(gained(destination, 0), able ? due : freed, label);
    assert.equal(gained(rentPayer, 0), able ? rest : 0n, label);
    if (verdict.next.vault === null) assert.equal(after.vault, null, `${label}: a native vault closes`);
  }

  #recordClosed(paid: Paid, held: Held, now: Held): void {
    const record = paid.payment.address;
    for (const [at, [lamports]] of now) {
      const gained = lamports - held.get(at)![0];
      if (at === record) assert.ok(gained <= 0n);
      else if (at === paid.payment.rentPayer) assert.equal(gained, held.get(record)![0] - now.get(record)![0]);
      else assert.equal(gained, 0n);
    }
  }

  /**
   * Sends an instruction with up to three accounts replaced, roles raised or an argument changed, signed by the attacker
   * alone. It may do what anybody may do: a part or a closing that is due. The attacker must gain nothing by it, and nobody
   * may have less than before.
   */
  #hostile(paid: Known, total: bigint, one: number, two: number, three: number): void {
    const { chain } = this.#world;
    const other = pick(this.#paids, two);
    const all = [dispute(paid), resolve(paid, total), release(paid, total), refund(paid, total)];
    const plain = pick(
      [...all, ...Object.values(paid.parts), ...Object.values(paid.parts), paid.closings.unsigned],
      three,
    );
    const mine = [this.#attacker, this.#accountOf(this.#attacker)];
    const others = [other.payment.address, other.vault, other.sender, other.recipient, this.#world.operator];
    const stock = [...mine, ...mine, ...others, ...this.#accounts.values(), paid.token.mint, paid.token.tokenProgram];
    const accounts = [...plain.accounts];
    const swaps = 1 + (one % 3);
    for (let count = 0; count < swaps; count += 1) {
      const at = (one + count * 7 + two) % accounts.length;
      accounts[at] = { ...accounts[at]!, address: pick(stock, three + count * 5 + one) };
    }
    // Only the attacker signs, wherever an account is the attacker's.
    const signed = accounts.map(({ address, role }) => ({
      address,
      role: (role & ~2) | (address === this.#attacker ? 2 : 0) | (one % 4 === 0 ? 1 : 0),
    }));
    const data = Uint8Array.from(plain.data);
    if (two % 5 === 0 && data.length === 2) data[1] = 1 - data[1]!;
    const before = this.#paids.map((each) => this.#read(each));
    const held = this.#held(this.#paids);
    const sent = chain.send({ ...plain, accounts: signed, data });
    this.#count(`hostile ${sent.ok ? "done" : "refused"}`);
    if (!sent.ok) return;
    const now = this.#held(this.#paids);
    const less = (at: Address) => now.get(at)![1] < held.get(at)![1] || now.get(at)![0] < held.get(at)![0];
    for (const address of [...this.#accounts].flat()) assert.ok(!less(address), `a stranger took from ${address}`);
    for (const at of mine) assert.deepEqual(now.get(at), held.get(at), "a stranger gained");
    for (const [index, each] of this.#paids.entries()) {
      const [was, is] = [before[index]!, this.#read(each)];
      this.#last.set(each.payment.address, is);
      if (same(was, is)) continue;
      const allowed = [
        ...SIDES.map((side) => consult(was, { kind: "pay_out", side }, chain.time)),
        consult(was, { kind: "close_payment", signed: false }, chain.time),
      ];
      const expected = allowed.flatMap((verdict) => ("refusal" in verdict ? [] : [{ ...verdict.next, vault: null }]));
      assert.ok(
        expected.some((next) => same(next, { ...is, vault: null })),
        "a stranger did what is not theirs",
      );
    }
  }

  #count(what: string): void {
    this.met.set(what, (this.met.get(what) ?? 0) + 1);
  }
}

const isWeather = (kind: Kind): kind is Weather => (WEATHER as readonly string[]).includes(kind);

const same = (one: State, other: State): boolean =>
  Object.entries(one).every(([key, value]) => other[key as keyof State] === value);

/** Lamports, and tokens if it is an account of this token's program. */
function look(chain: Chain, token: Token, at: Address): readonly [lamports: bigint, tokens: bigint] {
  const account = chain.look(at);
  if (account === null) return [0n, 0n];
  const data = account.data();
  const holds = data.length >= TOKEN_ACCOUNT_SIZE && Buffer.compare(account.owner(), bytesOf(token.tokenProgram)) === 0;
  return [account.lamports(), holds ? new DataView(data.buffer, data.byteOffset).getBigUint64(64, true) : 0n];
}
