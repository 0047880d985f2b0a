import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { setTimeout as sleep } from "node:timers/promises";
import { isRoot } from "@holdfast/embedded-postgres/account.ts";
import { sql } from "../../../server/store/sql.ts";
import { adminApart } from "../../harness/admin.ts";
import { testChain } from "../../harness/service.ts";
import { eventually } from "../../harness/wait.ts";
import { assertSound } from "../checker.ts";
import { expectPaid } from "../kill.ts";
import { awaitQuiet } from "../quiet.ts";
import { Random } from "../random.ts";
import type { Figures } from "../scenarios.ts";
import { Traffic } from "../traffic.ts";
import { awaitRest } from "./gauges.ts";
import { breakDatabase, Deck, hits, KINDS, type Kind, UPGRADE } from "./kinds.ts";
import { People } from "./people.ts";
import { longestOf, type Row, writeRow } from "./rows.ts";
import { listWork, type Work } from "./work.ts";
import { World } from "./world.ts";

export interface AllFaults {
  readonly seed: number;
  readonly minutes: number;
  readonly buyers: number;
  /** Names of kinds; null means all. */
  readonly kinds: readonly string[] | null;
  /** The folder of an older build, with its dependencies, which runs until an upgrade in the middle; null: there is none. */
  readonly from: string | null;
}

/** Its data must not lie in memory for longer than a run. */
const DISK_MB = 4_000;
const FAULTS_AT_ONCE_MAX = 3;
const LASTS_MS = { least: 100, most: 4_000 };
const HOUR_SECONDS = 3_600;
/** The rate of creates before a restart of PostgreSQL, and the part of it that must come back, over the second window. */
const RATE = { beforeMs: 10_000, overMs: 5_000, part: 0.95, waitMs: 60_000 };
const POLL_MS = 100;

/** Breaks everything at random while merchants, buyers, members and arbiters go on, and judges outcomes and figures. */
export async function runAll({ seed, minutes, buyers, kinds, from }: AllFaults): Promise<Figures> {
  await using world = await World.open({ diskMb: isRoot ? DISK_MB : null, from });
  const { service, shop } = world;
  const traffic = new Traffic(service, shop, {
    random: new Random(seed + 1),
    payments: Number.POSITIVE_INFINITY,
    buyers,
  });
  const people = new People(world, new Random(seed + 2));
  traffic.allow(Number.POSITIVE_INFINITY);
  const run = new Run(world, { traffic, people }, new Random(seed), kinds);
  const playing = async () => {
    await run.play(minutes * 60_000, { upgrades: from !== null });
    people.finish();
    traffic.finish();
  };
  try {
    await Promise.all([traffic.run(), people.run(), playing()]);
    return await judge(world, { traffic, people, run, seed });
  } catch (error) {
    throw new Error(`${error}\n${run.story()}\nThe processes said: ${world.errors()}`, { cause: error });
  } finally {
    people.finish();
    traffic.stop();
  }
}

/** Rounds of faults: some begin, last for a while and are healed; then everything must come to rest while work goes on. */
class Run {
  /** The faults of each kind, and those that hit work under way. */
  readonly faults = new Map<string, { all: number; hit: number }>();
  /** The times from a restart of PostgreSQL that came alone until the rate was that of before; infinite: it did not come back. */
  readonly ratesBackMs: number[] = [];
  /** The time to rest after each round. */
  readonly restsMs: number[] = [];
  playedMs = 0;
  readonly #world: World;
  readonly #random: Random;
  readonly #deck: Deck;
  readonly #players: Players;
  readonly #story: string[] = [];

  constructor(world: World, players: Players, random: Random, names: readonly string[] | null) {
    this.#world = world;
    this.#players = players;
    this.#random = random;
    const able = KINDS.filter(({ name }) => name !== "disk full" || world.cluster.diskMb !== null);
    this.#deck = new Deck(
      random,
      able.filter(({ name }) => names?.includes(name) ?? true),
    );
  }

  async play(forMs: number, { upgrades }: { readonly upgrades: boolean }): Promise<void> {
    const startedAt = performance.now();
    const sinceStart = () => performance.now() - startedAt;
    const upgradesAt = upgrades ? this.#random.whole(0, forMs) : Number.POSITIVE_INFINITY;
    await this.#awaitWork();
    while (sinceStart() < Math.min(forMs, upgradesAt)) await this.#playRound(this.#draw());
    if (upgrades) await this.#playRound([UPGRADE]);
    while (sinceStart() < forMs) await this.#playRound(this.#draw());
    this.playedMs = sinceStart();
  }

  /** The last rounds, in words. */
  story = (): string => this.#story.slice(-3).join("\n");

  #draw = (): Kind[] => this.#deck.draw(this.#random.whole(1, FAULTS_AT_ONCE_MAX));

  async #playRound(kinds: readonly Kind[]): Promise<void> {
    const world = this.#world;
    const rate = kinds.length === 1 && kinds[0]!.restarts ? await this.#measureRate() : null;
    const lastsMs = this.#random.whole(LASTS_MS.least, LASTS_MS.most);
    // One number generator for each fault: what one draws does not depend on how long another takes.
    const seeds = kinds.map(() => this.#random.whole(0, 2 ** 31));
    this.#story.push(`round ${this.#story.length + 1}: ${kinds.map(({ name }) => name).join(", ")} for ${lastsMs} ms`);
    const under = new Set(await listWork(world, this.#players, { asked: true }));
    const heals = [];
    for (const [index, { begin }] of kinds.entries()) heals.push(await begin(world, new Random(seeds[index]!)));
    await sleep(lastsMs);
    for (const work of await listWork(world, this.#players, { asked: !breakDatabase(kinds) })) under.add(work);
    for (const heal of heals.toReversed()) await heal();
    if (rate !== null) this.ratesBackMs.push(await this.#awaitRate(rate));
    this.#count(kinds, under);
    await world.mend();
    this.restsMs.push(await awaitRest(world));
    await this.#awaitWork();
  }

  #count(kinds: readonly Kind[], under: ReadonlySet<Work>): void {
    for (const kind of kinds) {
      const { all, hit } = this.faults.get(kind.name) ?? { all: 0, hit: 0 };
      this.faults.set(kind.name, { all: all + 1, hit: hit + (hits(kind, under) ? 1 : 0) });
    }
  }

  /** Creates in a millisecond. */
  async #measureRate(): Promise<number> {
    const [before, startedAt] = [this.#players.traffic.created, performance.now()];
    await sleep(RATE.beforeMs);
    return (this.#players.traffic.created - before) / (performance.now() - startedAt);
  }

  /** Waits until the rate was that of before in a window, and returns the time until the window began; infinite: it never was. */
  async #awaitRate(rate: number): Promise<number> {
    const startedAt = performance.now();
    const counts: { readonly at: number; readonly created: number }[] = [];
    for (;;) {
      const now = { at: performance.now(), created: this.#players.traffic.created };
      const first = counts.findLast(({ at }) => at <= now.at - RATE.overMs);
      const isBack = first && now.created - first.created >= RATE.part * rate * (now.at - first.at);
      if (isBack) return first.at - startedAt;
      if (now.at - startedAt > RATE.waitMs) return Number.POSITIVE_INFINITY;
      counts.push(now);
      await sleep(POLL_MS);
    }
  }

  async #awaitWork(): Promise<void> {
    const { traffic } = this.#players;
    const before = traffic.created;
    await eventually("another intent is created", () => traffic.created > before);
  }
}

interface Players {
  readonly traffic: Traffic;
  readonly people: People;
}

interface Played extends Players {
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
  // As ten minutes later: a worker that was killed leaves the comparison that it was making.
  await database.rows(sql`update books_checks set leased_until = now() where leased_until > now()`);
  // It fails for a difference.
  const { data } = await adminApart({ dataDir: service.dataDir, env: testChain(service) }, "books", "check");
  assert.equal(data.length, 1, "the books of the shop are compared");
  const events = await database.rows<{ id: string }>(sql`select id from events where business_id = ${shop.business}`);
  const { lost, repeated } = endpoints.judge(events.map(({ id }) => id));
  assert.deepEqual([...lost, ...said.lost].slice(0, 20), [], "nothing is lost");
  assert.deepEqual(said.doubled, [], "nothing is done twice");
  assert.equal(endpoints.unsigned, 0, "every delivery is signed");
  assert.equal(world.endedAlone, 0, `no process ends by itself: ${world.errors()}`);
  const counted = (await database.row<Counted>(sql`
    select (select count(*)::integer from intents) as intents, (select count(*)::integer from payments) as payments,
      (select count(*)::integer from disputes) as disputes`))!;
  const faults = [...run.faults.values()];
  const hit = faults.map((kind) => kind.hit);
  const row: Row = {
    commit: execFileSync("git", ["rev-parse", "--short", "HEAD"], { encoding: "utf8" }).trim(),
    seed,
    minutes: Math.round(run.playedMs / 60_000),
    faults: sumOf(faults.map(({ all }) => all)),
    hit: sumOf(hit),
    most: Math.max(0, ...hit),
    upgrades: run.faults.get(UPGRADE.name)?.all ?? 0,
    ...counted,
    acts: sumOf(Object.values(people.counts)),
    events: events.length,
    deliveries: endpoints.deliveries,
    repeated,
    restSeconds: Math.round(Math.max(0, ...run.restsMs) / 1_000),
    rateSeconds: longestOf(run.ratesBackMs.map((ms) => Math.round(ms / 100) / 10)),
  };
  return {
    figures: {
      ...Object.fromEntries(
        [...run.faults].toSorted().map(([name, { all, hit }]) => [name, `${all}, of which ${hit} hit work`]),
      ),
      ...people.counts,
      "emails taken": said.emails,
      "emails taken again": said.emailsAgain,
      "restarts of PostgreSQL alone": run.ratesBackMs.length,
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

const sumOf = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0);

const median = (values: readonly number[]): number => values.toSorted((a, b) => a - b)[values.length >> 1] ?? 0;
