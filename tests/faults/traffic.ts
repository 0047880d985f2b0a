import { setTimeout as sleep } from "node:timers/promises";
import { RpcFailure } from "../../devnet/client.ts";
import type { LocalWallet } from "../../devnet/wallets.ts";
import { act, newBuyer, pay } from "../harness/chain.ts";
import type { Answer } from "../harness/http.ts";
import type { Merchant, Wire } from "../harness/merchant.ts";
import { someTerms } from "../harness/merchant.ts";
import type { Service } from "../harness/service.ts";
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

/** Merchants and buyers who keep at it while everything around them breaks, as their own software would. */
export class Traffic {
  /** Intents whose creation was acknowledged, with the payments made for each that the chain confirmed. */
  readonly paid = new Map<string, string[]>();
  readonly signatures: string[] = [];
  readonly answers = new Map<string, number>();
  payments = 0;
  disputes = 0;
  resolutions = 0;
  retries = 0;
  readonly #service: Service;
  readonly #shop: Merchant;
  readonly #options: TrafficOptions;
  #going = true;
  #orders = 0;

  constructor(service: Service, shop: Merchant, options: TrafficOptions) {
    this.#service = service;
    this.#shop = shop;
    this.#options = options;
  }

  stop(): void {
    this.#going = false;
  }

  /** Resolves when the payments are made, or after {@link stop}. */
  async run(): Promise<void> {
    const { buyers } = this.#options;
    await Promise.all(Array.from({ length: buyers }, async () => this.#buy(await newBuyer(this.#service))));
  }

  async #buy(buyer: LocalWallet): Promise<void> {
    const { random, payments } = this.#options;
    while (this.#going && this.payments < payments) {
      this.payments++;
      const intent = await this.#create();
      const done = await this.#onChain(() => pay(this.#service, intent, { buyer }));
      this.paid.set(intent.id, [...(this.paid.get(intent.id) ?? []), done.payment]);
      this.signatures.push(done.signature);
      if (random.chance(0.6)) await this.#confirm(intent, done.signature);
      if (random.chance(0.1)) await this.#payAgain(intent);
      if (random.chance(0.3)) await this.#dispute(buyer, done.payment);
      else if (random.chance(0.2)) await this.#onChain(() => act(this.#service, buyer, "release", done.payment));
    }
  }

  /** Repeated under one Idempotency-Key until an answer comes: made once, however often it was asked for. */
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

  async #confirm(intent: Wire, signature: string): Promise<void> {
    const answer = await this.#untilAnswered(() => this.#shop.confirm(intent.id, signature));
    const said = answer.json?.outcome ?? answer.json?.error?.code ?? String(answer.status);
    this.answers.set(said, (this.answers.get(said) ?? 0) + 1);
    if (answer.status !== 200) throw new Error(`The confirmation was refused: ${answer.text}`);
  }

  async #payAgain(intent: Wire): Promise<void> {
    const other = this.#options.random.pick(["buyer-1", "buyer-2", "buyer-3"]);
    const done = await this.#onChain(() => pay(this.#service, intent, { buyer: this.#service.wallets[other] }));
    this.paid.get(intent.id)!.push(done.payment);
    this.signatures.push(done.signature);
  }

  async #dispute(buyer: LocalWallet, payment: string): Promise<void> {
    const done = await this.#onChain(() => act(this.#service, buyer, "dispute", payment)).catch(ignoreRefusal);
    if (done === null) return;
    this.disputes++;
    if (!this.#options.random.chance(0.7)) return;
    const end = this.#options.random.pick(["resolve_release", "resolve_refund"]);
    await this.#onChain(() => act(this.#service, this.#service.wallets.arbiter, end, payment));
    this.resolutions++;
  }

  /** No connection, or an answer that says to come back: the same again. */
  async #untilAnswered(ask: () => Promise<Answer>): Promise<Answer> {
    for (let tries = 1; ; tries++) {
      const answer = await ask().catch(() => null);
      const code = answer?.json?.error?.code;
      if (answer !== null && answer.status < 500 && code !== "idempotency_in_progress") {
        const later = code === "signature_unverified" && answer.json.error.retryable === true;
        if (!later) return answer;
      }
      if (answer?.status === 500) throw new Error(`A bug of the service: ${answer.text}`);
      if (tries >= TRIES_MAX || !this.#going) throw new Error(`No answer after ${tries} tries: ${answer?.text ?? "no connection"}`);
      this.retries++;
      await sleep(TRY_AGAIN_MS);
    }
  }

  /** A chain that is away for a while is asked again, and the transaction made anew. */
  async #onChain<Result>(work: () => Promise<Result>): Promise<Result> {
    for (let tries = 1; ; tries++) {
      try {
        return await work();
      } catch (error) {
        const isAway = error instanceof TypeError || /blockhash not found|fetch failed/i.test(String(error));
        if (!isAway || tries >= TRIES_MAX || !this.#going) throw error;
        this.retries++;
        await sleep(TRY_AGAIN_MS);
      }
    }
  }
}

/** The clock was moved past the deadline, or it was settled: there is nothing left to dispute. */
function ignoreRefusal(error: unknown): null {
  if (error instanceof RpcFailure) return null;
  throw error;
}
