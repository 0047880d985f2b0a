import assert from "node:assert/strict";
import {
  acceptInstruction,
  createPaymentInstruction,
  findPaymentAddress,
  findVaultAddress,
  NATIVE_MINTS,
  PAYMENT_ACCOUNT_SIZE,
  PERIODS,
  type ProgramErrorName,
  type ProgramInstruction,
  proposeInstruction,
  type Side,
  TOMBSTONE_ACCOUNT_SIZE,
} from "@holdfast/escrow-client";
import type { Address } from "@solana/kit";
import {
  anyAddress,
  aWorld,
  type Chain,
  freeze,
  give,
  giveTo,
  type Paid,
  pay,
  type Sent,
  type Token,
  thaw,
  tokenAccountOf,
  transferLamports,
  UNREADABLE,
  type World,
} from "./chain.ts";
import {
  ARBITRATION,
  close,
  closeTokenAccount,
  dispute,
  makeExecutable,
  payOut,
  RETENTION,
  refund,
  release,
  resolve,
  syncNative,
} from "./scenario.ts";
import { type Action, consult, letterOf, type State, stateOf, type Verdict, violations } from "./table.ts";

/** The first word is what happens; the numbers pick, by their remainder, to whom and how much. */
export interface Step {
  readonly kind: Kind;
  readonly one: number;
  readonly two: number;
  readonly three: number;
}

export const KINDS = [
  ...(["create", "open_dispute", "open_dispute", "resolve", "resolve", "release", "refund", "refund"] as const),
  ...(["pay_out", "pay_out", "pay_out", "pay_out", "pay_out", "close", "advance", "advance", "advance"] as const),
  ...(["rent", "empty", "fund", "execute", "lose_account", "make_account", "dust", "remake_vault"] as const),
  ...(["sync", "freeze", "thaw", "operator"] as const),
] as const;
type Kind = (typeof KINDS)[number];

const PAYMENTS_MAX = 4;
const AMOUNTS = [1n, 2n, 1_000n, 2_500_000n, 10_000_000n] as const;
const RENTS = [6_960n, 6_960n, 5_080n, 696n, 69_600n, UNREADABLE] as const;
const WRONG: Readonly<Record<string, ProgramErrorName>> = {
  open_dispute: "wrong_sender",
  resolve: "wrong_arbiter",
  release: "wrong_sender",
  refund: "wrong_recipient",
};

/** A payment with the instructions that take derived addresses. */
interface Known extends Paid {
  readonly parts: Readonly<Record<Side, ProgramInstruction>>;
  readonly closings: Readonly<Record<"signed" | "unsigned", ProgramInstruction>>;
}

/** Payments of one token among two buyers, two merchants, a sponsor and strangers, on a chain that turns against them. */
export class Model {
  readonly #world: World;
  readonly #wallets: readonly Address[];
  readonly #paids: Known[] = [];
  /** Each wallet's associated token account: deriving one costs as much as a transaction. */
  readonly #accounts: ReadonlyMap<Address, Address>;
  readonly #last = new Map<Address, State>();
  #rent: bigint | typeof UNREADABLE = 6_960n;
  #arbiters: readonly Address[];
  /** How often each cell of the table, and each refusal beside it, was met. */
  readonly met = new Map<string, number>();

  private constructor(world: World, wallets: readonly Address[], accounts: ReadonlyMap<Address, Address>) {
    this.#world = world;
    this.#accounts = accounts;
    this.#wallets = wallets;
    this.#arbiters = [world.arbiter];
  }

  static async create(token: (chain: Chain) => Token): Promise<Model> {
    const world = await aWorld({ token });
    const { chain, sender, recipient, arbiter } = world;
    const [buyer, merchant, sponsor] = [anyAddress(), anyAddress(), anyAddress()];
    for (const wallet of [buyer, merchant, sponsor]) chain.fund(wallet);
    await give(chain, world.token, buyer, 100_000_000n);
    await give(chain, world.token, merchant, 0n);
    const wallets = [sender, buyer, recipient, merchant, sponsor, arbiter];
    const accounts = new Map<Address, Address>();
    for (const wallet of wallets) accounts.set(wallet, await tokenAccountOf(world.token, wallet));
    const model = new Model(world, wallets, accounts);
    for (const one of [0, 1]) await model.take({ kind: "create", one, two: one, three: one + 2 });
    return model;
  }

  async take({ kind, one, two, three }: Step): Promise<void> {
    const { chain, token } = this.#world;
    const wallet = pick(this.#wallets, one);
    const paid = this.#paids.length === 0 ? null : pick(this.#paids, one);
    switch (kind) {
      case "create":
        return this.#create(one, two, three);
      case "advance":
        return this.#advance(one, two);
      case "rent":
        this.#rent = pick(RENTS, one);
        return chain.setRent(this.#rent);
      case "empty":
        chain.send(transferLamports(wallet, anyAddress(), chain.balance(wallet)));
        return;
      case "fund":
        chain.send(transferLamports(chain.feePayer, wallet, 100_000_000n));
        return;
      case "execute":
        // Once executable, or with nothing to be changed by, it stays as it is.
        if (two % 5 === 0) await makeExecutable(chain, wallet).catch(ignoreRefusal);
        return;
      case "lose_account":
        return closeTokenAccount(chain, token, wallet).catch(ignoreRefusal);
      case "make_account":
        await give(chain, token, wallet, 0n).catch(ignoreRefusal);
        return;
      case "operator":
        return this.#operator(one, two);
    }
    if (paid === null) return;
    const account = pick(
      [paid.vault, this.#accountOf(paid.payment.sender), this.#accountOf(paid.payment.recipient)],
      two,
    );
    switch (kind) {
      case "dust":
        if (two % 2 === 0) chain.send(transferLamports(chain.feePayer, paid.vault, BigInt(three) + 1_000_000n));
        else if (chain.exists(paid.vault)) ignoreThrown(() => giveTo(chain, token, paid.vault, BigInt(three % 9) + 1n));
        return;
      case "remake_vault":
        await give(chain, token, paid.payment.address, BigInt(three % 3)).catch(ignoreRefusal);
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
    }
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
      case "pay_out": {
        const side = pick(["sender", "recipient"] as const, two);
        return this.#act(paid, { kind, side }, paid.parts[side], 0);
      }
      case "close": {
        const signed = two % 4 === 0;
        return this.#act(paid, { kind: "close_payment", signed }, paid.closings[signed ? "signed" : "unsigned"], 0);
      }
    }
  }

  async #create(one: number, two: number, three: number): Promise<void> {
    const { chain, offer } = this.#world;
    if (this.#paids.length >= PAYMENTS_MAX) return;
    const [sender, recipient] = [pick(this.#wallets.slice(0, 2), one), pick(this.#wallets.slice(2, 4), two)];
    const payer = pick([sender, this.#wallets[4]!, recipient], three);
    const { arbiter } = chain.operator(this.#world.operator);
    const paymentId = BigInt(this.#paids.length + 1);
    const period = pick(PERIODS.slice(0, 3), two);
    const terms = { sender, recipient, payer, paymentId, arbiter, period, amount: pick(AMOUNTS, three) };
    // A stranger was there before: lamports at the payment's address and at the vault's.
    const at = await findPaymentAddress({ ...offer, ...terms });
    if (one % 3 === 0) chain.send(transferLamports(chain.feePayer, at, 2_000_000n));
    if (two % 5 === 0) {
      const vault = await findVaultAddress({ ...offer, payment: at });
      chain.send(transferLamports(chain.feePayer, vault, 900_000n));
    }
    const refused = await createPaymentInstruction({ ...offer, ...terms, arbiter: this.#world.operator });
    this.#count(`create ${chain.refused(refused)}`);
    try {
      const paid = await pay(this.#world, terms);
      const parts = { sender: await payOut(paid, "sender"), recipient: await payOut(paid, "recipient") };
      const closings = { signed: await close(paid, true), unsigned: await close(paid) };
      this.#paids.push({ ...paid, parts, closings });
      this.#last.set(at, this.#read(paid));
      assert.equal(this.#read(paid).amount, terms.amount);
      assert.equal(chain.payment(at).rentPayer, payer);
      assert.equal(chain.payment(at).arbiter, arbiter);
      this.#count("create done");
    } catch (error) {
      ignoreRefusal(error);
      this.#count("create refused by another program");
    }
  }

  /** To a boundary of some payment, or one second before it; never backwards. */
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
    // Near boundaries more often than far ones, or everything would be over at once.
    chain.setTime(next.length === 0 || two % 4 === 0 ? chain.time + BigInt(one % 7_200) : pick(next.slice(0, 3), one));
  }

  #operator(one: number, two: number): void {
    const { chain, operator } = this.#world;
    const { programId } = chain;
    const role = pick(["arbiter", "authority"] as const, one);
    const key = anyAddress();
    const { authority, arbiter } = chain.operator(operator);
    const propose = proposeInstruction({ programId, operator, authority, role, key });
    if (two % 2 === 0) chain.done(propose);
    else chain.done(propose, acceptInstruction({ programId, operator, role, key }));
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

  /** Sends an instruction, by its own actor or by another wallet, and holds its effect against the table. */
  #act(paid: Paid, action: Action, instruction: ProgramInstruction, by: number): void {
    const { chain } = this.#world;
    const before = this.#read(paid);
    const wallet = by % 3 > 0 ? null : pick([...this.#wallets, ...this.#arbiters], by);
    const own = instruction.accounts[2]!;
    const impostor = WRONG[action.kind] !== undefined && wallet !== null && wallet !== own.address;
    const accounts = impostor ? instruction.accounts.with(2, { ...own, address: wallet }) : instruction.accounts;
    const label = `${letterOf(before)} ${action.kind}${impostor ? " by another" : ""}`;
    const table: Verdict = consult(before, action, chain.time);
    const closed = before.closed ? table : null;
    const verdict = impostor ? (closed ?? { refusal: WRONG[action.kind]! }) : table;
    const obstacle = "refusal" in verdict ? null : this.#obstacle(paid, action, before, verdict);
    const held = this.#held(paid);
    const sent = chain.send({ ...instruction, accounts });
    const answer = sent.ok ? "done" : (chain.nameOf(sent) ?? "refused by another program");
    this.#count(`${label} ${answer}`);
    if ("refusal" in verdict) {
      assert.equal(answer, verdict.refusal, label);
      this.#unchanged(paid, before, held);
      return;
    }
    if (obstacle !== null) {
      assert.equal(answer, obstacle, `${label}: ${text(sent)}`);
      this.#unchanged(paid, before, held);
      return;
    }
    if (!sent.ok) {
      // A native vault or account would be left below today's minimum: the one thing a rent change can still do.
      const native = NATIVE_MINTS.includes(paid.token.mint) && action.kind === "pay_out";
      assert.ok(native && /InsufficientFundsForRent/.test(sent.text), `${label}: ${sent.text}`);
      this.#unchanged(paid, before, held);
      return;
    }
    const after = this.#read(paid);
    const { vault: _, ...expected } = verdict.next;
    const { vault: __, ...actual } = after;
    assert.deepEqual(actual, expected, label);
    this.#last.set(paid.payment.address, after);
    if (action.kind === "pay_out") this.#partLeft(paid, action.side, before, after, verdict, held, label);
    else if (action.kind === "close_payment") this.#recordClosed(paid, held, this.#held(paid));
    else assert.deepEqual(this.#held(paid), held, `${label}: a decision moves nothing`);
    const native = NATIVE_MINTS.includes(paid.token.mint);
    const wrong = violations(after, before).filter((claim) => !(native && claim === "the vault holds what is left"));
    assert.deepEqual(wrong, [], label);
    if (native && after.vault !== null) {
      const left = after.amount - after.amountRefunded - after.amountReleased;
      assert.ok(chain.balance(paid.vault) >= left, "a native vault covers in lamports what is left");
    }
  }

  /** What must refuse an instruction that the table allows, in the order of the guards; null: nothing. */
  #obstacle(
    paid: Paid,
    action: Action,
    before: State,
    verdict: Verdict & { next: State },
  ): ProgramErrorName | "refused by another program" | null {
    const { chain, token } = this.#world;
    const native = NATIVE_MINTS.includes(token.mint);
    const rentPayer = paid.payment.rentPayer;
    if (action.kind === "close_payment") {
      if (this.#rent === UNREADABLE) return "refused by another program";
      if (action.signed) return null;
      if (chain.balance(paid.payment.address) < this.#minimum(PAYMENT_ACCOUNT_SIZE)) return "rent_risen";
      const freed = chain.balance(paid.payment.address) - this.#minimum(TOMBSTONE_ACCOUNT_SIZE);
      return this.#canHold(rentPayer, freed) ? null : "rent_payer_short";
    }
    if (action.kind !== "pay_out") return null;
    const swept = letterOf(before) === "F";
    const last = swept || letterOf(verdict.next) === "F";
    const due = this.#due(before, verdict.next);
    const sends = swept ? before.vault! > 0n : true;
    if (native && !last && before.vault! < due) return "vault_short";
    if (sends && isFrozen(chain, paid.vault)) return "vault_frozen";
    const destination = this.#accountOf(paid.payment[action.side]);
    if (sends && chain.data(destination) === null) return "destination_missing";
    if (sends && isFrozen(chain, destination)) return "destination_frozen";
    if (!sends && !this.#canHold(rentPayer, chain.balance(paid.vault))) return "nothing_due";
    return null;
  }

  #accountOf(wallet: Address): Address {
    return this.#accounts.get(wallet)!;
  }

  #due(before: State, after: State): bigint {
    return after.amountRefunded - before.amountRefunded + (after.amountReleased - before.amountReleased);
  }

  #minimum(size: number): bigint {
    return this.#rent === UNREADABLE ? 0n : (128n + BigInt(size)) * this.#rent;
  }

  #canHold(wallet: Address, more: bigint): boolean {
    const { chain } = this.#world;
    const size = chain.data(wallet)?.length ?? 0;
    return this.#rent !== UNREADABLE && chain.balance(wallet) + more >= this.#minimum(size);
  }

  /** Lamports and tokens of every account that a payment could reach. */
  #held(paid: Paid): Map<Address, readonly [lamports: bigint, tokens: bigint]> {
    const { chain, token } = this.#world;
    const accounts = [...this.#wallets, ...this.#accounts.values(), paid.payment.address, paid.vault];
    return new Map(accounts.map((at) => [at, look(chain, token, at)] as const));
  }

  #unchanged(paid: Paid, before: State, held: ReadonlyMap<Address, unknown>): void {
    assert.deepEqual(this.#read(paid), before);
    assert.deepEqual(this.#held(paid), held);
  }

  /** Tokens go to the one side alone, lamports to the rent payer alone, a native part's own aside. */
  #partLeft(
    paid: Paid,
    side: Side,
    before: State,
    after: State,
    verdict: Verdict & { next: State; sent: Readonly<Record<Side, bigint>> },
    held: ReadonlyMap<Address, readonly [bigint, bigint]>,
    label: string,
  ): void {
    const { chain, token } = this.#world;
    const native = NATIVE_MINTS.includes(token.mint);
    const destination = this.#accountOf(paid.payment[side]);
    const now = this.#held(paid);
    const gained = (at: Address, index: 0 | 1) => now.get(at)![index] - held.get(at)![index];
    const freed = -gained(paid.vault, 0);
    const { rentPayer } = paid.payment;
    for (const at of now.keys()) {
      if (at === paid.vault || at === destination || at === rentPayer) continue;
      assert.deepEqual([gained(at, 0), gained(at, 1)], [0n, 0n], `${label}: ${at} is not concerned`);
    }
    if (!native) {
      assert.equal(gained(destination, 1), verdict.sent[side], label);
      assert.equal(gained(destination, 0), 0n, label);
      assert.equal(gained(rentPayer, 0), freed, label);
      const stays = verdict.next.vault === null && after.vault !== null;
      if (stays)
        assert.equal(this.#canHold(rentPayer, chain.balance(paid.vault)), false, `${label}: the vault could close`);
      return;
    }
    const due = letterOf(before) === "F" ? before.vault! : this.#due(before, after);
    const rest = freed - due;
    const had = held.get(rentPayer)![0];
    const able = this.#rent !== UNREADABLE && had + rest >= this.#minimum(chain.data(rentPayer)?.length ?? 0);
    assert.equal(gained(destination, 0), able ? due : freed, label);
    assert.equal(gained(rentPayer, 0), able ? rest : 0n, label);
    if (verdict.next.vault === null) assert.equal(after.vault, null, `${label}: a native vault closes`);
  }

  #recordClosed(
    paid: Paid,
    held: ReadonlyMap<Address, readonly [bigint, bigint]>,
    now: ReadonlyMap<Address, readonly [bigint, bigint]>,
  ): void {
    const record = paid.payment.address;
    for (const [at, [lamports]] of now) {
      const gained = lamports - held.get(at)![0];
      if (at === record) assert.ok(gained <= 0n);
      else if (at === paid.payment.rentPayer) assert.equal(gained, held.get(record)![0] - now.get(record)![0]);
      else assert.equal(gained, 0n);
    }
  }

  #count(what: string): void {
    this.met.set(what, (this.met.get(what) ?? 0) + 1);
  }
}

const pick = <Item>(items: readonly Item[], number: number): Item => items[number % items.length]!;
const text = (sent: Sent): string => (sent.ok ? "" : sent.text);

/** Lamports, and tokens if it is an account of this token's program. */
function look(chain: Chain, token: Token, at: Address): readonly [lamports: bigint, tokens: bigint] {
  const account = chain.svm.getAccount(at);
  if (!account.exists) return [0n, 0n];
  const { data } = account;
  const holds = account.programAddress === token.tokenProgram && data.length >= 165;
  return [account.lamports, holds ? new DataView(data.buffer, data.byteOffset).getBigUint64(64, true) : 0n];
}

const isFrozen = (chain: Chain, at: Address): boolean => chain.data(at)?.[108] === 2;

/** What the world may refuse to a stranger's whim: an account that is not there, frozen, or too poor. */
function ignoreRefusal(error: unknown): void {
  if (!(error instanceof Error) || !/refused:/.test(error.message)) throw error;
}

function ignoreThrown(act: () => void): void {
  try {
    act();
  } catch (error) {
    ignoreRefusal(error);
  }
}
