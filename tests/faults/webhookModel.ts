import assert from "node:assert/strict";
import type { Tenant } from "../../server/domain/callers.ts";
import { draftEvent } from "../../server/features/events/event.ts";
import type { Claim } from "../../server/features/webhooks/delivery/claims.ts";
import { deliveryTime, setDeliveryTimeAhead } from "../../server/features/webhooks/delivery/clock.ts";
import { completeDeliveries, type Result } from "../../server/features/webhooks/delivery/completions.ts";
import { queueResend } from "../../server/features/webhooks/delivery/queueQueries.ts";
import {
  insertEndpoint,
  markDisabled,
  markEnabled,
  replaceSecret,
} from "../../server/features/webhooks/endpoints/queries.ts";
import { recordEvents } from "../../server/features/webhooks/fragments.ts";
import { newKeyRing, openSecret } from "../../server/features/webhooks/sending/secret.ts";
import { claimAlone } from "../../server/features/webhooks/testing/claiming.ts";
import { type EventFixture, openEventFixture } from "../../server/features/webhooks/testing/eventFixture.ts";
import type { Endpoint } from "../../server/features/webhooks/webhook.ts";
import { sql } from "../../server/store/sql.ts";
import { Random } from "./random.ts";

/** A delivery as the specification describes it; `dueAt` in ms, by the database's clock. */
interface ModelDelivery {
  attempts: number;
  dueAt: number;
  status: "pending" | "succeeded" | "abandoned";
  readonly endedAt: number[];
}

interface ModelEndpoint {
  readonly endpoint: Endpoint;
  readonly deliveries: Map<string, ModelDelivery>;
  /** Extra attempts that were requested and not made yet, by their id. */
  readonly resends: Map<string, string>;
  status: "enabled" | "disabled" | "failing";
  inARow: number;
  timesFailing: number;
  /** Valid secrets, the newest first, each with when it ends (ms). */
  secrets: { text: string; until: number }[];
  /** The probability that an attempt fails at present. */
  failing: number;
}

export interface ModelOptions {
  readonly seed: number;
  /** Endpoints, each with a random history of its own; side by side in one database. */
  readonly histories: number;
  readonly steps: number;
}

export interface ModelFigures extends Record<string, number> {
  readonly histories: number;
  readonly operations: number;
  readonly attempts: number;
  readonly daysSimulated: number;
}

const STEP_SECONDS = [1, 20, 60, 61, 300, 1_800, 7_200, 21_600, 43_200, 86_400] as const;
const WAITS_MS = [60, 300, 1_800, 7_200, 21_600, 43_200, 86_400, 86_400].map((seconds) => seconds * 1_000);
const PLACES = 64;
const SHARED_EVERY = 5;

/**
 * Plays random histories of recording, attempts, resends, disabling, enabling and rolls against the SQL of deliveries, with
 * the clock moved by hand, and compares every step with a model written from §6.4 and §6.7 alone. Throws at the first
 * difference.
 */
export async function runWebhookModel(options: ModelOptions): Promise<ModelFigures> {
  await using fixture = await openEventFixture();
  const model = new Model(fixture, options);
  await model.open();
  try {
    for (let step = 0; step < options.steps; step++) await model.step();
    await model.checkEnd();
  } finally {
    setDeliveryTimeAhead(0);
  }
  return model.figures();
}

const SIDE_BY_SIDE = 250;

/** Runs `histories` histories, some at a time, and adds up their figures. */
export async function runManyHistories({ seed, histories }: { readonly seed: number; readonly histories: number }) {
  const sum: Record<string, number> = {};
  for (let done = 0; done < histories; done += SIDE_BY_SIDE) {
    const count = Math.min(SIDE_BY_SIDE, histories - done);
    const figures = await runWebhookModel({ seed: seed + done, histories: count, steps: 40 });
    for (const [name, value] of Object.entries(figures)) sum[name] = (sum[name] ?? 0) + value;
  }
  return sum;
}

class Model {
  readonly #fixture: EventFixture;
  readonly #options: ModelOptions;
  readonly #random: Random;
  readonly #ring = newKeyRing();
  readonly #endpoints = new Map<string, ModelEndpoint>();
  #aheadMs = 0;
  #recorded = 0;
  #operations = 0;
  #attempts = 0;
  #abandoned = 0;
  #disablings = 0;

  constructor(fixture: EventFixture, options: ModelOptions) {
    this.#fixture = fixture;
    this.#options = options;
    this.#random = new Random(options.seed);
  }

  async open(): Promise<void> {
    let tenant = this.#fixture.tenant;
    for (let count = 0; count < this.#options.histories; count++) {
      // Some endpoints share a business, and receive the event when another of them fails.
      if (count % SHARED_EVERY < 2 || count % SHARED_EVERY === 4) tenant = await this.#fixture.addTenant();
      const issued = await insertEndpoint(this.#fixture.database, this.#ring, tenant, {
        url: `https://h${count}.shop.com/`,
        eventTypes: null,
      });
      this.#endpoints.set(issued!.endpoint.id, {
        endpoint: issued!.endpoint,
        deliveries: new Map(),
        resends: new Map(),
        status: "enabled",
        inARow: 0,
        timesFailing: 0,
        secrets: [{ text: issued!.secret, until: Number.POSITIVE_INFINITY }],
        failing: 0,
      });
    }
  }

  async step(): Promise<void> {
    this.#aheadMs += this.#random.pick(STEP_SECONDS) * 1_000;
    setDeliveryTimeAhead(this.#aheadMs);
    await this.#tell();
    for (const one of this.#endpoints.values()) await this.#act(one);
    const before = await this.#now();
    // Repeat until no delivery is due: 64 are claimed of an endpoint, and events recorded meanwhile are due as well.
    for (let more = true; more; ) more = await this.#attempt(before);
  }

  async #now(): Promise<number> {
    const row = await this.#fixture.database.row<{ now: Date }>(sql`select ${deliveryTime()} as now`);
    return row!.now.getTime();
  }

  async #tell(): Promise<void> {
    const tenants = new Map<string, Tenant>();
    for (const { endpoint } of this.#endpoints.values())
      if (this.#random.chance(0.25)) tenants.set(endpoint.businessId, endpoint);
    if (tenants.size === 0) return;
    const now = new Date();
    const drafts = [...tenants.values()].map((tenant) => {
      const objectId = `pi_test_${String(++this.#recorded).padStart(36, "0")}`;
      const type = "payment_intent.created" as const;
      const about = { objectId, generation: 1, transition: type, intentId: objectId, paymentAddress: null };
      return draftEvent(
        tenant,
        { type, ...about, occurredAt: now, object: { id: `"${objectId}"` }, before: null },
        now,
      );
    });
    await this.#fixture.database.rows(sql`with ${recordEvents(drafts)} select sequence from recorded_events`);
    for (const draft of drafts) this.#expectDelivery(draft.tenant.businessId, draft.id, null);
    this.#operations += drafts.length;
  }

  #expectDelivery(businessId: string, eventId: string, except: string | null): void {
    for (const one of this.#endpoints.values())
      if (one.endpoint.businessId === businessId && one.endpoint.id !== except)
        one.deliveries.set(eventId, { attempts: 0, dueAt: 0, status: "pending", endedAt: [] });
  }

  async #act(one: ModelEndpoint): Promise<void> {
    const { database } = this.#fixture;
    const random = this.#random;
    if (random.chance(0.1)) one.failing = random.pick([0, 0.3, 0.9, 1, 1]);
    if (random.chance(one.status === "enabled" ? 0.02 : 0.15)) {
      const was = one.status;
      const enabled = await markEnabled(database, one.endpoint);
      assert.equal(enabled!.abandonedInARow, was === "enabled" ? one.inARow : 0);
      if (was !== "enabled") {
        const now = await this.#now();
        one.inARow = 0;
        for (const delivery of one.deliveries.values()) delivery.dueAt = Math.min(delivery.dueAt, now);
      }
      one.status = "enabled";
      this.#operations++;
    } else if (random.chance(0.02)) {
      await markDisabled(database, one.endpoint);
      one.status = "disabled";
      this.#operations++;
    }
    if (one.deliveries.size > 0 && random.chance(0.08)) {
      const eventId = [...one.deliveries.keys()][random.whole(0, one.deliveries.size - 1)]!;
      const resend = await queueResend(database, one.endpoint, eventId);
      assert.notEqual(resend, null, "any delivery can be resent");
      assert.equal(resend!.isNew, ![...one.resends.values()].includes(eventId), "one at a time waits");
      one.resends.set(resend!.id, eventId);
      this.#operations++;
    }
    if (random.chance(0.03)) {
      const grace = random.pick(["none", "1h", "24h"] as const);
      const rolled = await replaceSecret(database, this.#ring, one.endpoint, grace);
      const until = (await this.#now()) + { none: 0, "1h": 3_600_000, "24h": 86_400_000 }[grace];
      one.secrets = [
        { text: rolled!.secret, until: Number.POSITIVE_INFINITY },
        ...(grace === "none" ? [] : [{ text: one.secrets[0]!.text, until }]),
      ];
      this.#operations++;
    }
  }

  /** Claims once, and compares the claims with the deliveries that the model says are due. */
  async #attempt(before: number): Promise<boolean> {
    const room = {
      slots: 1_000_000,
      failingSlots: 1_000_000,
      endpoints: [...this.#endpoints.keys()].map((id) => ({ id, free: PLACES, failing: false })),
    };
    const claims = await claimAlone(this.#fixture.database, room);
    const claimedBy = new Map<string, Claim[]>();
    for (const claim of claims) {
      const mine = claimedBy.get(claim.endpoint_id);
      if (mine === undefined) claimedBy.set(claim.endpoint_id, [claim]);
      else mine.push(claim);
    }
    for (const [id, one] of this.#endpoints) this.#checkClaims(one, claimedBy.get(id) ?? [], before);
    if (claims.length === 0) return false;

    const results = claims.map((claim): Result => {
      const succeeded = !this.#random.chance(this.#endpoints.get(claim.endpoint_id)!.failing);
      const end = { tookMs: this.#random.whole(0, 10_000), agoMs: this.#random.whole(0, 10) };
      const how = succeeded
        ? { statusCode: 200, error: null, errorClass: null }
        : { statusCode: 500, error: "answered 500", errorClass: "server_error" as const };
      return { claim, succeeded, ...how, ...end };
    });
    await completeDeliveries(this.#fixture.database, results);
    await this.#foresee(results);
    await this.#checkState(results);
    return true;
  }

  #checkClaims(one: ModelEndpoint, claims: readonly Claim[], before: number): void {
    const claimedAt = claims[0]?.claimed_at.getTime() ?? before;
    const due = [...one.deliveries].filter(
      ([, delivery]) => one.status === "enabled" && delivery.status === "pending" && delivery.dueAt <= claimedAt,
    );
    const expected = [
      ...due.map(([id]) => `${id} `),
      ...[...one.resends].map(([resend, id]) => `${id} ${resend}`),
    ].sort();
    const got = claims.map((claim) => `${claim.event_id} ${claim.resend}`).sort();
    if (expected.length <= PLACES) assert.deepEqual(got, expected, `${one.endpoint.id}: what is due, and nothing else`);
    else assert.equal(got.length, PLACES);
    for (const claim of claims) {
      if (claim.kind === "scheduled") assert.equal(claim.attempts, one.deliveries.get(claim.event_id)!.attempts);
      const valid = one.secrets.filter((secret) => secret.until > claimedAt).map((secret) => secret.text);
      assert.deepEqual(
        claim.secrets.map((sealed) => openSecret(this.#ring, one.endpoint.id, sealed)),
        valid,
        "signed with every valid secret, the newest first",
      );
    }
  }

  /** Predicts the effect of the results by §6.4, in their order. */
  async #foresee(results: readonly Result[]): Promise<void> {
    const rows = await this.#fixture.database.rows<{
      endpoint_id: string;
      event_id: string;
      resend: string;
      ended: string;
    }>(sql`
      select a.endpoint_id, a.event_id, a.resend, extract(epoch from max(a.ended_at)) * 1000 as ended
      from webhook_attempts a join unnest(${results.map(({ claim }) => claim.endpoint_id)}::text[],
        ${results.map(({ claim }) => claim.event_id)}::text[], ${results.map(({ claim }) => claim.resend)}::text[])
        as g (endpoint_id, event_id, resend) on g.endpoint_id = a.endpoint_id and g.event_id = a.event_id and g.resend = a.resend
      group by 1, 2, 3`);
    const ends = new Map(rows.map((row) => [`${row.endpoint_id} ${row.event_id} ${row.resend}`, Number(row.ended)]));
    const failed: ModelEndpoint[] = [];
    for (const { claim, succeeded } of results) {
      const one = this.#endpoints.get(claim.endpoint_id)!;
      const delivery = one.deliveries.get(claim.event_id)!;
      const endedAt = ends.get(`${claim.endpoint_id} ${claim.event_id} ${claim.resend}`);
      this.#attempts++;
      if (claim.kind !== "scheduled") {
        assert.ok(endedAt !== undefined, "every attempt is in the log");
        one.resends.delete(claim.resend);
        if (succeeded) {
          delivery.status = "succeeded";
          one.inARow = 0;
        }
        continue;
      }
      // A resend of this batch had finished the delivery, so the scheduled attempt changes nothing.
      if (delivery.status !== "pending") continue;
      assert.ok(endedAt !== undefined, "every attempt is in the log");
      delivery.attempts++;
      delivery.endedAt.push(endedAt);
      if (succeeded) {
        delivery.status = "succeeded";
        one.inARow = 0;
      } else if (delivery.attempts < 9) delivery.dueAt = endedAt + WAITS_MS[delivery.attempts - 1]!;
      else {
        delivery.status = "abandoned";
        this.#abandoned++;
        one.inARow++;
        if (one.status === "enabled" && one.inARow >= 5) {
          one.status = "failing";
          one.timesFailing++;
          failed.push(one);
        }
      }
    }
    this.#disablings += failed.length;
    for (const one of failed) await this.#expectDisabledEvent(one);
  }

  async #expectDisabledEvent(one: ModelEndpoint): Promise<void> {
    const events = await this.#fixture.database.rows<{ id: string; body: string }>(sql`
      select id, body from events
      where business_id = ${one.endpoint.businessId} and type = 'webhook_endpoint.disabled' order by sequence`);
    const mine = events.filter(({ body }) => JSON.parse(body).data.object.id === one.endpoint.id);
    assert.equal(mine.length, one.timesFailing, "one webhook_endpoint.disabled for each time it failed");
    assert.equal(JSON.parse(mine.at(-1)!.body).data.object.status, "failing");
    this.#expectDelivery(one.endpoint.businessId, mine.at(-1)!.id, one.endpoint.id);
  }

  /** Asserts that the rows of these endpoints are what the model says. */
  async #checkState(results: readonly Result[]): Promise<void> {
    const ids = [...new Set(results.map(({ claim }) => claim.endpoint_id))];
    const { database } = this.#fixture;
    const endpoints = await database.rows<{ id: string; status: string; abandoned_in_a_row: number }>(
      sql`select id, status, abandoned_in_a_row from webhook_endpoints where id = any(${ids}::text[])`,
    );
    for (const row of endpoints) {
      const one = this.#endpoints.get(row.id)!;
      assert.deepEqual([row.status, row.abandoned_in_a_row], [one.status, one.inARow], `${row.id}: status and count`);
    }
    const queued = await database.rows<{ endpoint_id: string; event_id: string; attempts: number; due: string }>(sql`
      select endpoint_id, event_id, attempts, extract(epoch from due_at) * 1000 as due from webhook_queue
      where endpoint_id = any(${ids}::text[]) and kind = 'scheduled' and attempts > 0`);
    for (const row of queued) {
      const delivery = this.#endpoints.get(row.endpoint_id)!.deliveries.get(row.event_id)!;
      assert.deepEqual([delivery.status, delivery.attempts], ["pending", row.attempts]);
      // Exact but for the model's milliseconds in floating point, and the moment between enabling and asking the time.
      assert.ok(Math.abs(Number(row.due) - delivery.dueAt) < 1_000, `${row.event_id} is due when §6.4 says`);
      if (
        Number(row.due) > delivery.endedAt.at(-1)! + 1_000 &&
        this.#endpoints.get(row.endpoint_id)!.timesFailing === 0
      )
        assert.ok(Math.abs(Number(row.due) - delivery.dueAt) < 50);
    }
  }

  async checkEnd(): Promise<void> {
    const { database } = this.#fixture;
    const finished = await database.rows<{ endpoint_id: string; event_id: string; status: string; attempts: number }>(
      sql`select endpoint_id, event_id, status, attempts from webhook_deliveries`,
    );
    const rows = new Map(finished.map((row) => [`${row.endpoint_id} ${row.event_id}`, row]));
    assert.equal(rows.size, finished.length, "a delivery ends once");
    const queued = await database.rows<{ endpoint_id: string; event_id: string }>(
      sql`select endpoint_id, event_id from webhook_queue where kind = 'scheduled'`,
    );
    const pending = new Set(queued.map((row) => `${row.endpoint_id} ${row.event_id}`));
    for (const one of this.#endpoints.values())
      for (const [eventId, delivery] of one.deliveries) {
        const key = `${one.endpoint.id} ${eventId}`;
        assert.equal(pending.has(key), delivery.status === "pending", "unfinished work is in the queue");
        assert.equal(rows.get(key)?.status ?? "pending", delivery.status);
        assert.ok(delivery.attempts <= 9, "nine attempts at the most");
      }
  }

  figures(): ModelFigures {
    return {
      histories: this.#endpoints.size,
      operations: this.#operations,
      attempts: this.#attempts,
      abandoned: this.#abandoned,
      disabled: this.#disablings,
      daysSimulated: Math.round(this.#aheadMs / 86_400_000),
    };
  }
}
