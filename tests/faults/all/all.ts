import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { setTimeout as sleep } from "node:timers/promises";
import { isRoot } from "@holdfast/embedded-postgres/account.ts";
import { sql } from "../../../server/store/sql.ts";
import { eventually } from "../../harness/wait.ts";
import { assertSound } from "../checker.ts";
import { expectPaid } from "../kill.ts";
import { awaitQuiet } from "../quiet.ts";
import { Random } from "../random.ts";
import type { Figures } from "../scenarios.ts";
import { Traffic } from "../traffic.ts";
import { awaitRest } from "./gauges.ts";
import { Deck, KINDS } from "./kinds.ts";
import { People } from "./people.ts";
import { type Row, writeRow } from "./rows.ts";
import { World } from "./world.ts";

export interface AllFaults {
  readonly seed: number;
  readonly minutes: number;
  readonly buyers: number;
  /** Names of kinds; null means all. */
  readonly kinds: readonly string[] | null;
}

/** Its data must not lie in memory for longer than a run. */
const DISK_MB = 4_000;
const FAULTS_AT_ONCE_MAX = 3;
const LASTS_MS = { least: 100, most: 4_000 };
const HOUR_SECONDS = 3_600;

/** Breaks everything at random while merchants, buyers, members and arbiters go on, and judges outcomes and figures. */
export async function runAll({ seed, minutes, buyers, kinds }: AllFaults): Promise<Figures> {
  await using world = await World.open({ diskMb: isRoot ? DISK_MB : null });
  const { service, shop } = world;
  const traffic = new Traffic(service, shop, {
    random: new Random(seed + 1),
    payments: Number.POSITIVE_INFINITY,
    buyers,
  });
  const people = new People(world, new Random(seed + 2));
  traffic.allow(Number.POSITIVE_INFINITY);
  const run = new Run(world, new Random(seed), kinds, () => traffic.created);
  const playing = async () => {
    await run.play(minutes * 60_000);
    people.finish();
    traffic.finish();
  };
  await Promise.all([traffic.run(), people.run(), playing()])
    .catch((error: unknown) => {
      throw new Error(`${error}\n${run.story()}\nThe processes said: ${world.errors()}`, { cause: error });
    })
    .finally(() => {
      people.finish();
      traffic.stop();
    });
  return await judge(world, { traffic, people, run, seed });
}

/** Rounds of faults: some begin, last for a while and are healed; then everything must come to rest while work goes on. */
class Run {
  /** The faults of each kind. */
  readonly faults = new Map<string, number>();
  /** The time to rest after each round. */
  readonly restsMs: number[] = [];
  playedMs = 0;
  readonly #world: World;
  readonly #random: Random;
  readonly #deck: Deck;
  readonly #created: () => number;
  readonly #story: string[] = [];

  constructor(world: World, random: Random, names: readonly string[] | null, created: () => number) {
    this.#world = world;
    this.#random = random;
    this.#created = created;
    const able = KINDS.filter(({ name }) => name !== "disk full" || world.cluster.diskMb !== null);
    this.#deck = new Deck(
      random,
      able.filter(({ name }) => names?.includes(name) ?? true),
    );
  }

  async play(forMs: number): Promise<void> {
    const startedAt = performance.now();
    await this.#awaitWork();
    while (performance.now() - startedAt < forMs) await this.#playRound();
    this.playedMs = performance.now() - startedAt;
  }

  /** The last rounds, in words. */
  story = (): string => this.#story.slice(-3).join("\n");

  async #playRound(): Promise<void> {
    const world = this.#world;
    const kinds = this.#deck.draw(this.#random.whole(1, FAULTS_AT_ONCE_MAX));
    const lastsMs = this.#random.whole(LASTS_MS.least, LASTS_MS.most);
    // One number generator for each fault: what one draws does not depend on how long another takes.
    const seeds = kinds.map(() => this.#random.whole(0, 2 ** 31));
    this.#story.push(`round ${this.#story.length + 1}: ${kinds.map(({ name }) => name).join(", ")} for ${lastsMs} ms`);
    const heals = [];
    for (const [index, { name, begin }] of kinds.entries()) {
      heals.push(await begin(world, new Random(seeds[index]!)));
      this.faults.set(name, (this.faults.get(name) ?? 0) + 1);
    }
    await sleep(lastsMs);
    for (const heal of heals.toReversed()) await heal();
    await world.mend();
    this.restsMs.push(await awaitRest(world));
    await this.#awaitWork();
  }

  async #awaitWork(): Promise<void> {
    const before = this.#created();
    await eventually("another intent is created", () => this.#created() > before);
  }
}

interface Played {
  readonly traffic: Traffic;
  readonly people: People;
  readonly run: Run;
  readonly seed: number;
}

/** Waits until all is read, sent, delivered and paid out, and compares it with what was acknowledged. */
async function judge(world: World, { traffic, people, run, seed }: Played): Promise<Figures> {
  const { service, shop, endpoints } = world;
  const { database } = service;
  await service.advance(HOUR_SECONDS);
  await awaitQuiet(service);
  await awaitRest(world);
  const said = await people.judge();
  await endpoints.drain(database);
  await expectPaid(shop, traffic);
  const report = await assertSound(database, service.evidence);
  const events = await database.rows<{ id: string }>(sql`select id from events where business_id = ${shop.business}`);
  const { lost, repeated } = endpoints.judge(events.map(({ id }) => id));
  assert.deepEqual([...lost, ...said.lost].slice(0, 20), [], "nothing is lost");
  assert.deepEqual(said.doubled, [], "nothing is done twice");
  assert.equal(endpoints.unsigned, 0, "every delivery is signed");
  assert.equal(world.endedAlone, 0, `no process ends by itself: ${world.errors()}`);
  const counted = (await database.row<Counted>(sql`
    select (select count(*)::integer from intents) as intents, (select count(*)::integer from payments) as payments,
      (select count(*)::integer from disputes) as disputes`))!;
  const faults = [...run.faults.values()].reduce((sum, count) => sum + count, 0);
  const row: Row = {
    commit: execFileSync("git", ["rev-parse", "--short", "HEAD"], { encoding: "utf8" }).trim(),
    seed,
    minutes: Math.round(run.playedMs / 60_000),
    faults,
    ...counted,
    acts: Object.values(people.counts).reduce((sum, count) => sum + count, 0),
    events: events.length,
    deliveries: endpoints.deliveries,
    repeated,
    restSeconds: Math.round(Math.max(0, ...run.restsMs) / 1_000),
  };
  return {
    figures: {
      ...Object.fromEntries([...run.faults].toSorted(([a], [b]) => (a < b ? -1 : 1))),
      ...people.counts,
      "requests repeated": traffic.retries + people.retries,
      "at rest again after, s, half of the rounds": Math.round(median(run.restsMs) / 1_000),
      row: writeRow(row),
    },
    report,
  };
}

interface Counted {
  readonly intents: number;
  readonly payments: number;
  readonly disputes: number;
}

const median = (values: readonly number[]): number => values.toSorted((a, b) => a - b)[values.length >> 1] ?? 0;
