import assert from "node:assert/strict";
import {
  PAYMENT_ACCOUNT_SIZE,
  type PaymentRef,
  type ProgramInstruction,
  type Side,
  SYSTEM_PROGRAM_ID,
  TOMBSTONE_ACCOUNT_SIZE,
} from "@holdfast/escrow-client";
import type { AccountMeta, Address, MaybeEncodedAccount } from "@solana/kit";
import {
  AMOUNT,
  anyAddress,
  aWorld,
  type Chain,
  freeze,
  give,
  type Paid,
  pay,
  RENT_PRICE,
  START,
  signer,
  type Token,
  thaw,
  tokenAccountOf,
  tokenInstruction,
  UNREADABLE,
  type World,
  writable,
} from "../chain.ts";
import { bytesOf } from "../message.ts";
import { anIssuerMint, pause, resume, setHook, unsetHook } from "../mints.ts";
import {
  assignAway,
  close,
  emptyWallet,
  makeExecutable,
  makeHuge,
  offCurveAddress,
  payOut,
  RETENTION,
  replaceRole,
} from "../scenario.ts";
import { ENDINGS, type Grouping, type Kind, type Obstacle, type RentChange } from "./axes.ts";

export const ROLES = ["sender", "recipient", "rent payer", "arbiter"] as const;
const PRICES: Readonly<Record<RentChange, bigint | typeof UNREADABLE>> = {
  "as before": RENT_PRICE,
  tenfold: RENT_PRICE * 10n,
  "a tenth": RENT_PRICE / 10n,
  unknown: UNREADABLE,
};

export interface Case {
  readonly grouping: Grouping;
  /** The kind of each group of roles, by its number. */
  readonly kinds: readonly Kind[];
  readonly ending: string;
  readonly obstacle: Obstacle;
  /** The rent before each step, the closing too; a missing entry leaves it as it is. */
  readonly rents: readonly RentChange[];
}

/** A payment between these four, with all that can be put back as it was when it had just been made. */
interface Setting {
  readonly paid: Paid & { readonly payment: PaymentRef };
  readonly wallets: readonly Address[];
  readonly accounts: Readonly<Record<Side, Address>>;
  readonly parts: Readonly<Record<Side, ProgramInstruction>>;
  readonly closing: { readonly signed: ProgramInstruction; readonly unsigned: ProgramInstruction };
  readonly kept: readonly MaybeEncodedAccount[];
  /** The wallets that are programs; each took a real deployment. */
  readonly executable: Map<Address, MaybeEncodedAccount>;
}

/** Takes payments to their end on one chain, and checks every token and lamport. */
export class KindCases {
  readonly #world: World;
  readonly #hookAccounts: readonly AccountMeta[];
  /** Before anything was done to it. */
  readonly #mint: MaybeEncodedAccount;
  readonly #settings = new Map<string, Setting>();
  /** Lamports a byte; null if the program cannot read it. */
  #price: bigint | null = RENT_PRICE;
  #made = 0;

  private constructor(world: World, hookAccounts: readonly AccountMeta[]) {
    this.#world = world;
    this.#hookAccounts = hookAccounts;
    this.#mint = world.chain.svm.getAccount(world.token.mint);
  }

  static async create(): Promise<KindCases> {
    const world = await aWorld({ token: anIssuerMint });
    const hookAccounts = await setHook(world.chain, world.token, []);
    world.chain.done(unsetHook(world.token));
    return new KindCases(world, hookAccounts);
  }

  /** Decisions, parts and the closing. */
  stepsOf(ending: string): number {
    const { decisions, parts } = ENDINGS[ending]!;
    return decisions({ chain: this.#world.chain, payment: this.#world.offer } as unknown as Paid).length + parts.length;
  }

  async run(one: Case): Promise<void> {
    const { chain } = this.#world;
    const label = JSON.stringify(one);
    const setting = await this.#settingOf(one);
    const { paid, wallets, accounts, parts } = setting;
    const { decisions, parts: due, back } = ENDINGS[one.ending]!;
    this.#putBack(setting.kept);
    for (const [group, wallet] of wallets.entries()) await this.#turn(setting, wallet, one.kinds[group]!);
    const { address, rentPayer } = paid.payment;
    const price = (step: number) => this.#setPrice(PRICES[one.rents[step] ?? "as before"]);
    const tokens = () => [chain.tokens(accounts.sender), chain.tokens(accounts.recipient)] as const;
    const purse = () => chain.balance(rentPayer) + chain.balance(paid.vault) + chain.balance(address);
    const others = wallets.filter((wallet) => wallet !== rentPayer);
    const rest = () => others.map((wallet) => chain.balance(wallet));
    const [had, sum, theirs] = [tokens(), purse(), rest()];
    let step = 0;

    const relieve = this.#obstruct(one.obstacle, setting);
    for (const decision of decisions(paid)) {
      price(step++);
      const sent = chain.send(decision);
      assert.ok(sent.ok, `${label}: a decision is refused: ${sent.ok ? "" : (chain.nameOf(sent) ?? sent.text)}`);
    }
    relieve();
    const hook = one.obstacle === "a hook set" ? this.#hookAccounts : [];
    for (const [side, at] of due) {
      price(step++);
      chain.setTime(at);
      const part = parts[side];
      const [vaultRent, before] = [chain.balance(paid.vault), chain.balance(rentPayer)];
      const sent = chain.send({ ...part, accounts: [...part.accounts, ...hook] });
      assert.ok(sent.ok, `${label}: a part is refused: ${sent.ok ? "" : (chain.nameOf(sent) ?? sent.text)}`);
      const { status } = chain.payment(address);
      if (status !== "released" && status !== "refunded") continue;
      const closes = !chain.exists(paid.vault);
      assert.equal(
        closes,
        this.#canHold(rentPayer, before + vaultRent),
        `${label}: the vault closes if its payer can have the rent`,
      );
    }
    const now = tokens();
    assert.deepEqual([now[0] - had[0], now[1] - had[1]], [back, AMOUNT - back], `${label}: each side its part`);
    assert.equal(purse(), sum, `${label}: lamports stay between the rent payer and what they paid for`);
    assert.deepEqual(rest(), theirs, `${label}: and nobody else has more or less`);

    price(step);
    chain.setTime(chain.time + RETENTION);
    const expected = this.#closing(paid);
    const closed = chain.send(setting.closing.unsigned);
    const answer = closed.ok ? null : (chain.nameOf(closed) ?? "another program's");
    assert.equal(answer, expected, `${label}: closing by a stranger`);
    if (expected !== null && this.#price !== null) chain.done(setting.closing.signed);
    assert.equal(purse(), sum, `${label}: closing burns nothing`);
    assert.deepEqual(rest(), theirs, `${label}: and gives nobody else anything`);
  }

  #setPrice(price: bigint | typeof UNREADABLE): void {
    this.#price = price === UNREADABLE ? null : price;
    this.#world.chain.setRent(price);
  }

  /** Returns true when an account as large as this wallet may hold `lamports`, at a price that the program can read. */
  #canHold(wallet: Address, lamports: bigint): boolean {
    const size = this.#world.chain.look(wallet)?.data().length ?? 0;
    return this.#price !== null && lamports >= (128n + BigInt(size)) * this.#price;
  }

  #closing(paid: Paid): string | null {
    const { chain } = this.#world;
    const price = this.#price;
    if (chain.exists(paid.vault)) return "vault_open";
    if (price === null) return "another program's";
    const [held, minimum] = [chain.balance(paid.payment.address), (128n + BigInt(PAYMENT_ACCOUNT_SIZE)) * price];
    if (held < minimum) return "rent_risen";
    const freed = held - (128n + BigInt(TOMBSTONE_ACCOUNT_SIZE)) * price;
    return this.#canHold(paid.payment.rentPayer, chain.balance(paid.payment.rentPayer) + freed)
      ? null
      : "rent_payer_short";
  }

  async #settingOf({ grouping, kinds }: Case): Promise<Setting> {
    const groups = [...new Set(grouping)];
    const onNoCurve = groups.map((group) => kinds[group] === "on no curve");
    const key = `${grouping} ${onNoCurve}`;
    const known = this.#settings.get(key) ?? (await this.#make(grouping, onNoCurve));
    this.#settings.set(key, known);
    return known;
  }

  async #make(grouping: Grouping, onNoCurve: readonly boolean[]): Promise<Setting> {
    const { chain, token } = this.#world;
    this.#putBack([this.#mint]);
    const wallets: Address[] = [];
    for (const off of onNoCurve) wallets.push(off ? await offCurveAddress() : anyAddress());
    for (const wallet of wallets) chain.fund(wallet);
    const [sender, recipient, payer, arbiter] = grouping.map((group) => wallets[group]!) as [
      Address,
      Address,
      Address,
      Address,
    ];
    await give(chain, token, sender, AMOUNT);
    await give(chain, token, recipient, 0n);
    replaceRole(this.#world, "arbiter", arbiter, true);
    this.#made += 1;
    const paid = await pay(this.#world, { sender, recipient, payer, arbiter, paymentId: BigInt(this.#made) });
    const accounts = { sender: await tokenAccountOf(token, sender), recipient: await tokenAccountOf(token, recipient) };
    const touched = [paid.payment.address, paid.vault, ...Object.values(accounts), token.mint, ...wallets];
    const kept = touched.map((at) => chain.svm.getAccount(at));
    const parts = { sender: await payOut(paid, "sender"), recipient: await payOut(paid, "recipient") };
    const closing = { signed: await close(paid, true), unsigned: await close(paid) };
    return { paid, wallets, accounts, parts, closing, kept, executable: new Map() };
  }

  #putBack(kept: readonly MaybeEncodedAccount[]): void {
    const { chain } = this.#world;
    this.#setPrice(RENT_PRICE);
    chain.setTime(START);
    for (const account of kept) {
      if (account.exists) chain.svm.setAccount(account);
      else remove(chain, account.address);
    }
  }

  async #turn(setting: Setting, wallet: Address, kind: Kind): Promise<void> {
    const { chain } = this.#world;
    switch (kind) {
      case "executable": {
        const known = setting.executable.get(wallet);
        if (known?.exists) chain.svm.setAccount(known);
        else await makeExecutable(chain, wallet);
        setting.executable.set(wallet, known ?? chain.svm.getAccount(wallet));
        break;
      }
      case "emptied":
        emptyWallet(chain, wallet);
        break;
      case "assigned away":
        assignAway(chain, wallet);
        break;
      case "ten megabytes":
        makeHuge(chain, wallet);
        break;
    }
  }

  /** Puts the obstacle in the way of all tokens; returns a function that removes it. */
  #obstruct(obstacle: Obstacle, { paid, accounts }: Setting): () => void {
    const { chain, token } = this.#world;
    switch (obstacle) {
      case "none":
        return () => {};
      case "the vault frozen":
        chain.done(freeze(token, paid.vault));
        return () => {
          chain.done(thaw(token, paid.vault));
        };
      case "the mint paused":
        chain.done(pause(token));
        return () => {
          chain.done(resume(token));
        };
      case "a hook set":
        // The hook stays; the parts are given its accounts.
        chain.done(nameHook(token, this.#hookAccounts.at(-1)!.address));
        return () => {};
      case "no token account": {
        const gone = Object.values(accounts).map((at) => chain.svm.getAccount(at));
        for (const { address } of gone) remove(chain, address);
        return () => {
          for (const account of gone) if (account.exists) chain.svm.setAccount(account);
        };
      }
    }
  }
}

const nameHook = (token: Token, hook: Address) =>
  tokenInstruction(token, [writable(token.mint), signer(token.authority)], [36, 1, ...bytesOf(hook)]);

function remove(chain: Chain, at: Address): void {
  const nothing = { programAddress: SYSTEM_PROGRAM_ID, data: new Uint8Array(), executable: false, space: 0n };
  chain.svm.setAccount({ ...nothing, address: at, lamports: 0n as never });
}
