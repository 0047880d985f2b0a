import { setTimeout as sleep } from "node:timers/promises";
import { type ActOptions, draftPayment, type PaymentAction } from "@holdfast/devnet/buyer.ts";
import { awaitSignature, RpcCallError, sendWire } from "@holdfast/devnet/client.ts";
import type { LocalWallet } from "@holdfast/devnet/wallets.ts";
import { act, newBuyer } from "../harness/chain.ts";
import type { Answer } from "../harness/http.ts";
import { type Merchant, someTerms, type Wire } from "../harness/merchant.ts";
import type { RunningService } from "../harness/service.ts";
import type { Random } from "./random.ts";

export interface TrafficOptions {
  readonly random: Random;
  /** Payments to make in all. */
  readonly payments: number;
  /** Buyers who pay at the same time. */
  readonly buyers: number;
}

const TRY_AGAIN_MS = 50;
const TRIES_MAX = 2_000;
const CONFIRMED_MS_MAX = 3_000;
/** The chain was down, or came back without its unconfirmed transactions. */
const AWAY = /fetch failed|blockhash not found|is not confirmed after|is gone/i;

/** The payments of a buyer before another takes over: its funds end. */
const PAYMENTS_OF_BUYER = 100;

/** Repeats the same request while there is no connection, or the answer says to try again; throws on a bug, or when nothing goes on. */
export async function untilAnswered(
  ask: () => Promise<Answer>,
  isGoing: () => boolean,
  onRetry: () => void,
): Promise<Answer> {
  for (let tries = 1; ; tries++) {
    let failure: unknown = null;
    const answer = await ask().catch((error: unknown) => {
      failure = error;
      return null;
    });
    const error = answer?.json?.error;
    const again = answer === null || answer.status > 500 || error?.code === "idempotency_in_progress";
    if (!again && error?.retryable !== true) {
      if (answer.status === 500) throw new Error(`A bug of the service: ${answer.text}`);
      return answer;
    }
    if (tries >= TRIES_MAX || !isGoing())
      throw new Error(`No answer after ${tries} tries: ${answer?.text}`, { cause: failure });
    onRetry();
    await sleep(TRY_AGAIN_MS);
  }
}

/** Merchants and buyers that go on while everything around them breaks, as their own software would. */
export class Traffic {
  /** Intents whose creation was acknowledged, with the payments made for each that the chain confirmed. */
  readonly paid = new Map<string, string[]>();
  /** Transactions that a buyer saw confirmed. */
  readonly confirmed: string[] = [];
  readonly answers = new Map<string, number>();
  payments = 0;
  /** Creates that were acknowledged. */
  created = 0;
  disputes = 0;
  resolutions = 0;
  retries = 0;
  /** Requests without an answer, and payments and acts that the chain has not confirmed. */
  unanswered = 0;
  unconfirmed = 0;
  readonly #service: RunningService;
  readonly #shop: Merchant;
  readonly #options: TrafficOptions;
  #allowed = 0;
  #gate = Promise.withResolvers<void>();
  #going = true;
  #most: number;
  #orders = 0;

  constructor(service: RunningService, shop: Merchant, options: TrafficOptions) {
    this.#service = service;
    this.#shop = shop;
    this.#options = options;
    this.#most = options.payments;
  }

  /** Lets buyers go on until this many payments are made, so that the faults meet traffic to the last. */
  allow(payments: number): void {
    this.#allowed = payments;
    this.#gate.resolve();
    this.#gate = Promise.withResolvers();
  }

  stop(): void {
    this.#going = false;
    this.#gate.resolve();
  }

  /** Lets each buyer end what it has begun. */
  finish(): void {
    this.#most = this.payments;
    this.#gate.resolve();
  }

  /** Resolves when the payments are made, or after {@link stop}. */
  async run(): Promise<void> {
    const { buyers } = this.#options;
    await Promise.all(Array.from({ length: buyers }, async () => this.#buy(await newBuyer(this.#service))));
  }

  async #buy(buyer: LocalWallet): Promise<void> {
    const { random } = this.#options;
    for (let paid = 0; this.#going && this.payments < this.#most; ) {
      if (this.payments >= this.#allowed) {
        await this.#gate.promise;
        continue;
      }
      this.payments++;
      if (++paid % PAYMENTS_OF_BUYER === 0) buyer = await this.#onChain(() => newBuyer(this.#service));
      const intent = await this.#create();
      this.created++;
      const { signature, payment } = await this.#pay(intent, buyer);
      if (random.chance(0.6)) await this.#confirm(intent, signature);
      if (random.chance(0.1))
        await this.#pay(intent, this.#service.wallets[random.pick(["buyer-1", "buyer-2", "buyer-3"])]);
      if (random.chance(0.3)) await this.#dispute(buyer, payment);
      else if (random.chance(0.2)) await this.#act(buyer, "release", payment);
    }
  }

  /** Creates an intent; repeats the request under one Idempotency-Key until an answer comes, so that it is created once. */
  async #create(): Promise<Wire> {
    const order = `kept-at-${++this.#orders}`;
    const period = this.#options.random.pick(["oneHour", "sevenDays"]);
    const terms = someTerms(this.#service, { merchantReference: order, protectionPeriod: period });
    const answer = await this.#untilAnswered(() =>
      this.#shop.call("POST", "/payment-intents", terms, [["Idempotency-Key", order]]),
    );
    if (answer.status !== 201) throw new Error(`The intent was refused: ${answer.text}`);
    return answer.json;
  }

  /** Pays, and waits until the chain has confirmed it. A lost transaction is made again, and still pays only once. */
  async #pay(intent: Wire, buyer: LocalWallet): Promise<{ signature: string; payment: string }> {
    const { rpcUrl } = this.#service;
    let earlier: string | null = null;
    const done = await this.#onChain(async () => {
      const { wire, signature, payment } = await draftPayment(this.#service, buyer, intent);
      const sent = await sendWire(rpcUrl, wire).then(
        () => signature,
        (error: unknown) => {
          // The earlier transaction had landed after all.
          if (error instanceof RpcCallError && /payment_exists/.test(error.message) && earlier !== null) return earlier;
          throw error;
        },
      );
      earlier = sent;
      await awaitSignature(rpcUrl, sent, "confirmed", CONFIRMED_MS_MAX);
      return { signature: sent, payment };
    });
    this.paid.set(intent.id, [...(this.paid.get(intent.id) ?? []), done.payment]);
    this.confirmed.push(done.signature);
    return done;
  }

  async #confirm(intent: Wire, signature: string): Promise<void> {
    const answer = await this.#untilAnswered(() => this.#shop.confirm(intent.id, signature));
    const said = answer.json?.outcome ?? answer.json?.error?.code ?? String(answer.status);
    this.answers.set(said, (this.answers.get(said) ?? 0) + 1);
    if (answer.status !== 200) throw new Error(`The confirmation was refused: ${answer.text}`);
  }

  async #dispute(buyer: LocalWallet, payment: string): Promise<void> {
    if (!(await this.#act(buyer, "dispute", payment))) return;
    this.disputes++;
    const end = this.#options.random.pick([null, "resolve_release", "resolve_refund", "resolve_split"]);
    const options = end === "resolve_split" ? { total: 1n } : {};
    if (end !== null && (await this.#act(this.#service.wallets.arbiter, end, payment, options))) this.resolutions++;
  }

  /** Returns false if the program refuses, because the clock was moved past the deadline or the step was done before. */
  async #act(wallet: LocalWallet, action: PaymentAction, payment: string, options: ActOptions = {}): Promise<boolean> {
    const done = await this.#onChain(() => act(this.#service, wallet, action, payment, options)).catch(
      (error: unknown) => {
        if (error instanceof RpcCallError) return null;
        throw error;
      },
    );
    if (done !== null) this.confirmed.push(done.signature);
    return done !== null;
  }

  async #untilAnswered(ask: () => Promise<Answer>): Promise<Answer> {
    this.unanswered++;
    return untilAnswered(
      ask,
      () => this.#going,
      () => void this.retries++,
    ).finally(() => this.unanswered--);
  }

  async #onChain<Result>(work: () => Promise<Result>): Promise<Result> {
    this.unconfirmed++;
    return this.#untilConfirmed(work).finally(() => this.unconfirmed--);
  }

  async #untilConfirmed<Result>(work: () => Promise<Result>): Promise<Result> {
    for (let tries = 1; ; tries++) {
      try {
        return await work();
      } catch (error) {
        if (!AWAY.test(String(error)) || tries >= TRIES_MAX || !this.#going) throw error;
        this.retries++;
        await sleep(TRY_AGAIN_MS);
      }
    }
  }
}
