import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { type ChainReader, type ChainSignature, ChainUnavailableError } from "../../../chain/port.ts";
import type { Database } from "../../../store/database.ts";
import { sql } from "../../../store/sql.ts";
import { openTestDatabase } from "../../../store/testing.ts";
import { findProgress } from "../../chains/queries.ts";
import type { ChainContext } from "../../context.ts";
import { testContext } from "../../testing.ts";
import { feedInbox, newFeedState } from "./feed.ts";
import { lookBack } from "./lookBack.ts";
import { claimSignatures, markProcessed, postponeSignatures, releaseSignatures } from "./queries.ts";

const STARTED_AT = Date.now() - 86_400_000;
const CONFIRMED_AFTER = 2;
const STEPS_MAX = 100;
const CLAIM = { limit: 100, failedLimit: 25 };
const never = new AbortController().signal;

interface World {
  /** Slots from the end of a slot until it is final. */
  readonly finality: number;
  readonly nodes: number;
  /** Default 200. */
  readonly slotMs?: number;
}

/** A chain whose slots pass by hand, its nodes, and the feed of a service that reads it. */
class Model {
  readonly #database: Database;
  readonly #world: World;
  readonly #ctx: ChainContext;
  /** Oldest first. */
  readonly #lines: (ChainSignature & { readonly isHidden: boolean })[] = [];
  #state = newFeedState();
  #tip = 1;
  #watermarkSlot = 0;
  isSecondAway = false;
  /** What goes on while an answer is under way. */
  meanwhile: () => Promise<void> = async () => undefined;

  constructor(database: Database, world: World) {
    this.#database = database;
    this.#world = world;
    const reader: Partial<ChainReader> = {
      nodes: world.nodes,
      bindCommitment: "confirmed",
      slotsIn: (ms) => Math.ceil(ms / (world.slotMs ?? 200)),
      fetchHead: async () => ({ value: { blockTime: this.#timeOf(this.head) }, slot: this.head, node: 0 }),
      fetchSignatures: (query, options) => this.#list(query, options.notNode === 0),
    };
    this.#ctx = testContext({ database, chain: { reader } });
  }

  #timeOf(slot: number): Date {
    return new Date(STARTED_AT + slot * (this.#world.slotMs ?? 200));
  }

  /** The newest final slot; the running one never is. */
  get head(): number {
    return Math.max(0, this.#tip - 1 - this.#world.finality);
  }

  async #list({ limit, before, until }: Parameters<ChainReader["fetchSignatures"]>[0], isSecond: boolean) {
    const confirmed = Math.max(this.head, this.#tip - 1 - CONFIRMED_AFTER);
    const at = (signature: string) => this.#lines.findIndex((line) => line.signature === signature);
    const [from, to] = [
      until === undefined ? 0 : at(until) + 1,
      before === undefined ? this.#lines.length : at(before),
    ];
    const value = this.#lines
      .slice(from, to)
      .filter(({ slot, isHidden }) => slot <= confirmed && (isSecond || !isHidden))
      .toReversed()
      .slice(0, limit);
    if (isSecond && this.isSecondAway) throw new ChainUnavailableError("away");
    await this.meanwhile();
    return { value, slot: confirmed, node: isSecond ? 1 : 0 };
  }

  /** The first of two nodes leaves hidden lines out. */
  land(count: number, { failed = false, hidden = false } = {}): void {
    const slot = this.#tip;
    const isHidden = hidden && this.#world.nodes > 1;
    for (let number = 0; number < count; number++)
      this.#lines.push({ signature: `s${this.#lines.length}`, slot, failed, isHidden, blockTime: null });
  }

  tick(slots: number): void {
    this.#tip += slots;
  }

  /** The memory of the service is lost. */
  restart(): void {
    this.#state = newFeedState();
  }

  feed = (): Promise<boolean> => feedInbox(this.#ctx, this.#state, never);
  lookBack = (): Promise<boolean> => lookBack(this.#ctx, this.#state.second, never);

  async pass(): Promise<void> {
    await exhaust(this.lookBack);
    await exhaust(this.feed);
  }

  /** Claims a batch; each line is processed, fails or is given back, by the digits of `fates`. */
  async sweep(fates: number): Promise<void> {
    const claimed = await claimSignatures(this.#database, "test", CLAIM, 60_000);
    const fateOf = Map.groupBy(claimed, (_, at) => Math.floor(fates / 3 ** (at % 8)) % 3);
    const signaturesOf = (fate: number) => (fateOf.get(fate) ?? []).map(({ signature }) => signature);
    await markProcessed(this.#database, "test", fateOf.get(0) ?? []);
    await postponeSignatures(this.#database, "test", signaturesOf(1));
    await releaseSignatures(this.#database, "test", signaturesOf(2));
    await this.#database.rows(sql`update chain_inbox set leased_until = null`);
  }

  listOpen = () =>
    this.#database.rows<{ signature: string; slot: string }>(
      sql`select signature, slot from chain_inbox where not processed`,
    );

  process = (lines: readonly { signature: string; slot: string }[]) =>
    markProcessed(
      this.#database,
      "test",
      lines.map(({ signature, slot }) => ({ signature, slot: Number(slot) })),
    );

  /** Asserts that nothing final up to the watermark is unprocessed, and that it did not move back. Returns its slot. */
  async check(): Promise<number> {
    const { watermark, watermarkSlot } = await findProgress(this.#database, "test");
    if (watermark === null) return 0;
    assert.ok(watermarkSlot! >= this.#watermarkSlot, "it never moves back");
    assert.ok(watermarkSlot! <= this.head && watermark <= this.#timeOf(this.head));
    this.#watermarkSlot = watermarkSlot!;
    const due = this.#lines
      .filter(({ slot, failed }) => (slot <= watermarkSlot! || this.#timeOf(slot) <= watermark) && !failed)
      .map((line) => line.signature);
    const left = await this.#database.rows<{ signature: string }>(sql`
      select d.signature from unnest(${due}::text[]) d (signature)
      where not exists (select from chain_inbox i where i.signature = d.signature and i.processed)`);
    assert.deepEqual(left, [], "the watermark is ahead of these");
    return watermarkSlot!;
  }
}

async function exhaust(step: () => Promise<boolean>): Promise<void> {
  for (let steps = 0; await step(); steps++) assert.ok(steps < STEPS_MAX, "a step finds more and more to do");
}

async function withModel(database: Database, world: World, run: (model: Model) => Promise<void>): Promise<void> {
  await database.rows(sql`delete from chain_inbox`);
  await database.rows(sql`delete from chains`);
  await database.rows(
    sql`insert into chains (environment, genesis_hash, program_id, operator) values ('test', 'genesis', 'program', 'operator')`,
  );
  await run(new Model(database, world));
}

const worlds = fc.record({
  finality: fc.oneof(fc.constantFrom(0, 1), fc.integer({ min: 0, max: 40 })),
  nodes: fc.constantFrom(1, 2),
});
const fates = fc.integer({ min: 0, max: 3 ** 8 - 1 });
const counts = fc.integer({ min: 0, max: 12 });
/** More than a page. */
const FLOOD = 1_100;

type Act = (model: Model) => unknown;

/** A pass of the service, while more lands and is worked off. */
const busyPass: fc.Arbitrary<Act> = fc
  .tuple(fc.integer({ min: 0, max: 5 }), fc.integer({ min: 0, max: 3 }), fates)
  .map(([count, slots, digits]) => async (model) => {
    model.meanwhile = async () => {
      model.land(count);
      model.tick(slots);
      await model.sweep(digits);
    };
    await model.pass();
    model.meanwhile = async () => undefined;
  });

const action: fc.Arbitrary<Act> = fc.oneof(
  fc.tuple(counts, fc.boolean(), fc.boolean()).map(
    ([count, failed, hidden]) =>
      (model: Model) =>
        model.land(count, { failed, hidden }),
  ),
  fc.integer({ min: 1, max: 5 }).map((slots) => (model: Model) => model.tick(slots)),
  fates.map((digits) => (model: Model) => model.sweep(digits)),
  fc.constant((model: Model) => model.feed()),
  fc.constant((model: Model) => model.lookBack()),
  busyPass,
  fc.boolean().map((isAway) => (model: Model) => {
    model.isSecondAway = isAway;
  }),
  fc.constant((model: Model) => model.restart()),
);

/** Lines that one node leaves out, behind more than a page of failed ones, which hold nothing. */
const flooded: fc.Arbitrary<Act> = fc.tuple(counts, busyPass).map(([count, pass]) => async (model) => {
  model.land(count, { hidden: true });
  model.land(FLOOD, { failed: true });
  model.tick(2);
  await pass(model);
});

test("§3.1.5 the watermark is never ahead of an unprocessed final transaction, whatever comes when", async () => {
  await using opened = await openTestDatabase("", { connectionsMax: 1 });
  const { database } = opened;
  const some = fc.array(action, { maxLength: 12 });
  await fc.assert(
    fc.asyncProperty(worlds, some, fc.option(flooded), some, (world, before, flood, after) =>
      withModel(database, world, async (model) => {
        for (const act of [...before, ...(flood === null ? [] : [flood]), ...after]) {
          await act(model);
          await model.check();
        }
      }),
    ),
    { numRuns: 25, endOnFailure: true },
  );
});

test("§3.1.5 while noise never stops and nodes are slow, the watermark is behind by two passes and the slowest line at most", async () => {
  await using opened = await openTestDatabase("", { connectionsMax: 1 });
  const { database } = opened;
  const rounds = fc.record({
    /** Passes from the list of a line until it is processed. */
    slowness: fc.integer({ min: 0, max: 5 }),
    noise: fc.array(fc.integer({ min: 1, max: 12 }), { minLength: 12, maxLength: 20 }),
    flood: fc.constantFrom(0, 0, 0, 0, 0, FLOOD),
  });
  await fc.assert(
    fc.asyncProperty(worlds, fc.array(action, { maxLength: 6 }), rounds, (world, before, { slowness, noise, flood }) =>
      withModel(database, world, async (model) => {
        for (const act of before) await act(model);
        model.isSecondAway = false;
        const [heads, listed]: [number[], Awaited<ReturnType<Model["listOpen"]>>[]] = [[], []];
        for (const [round, count] of noise.entries()) {
          model.land(count + (round === 1 ? flood : 0));
          model.tick(3);
          heads.push(model.head);
          // Noise also comes while each answer is under way.
          model.meanwhile = async () => model.land(count);
          await model.pass();
          model.meanwhile = async () => undefined;
          listed.push(await model.listOpen());
          const due = listed[round - slowness];
          if (due !== undefined) await model.process(due);
          const passed = await model.check();
          const expected = heads[round - slowness - 1] ?? 0;
          assert.ok(passed >= expected, `in round ${round} the watermark is at ${passed}, before ${expected}`);
        }
      }),
    ),
    { numRuns: 20, endOnFailure: true },
  );
});

test("§3.1.5 a pass of several pages counts as of its first page: later transactions are in none of them", async () => {
  await using opened = await openTestDatabase("", { connectionsMax: 1 });
  await withModel(opened.database, { finality: 0, nodes: 1 }, async (model) => {
    model.land(FLOOD, { failed: true });
    model.tick(2);
    const { head } = model;
    model.meanwhile = async () => {
      model.land(2);
      model.tick(2);
    };
    await exhaust(model.feed);
    assert.equal(await model.check(), head);
  });
});

test("§3.1.12 a second node's list counts only once it has reached what was listed before", async () => {
  await using opened = await openTestDatabase("", { connectionsMax: 1 });
  await withModel(opened.database, { finality: 0, nodes: 2 }, async (model) => {
    model.land(2, { hidden: true });
    model.tick(1);
    model.land(FLOOD, { failed: true });
    model.tick(2);
    assert.equal(await model.lookBack(), true, "there is an older page");
    await exhaust(model.feed);
    assert.equal(await model.check(), 0);
    await model.pass();
    await model.process(await model.listOpen());
    await model.pass();
    assert.equal(await model.check(), model.head);
  });
});

test("§3.1.5 while one of two nodes lists alone, no line is passed before it is processed, however long slots are", async () => {
  await using opened = await openTestDatabase("", { connectionsMax: 1 });
  await withModel(opened.database, { finality: 0, nodes: 2, slotMs: 500 }, async (model) => {
    model.isSecondAway = true;
    model.tick(2_000);
    model.land(1);
    // More than the four minutes for which one node's word waits.
    model.tick(550);
    await exhaust(model.feed);
    const held = await model.check();
    await model.process(await model.listOpen());
    await exhaust(model.feed);
    assert.ok((await model.check()) > held);
  });
});
