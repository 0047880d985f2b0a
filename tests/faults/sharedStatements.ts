import assert from "node:assert/strict";
import { newSecretKey } from "../../server/domain/secretKeys.ts";
import { endKey, insertKey } from "../../server/features/keys/queries.ts";
import { sql } from "../../server/store/sql.ts";
import { checkSequences } from "../harness/expectEvents.ts";
import type { Answer } from "../harness/http.ts";
import { type Merchant, merchantOf, newMerchant, type Wire } from "../harness/merchant.ts";
import { Random } from "./random.ts";
import { type OpenService, startOpenService } from "./serviceDatabase.ts";

const SHOPS = 3;
const LIMIT = 6;
const TRIES_MAX = 3;
const ABSENT = `pi_test_${"0".repeat(36)}`;

/** A request that has its final answer under its key, and that answer. */
interface Kept {
  readonly shop: Merchant;
  readonly key: string;
  readonly body: unknown;
  readonly answer: string;
}

interface Made {
  readonly shop: Merchant;
  readonly id: string;
  readonly reference: string;
}

/**
 * Sends a group of requests at once. The returned function is called when all requests of the round are answered, in their
 * order.
 */
type Send = () => Promise<() => string>;

/**
 * The side of one service in a scenario: rounds of requests, all of a round sent at once. A seed gives every service the same
 * requests in the same order. Words describe the outcome of a group of requests; where chance decides the winner, they say
 * what must hold for any winner.
 */
class Side {
  readonly service: OpenService;
  readonly #recipient: string;
  readonly #random: Random;
  readonly #shops: Merchant[] = [];
  #revoked!: Merchant;
  /** Open intents that are only ever read, and those that may still be canceled. */
  readonly #still: Made[] = [];
  readonly #open: Made[] = [];
  readonly #canceled: Made[] = [];
  readonly #kept: Kept[] = [];
  #orders = 0;
  /** Answers that came too late. */
  late = 0;

  constructor(service: OpenService, recipient: string, seed: number) {
    this.service = service;
    this.#recipient = recipient;
    this.#random = new Random(seed);
  }

  async open(): Promise<void> {
    for (let shop = 0; shop < SHOPS; shop++) this.#shops.push(this.#counting(await newMerchant(this.service)));
    const { database } = this.service;
    const { business } = this.#shops[0]!;
    const issued = (await insertKey(database, business, "test", { ratePerMinute: 1_000_000 }))!;
    assert.ok(await endKey(database, business, issued.key.id));
    this.#revoked = this.#counting({ business, keyId: issued.key.id, key: issued.secret });
  }

  #counting({ business, keyId, key }: Pick<Merchant, "business" | "keyId" | "key">): Merchant {
    return merchantOf(this.service, business, keyId, key, ({ status }) => {
      if (status === 503) this.late++;
    });
  }

  /** Sends a round; returns a line for each group, in order. */
  async round(groups: number): Promise<string[]> {
    // All groups are drawn before any is sent, so that no answer can change a request.
    const drawn = Array.from({ length: groups }, () => this.#draw());
    const limited = this.#random.chance(0.3) ? await this.#drawLimited() : [];
    const answered = await Promise.all([...drawn, ...limited].map((send) => send()));
    return answered.map((tell) => tell());
  }

  #draw(): Send {
    const draws = [
      () => this.#drawCreates(),
      () => this.#drawSameReference(),
      () => this.#drawSameKey(),
      () => this.#drawKeyOfAnother(),
      () => this.#drawReplay(),
      () => this.#drawInvalid(),
      () => this.#drawStrangers(),
      () => this.#drawGets(),
      () => this.#drawCancels(),
      () => this.#drawReuse(),
    ] as const;
    return this.#random.pick(draws)();
  }

  #shop(): Merchant {
    return this.#shops[this.#random.whole(0, SHOPS - 1)]!;
  }
  #terms(reference = `r-${++this.#orders}`, amount = String(this.#random.whole(1, 1_000))) {
    const metadata = { order: reference, note: this.#random.pick(["", "ä 😀", "1e3"]) };
    const [recipient, asset] = [this.#recipient, this.service.asset];
    return { recipient, amount, asset, protectionPeriod: "oneDay", merchantReference: reference, metadata };
  }
  #key(): string {
    return `k-${++this.#orders}`;
  }
  /**
   * Draws a key for each request of a group, or for none of them: with keys for some, chance would decide whether the winner
   * has one.
   */
  #keys(count: number): (string | null)[] {
    const keyed = this.#random.chance(0.5);
    return Array.from({ length: count }, () => (keyed ? this.#key() : null));
  }
  #create(shop: Merchant, body: unknown, key: string | null = null): Promise<Answer> {
    return shop.call("POST", "/payment-intents", body, key === null ? [] : [["Idempotency-Key", key]]);
  }
  /** Removes and returns one, so that no other group of this round has it. */
  #take<Item>(from: Item[]): Item | null {
    return from.length === 0 ? null : from.splice(this.#random.whole(0, from.length - 1), 1)[0]!;
  }

  #drawCreates(): Send {
    const requests = Array.from({ length: this.#random.whole(1, 8) }, () => ({
      shop: this.#shop(),
      body: this.#terms(),
      key: this.#random.chance(0.6) ? this.#key() : null,
    }));
    return async () => {
      const answers = await Promise.all(requests.map(({ shop, body, key }) => this.#create(shop, body, key)));
      return () => {
        answers.forEach((answer, index) => {
          const { shop, body, key } = requests[index]!;
          const made = { shop, id: answer.json.id, reference: body.merchantReference };
          if (answer.status === 201) (index % 3 === 0 ? this.#still : this.#open).push(made);
          if (key !== null) this.#kept.push({ shop, key, body, answer: answer.text });
        });
        return said("creates", answers.map(inWords));
      };
    };
  }

  /** Exactly one request creates the intent; the others are told which. */
  #drawSameReference(): Send {
    const [shop, body] = [this.#shop(), this.#terms()];
    const keys = this.#keys(this.#random.whole(2, 6));
    return async () => {
      const answers = await Promise.all(keys.map((key) => this.#create(shop, body, key)));
      const winner = answers.find(({ status }) => status === 201)?.json.id;
      for (const { status, json } of answers) if (status === 409) assert.equal(json.error.intent, winner);
      return () => said("same reference", answers.map(inWords).sort());
    };
  }

  /** Exactly one request has an effect. The others are refused at once, or come late enough to get its answer again. */
  #drawSameKey(): Send {
    const [shop, key] = [this.#shop(), this.#key()];
    const body = this.#terms();
    const others = this.#random.chance(0.5);
    const bodies = Array.from({ length: this.#random.whole(2, 6) }, () => (others ? this.#terms() : body));
    return async () => {
      const answers = await Promise.all(bodies.map((one) => this.#create(shop, one, key)));
      const first = answers.filter((answer) => answer.status === 201 && !isReplay(answer));
      assert.equal(first.length, 1, answers.map(inWords).join("\n"));
      for (const answer of answers) {
        if (answer === first[0]) continue;
        if (isReplay(answer)) assert.ok(!others && answer.text === first[0]!.text);
        else {
          const allowed = others ? ["idempotency_in_progress", "idempotency_conflict"] : ["idempotency_in_progress"];
          assert.ok(allowed.includes(answer.json?.error?.code), inWords(answer));
        }
      }
      return () => said(`same key, ${others ? "other bodies" : "same body"}`, [`one of ${answers.length} made`]);
    };
  }

  /** Keys of different businesses are independent. */
  #drawKeyOfAnother(): Send {
    const [key, body] = [this.#key(), this.#terms()];
    return async () => {
      const answers = await Promise.all(this.#shops.map((shop) => this.#create(shop, body, key)));
      assert.equal(new Set(answers.map(({ json }) => json.id)).size, SHOPS);
      return () => said("one key in every shop", answers.map(inWords));
    };
  }

  #drawReplay(): Send {
    const kept = this.#take(this.#kept);
    if (kept === null) return this.#drawCreates();
    const other = this.#random.chance(0.4) ? this.#terms() : null;
    return async () => {
      const answer = await this.#create(kept.shop, other ?? kept.body, kept.key);
      if (other === null) assert.deepEqual([isReplay(answer), answer.text], [true, kept.answer]);
      else assert.equal(answer.json.error.code, "idempotency_conflict");
      return () => said("used key", [inWords(answer)]);
    };
  }

  #drawInvalid(): Send {
    const shop = this.#shop();
    const terms = this.#terms();
    const body = this.#random.pick<unknown>([
      { ...terms, amount: "0" },
      { ...terms, amount: 5 },
      { ...terms, recipient: "0OIl" },
      { ...terms, protectionPeriod: "oneWeek" },
      { ...terms, merchantReference: undefined },
      { ...terms, metadata: { text: "\u0000" } },
      "{",
      "[]",
    ]);
    const key = this.#random.chance(0.5) ? this.#key() : null;
    return async () => {
      const answer = await this.#create(shop, body, key);
      return () => {
        if (key !== null && answer.json.error.code === "invalid_request")
          this.#kept.push({ shop, key, body, answer: answer.text });
        return said("invalid", [inWords(answer)]);
      };
    };
  }

  #drawStrangers(): Send {
    const key = newSecretKey({ businessId: "biz_0", environment: "test" });
    const unknown = this.#counting({ business: "", keyId: "", key });
    const callers = Array.from({ length: this.#random.whole(1, 4) }, () =>
      this.#random.chance(0.5) ? unknown : this.#revoked,
    );
    const body = this.#terms();
    return async () => {
      const answers = await Promise.all(callers.map((one) => this.#create(one, body)));
      return () => said("strangers", answers.map(inWords));
    };
  }

  #drawGets(): Send {
    const shop = this.#shop();
    const ids = Array.from({ length: this.#random.whole(1, 8) }, () => {
      const made = this.#still[this.#random.whole(0, Math.max(0, this.#still.length - 1))];
      return made === undefined || this.#random.chance(0.2) ? ABSENT : made.id;
    });
    return async () => {
      const answers = await Promise.all(ids.map((id) => shop.get(`/payment-intents/${id}`)));
      return () => said("gets", answers.map(inWords));
    };
  }

  #drawCancels(): Send {
    const made = this.#take(this.#open);
    if (made === null) return this.#drawCreates();
    const shop = this.#random.chance(0.8) ? made.shop : this.#shop();
    const keys = this.#keys(this.#random.whole(1, 4));
    const path = `/payment-intents/${made.id}/cancel`;
    return async () => {
      const answers = await Promise.all(
        keys.map((key) => shop.call("POST", path, undefined, key === null ? [] : [["Idempotency-Key", key]])),
      );
      return () => {
        if (shop === made.shop) this.#canceled.push(made);
        return said("cancels", answers.map(inWords).sort());
      };
    };
  }

  /** A reference is free again when its intent is canceled, and not before. */
  #drawReuse(): Send {
    const isFree = this.#random.chance(0.5);
    const made = this.#take(isFree ? this.#canceled : this.#open);
    if (made === null) return this.#drawCreates();
    const key = this.#random.chance(0.5) ? this.#key() : null;
    const body = this.#terms(made.reference);
    return async () => {
      const answer = await this.#create(made.shop, body, key);
      assert.equal(answer.status, isFree ? 201 : 409, answer.text);
      return () => said("reuse", [inWords(answer)]);
    };
  }

  /** A new key's first minute: exactly the limit passes, unless the minute ends in between. */
  async #drawLimited(): Promise<Send[]> {
    const over = this.#random.whole(1, 6);
    const limited = this.#counting(await newMerchant(this.service, { rate: LIMIT }));
    return [
      async () => {
        const answers = await Promise.all(Array.from({ length: LIMIT + over }, () => limited.get("/me")));
        const resets = answers.map(({ headers }) => Number(headers["ratelimit-reset"]));
        const turned = Math.max(...resets) - Math.min(...resets) > 30;
        const refused = answers.filter(({ status }) => status === 429).length;
        assert.ok(turned || refused === over, `${refused} refused of ${answers.length}`);
        return () => said("limited", [`${over} refused`]);
      },
    ];
  }

  /** The rows left in the tables, a line each. */
  async end(): Promise<string[]> {
    const lines: string[] = [];
    for (const shop of this.#shops) {
      const events = await checkSequences(shop);
      const [counts] = await this.service.database.rows<Wire>(sql`
        select
          (select json_agg(i order by i.status, i.holds_reference) from (
            select status, holds_reference, count(*) from intents where business_id = ${shop.business} group by 1, 2) i) as intents,
          (select json_agg(e order by e.type) from (
            select type, count(*), count(distinct intent_id) as intents from events
            where business_id = ${shop.business} group by 1) e) as events,
          (select json_agg(k order by k.status) from (
            select status, count(*), count(distinct fingerprint) as requests from idempotency_keys
            where business_id = ${shop.business} group by 1) k) as kept,
          (select count(*)::integer from event_keys where business_id = ${shop.business}) as event_keys,
          (select last_sequence::integer from event_counters
            where business_id = ${shop.business} and environment = 'test') as last_sequence`);
      const created = counts.events.find((row: Wire) => row.type === "payment_intent.created").count;
      assert.deepEqual([counts.last_sequence, counts.event_keys], [events, events - created]);
      lines.push(JSON.stringify(counts));
    }
    return lines;
  }
}

const isReplay = ({ headers }: Answer): boolean => headers["idempotent-replayed"] === "true";

const said = (what: string, lines: readonly string[]): string => [what, ...lines].join("\n  ");

/** The answer without the parts that differ from run to run: ids, times, ports. */
function inWords(answer: Answer): string {
  const text = answer.text
    .replaceAll(/pi_test_[0-9a-z]{4}[0-9a-f]{32}/g, "pi")
    .replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, "time")
    .replaceAll(/"paymentId":"\d+"/g, '"paymentId":"number"')
    .replaceAll(/localhost:\d+/g, "localhost");
  return `${answer.status}${isReplay(answer) ? " again" : ""} ${text}`;
}

export interface SharedStatementsOptions {
  readonly seed: number;
  readonly scenarios: number;
  readonly rounds: number;
  /** Groups of requests that are sent at once. */
  readonly groups: number;
}

/** Two services that differ in one setting: the first shares no statement between requests. */
export const startSides = (): Promise<OpenService[]> =>
  Promise.all([
    startOpenService({ env: { BATCH_ITEMS_MAX: "1" } }),
    // The setting is explicit, since the whole run may have batching off.
    startOpenService({ env: { BATCH_ITEMS_MAX: "100" } }),
  ]);

/**
 * Sends the same random requests to two services that differ in one setting, `BATCH_ITEMS_MAX`: their answers and their
 * tables must be the same.
 */
export async function runBatching(
  services: readonly OpenService[],
  { seed, scenarios, ...size }: SharedStatementsOptions,
): Promise<Record<string, number>> {
  let compared = 0;
  for (let scenario = 0; scenario < scenarios; scenario++)
    for (let tries = 1; ; tries++) {
      const sides = services.map((service) => new Side(service, services[0]!.recipient, seed + scenario));
      const failure = await compare(sides, seed + scenario, size).then(
        (count) => {
          compared += count;
          return null;
        },
        (error: unknown) => error,
      );
      if (failure === null) break;
      // The sides cannot be compared after a busy machine answered some requests too late.
      if (tries === TRIES_MAX || sides.every(({ late }) => late === 0)) throw failure;
    }
  return { scenarios, rounds: scenarios * size.rounds, "groups compared": compared };
}

/** Returns the number of groups. */
async function compare(
  sides: readonly Side[],
  seed: number,
  { rounds, groups }: Pick<SharedStatementsOptions, "rounds" | "groups">,
): Promise<number> {
  let compared = 0;
  await Promise.all(sides.map((side) => side.open()));
  for (let round = 0; round < rounds; round++) {
    const [alone, batched] = await Promise.all(sides.map((side) => side.round(groups)));
    alone!.forEach((words, group) => {
      const where = `seed ${seed}, round ${round + 1}, group ${group + 1}`;
      assert.equal(`${where}: ${batched![group]}`, `${where}: ${words}`);
    });
    compared += alone!.length;
  }
  const [alone, batched] = await Promise.all(sides.map((side) => side.end()));
  assert.deepEqual([`seed ${seed}`, ...batched!], [`seed ${seed}`, ...alone!]);
  return compared;
}
