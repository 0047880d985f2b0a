import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { draftPayment, type PayOptions } from "@holdfast/devnet/buyer.ts";
import { sendWire } from "@holdfast/devnet/client.ts";
import { type Devnet, type DevnetOptions, startDevnet } from "@holdfast/devnet/start.ts";
import type { LocalWallet } from "@holdfast/devnet/wallets.ts";
import { createTestDatabase } from "@holdfast/embedded-postgres/testing.ts";
import { AccountRole, lamports } from "@solana/kit";
import { getTransferSolInstruction } from "@solana-program/system";
import type { Chain } from "../../server/chain/chain.ts";
import { type Consensus, newConsensus } from "../../server/chain/consensus.ts";
import { createSolanaChain } from "../../server/chain/solana/reader.ts";
import { ApiError } from "../../server/domain/errors.ts";
import { Idempotency } from "../../server/edge/http/idempotency.ts";
import { addBusiness } from "../../server/features/businesses/actions.ts";
import { joinChain } from "../../server/features/chains/join.ts";
import { setClockAhead } from "../../server/features/chains/queries.ts";
import type { ChainContext } from "../../server/features/context.ts";
import { draftEvent, occurredAfter } from "../../server/features/events/event.ts";
import { eventKey } from "../../server/features/events/fragments.ts";
import { draftCreation, insertIntents } from "../../server/features/intents/createIntent.ts";
import { createExpiryStep } from "../../server/features/intents/expiry.ts";
import { aNewIntent } from "../../server/features/intents/fixtures.ts";
import { lockIntent } from "../../server/features/intents/fragments.ts";
import { type Intent, showIntent } from "../../server/features/intents/intent.ts";
import { cancelLockedIntent } from "../../server/features/intents/queries.ts";
import { finalizePayments } from "../../server/features/recording/finality/finalize.ts";
import { checkPayments, recheckPayments } from "../../server/features/recording/finality/recheck.ts";
import { confirmRoutes } from "../../server/features/recording/merchant.ts";
import { feedInbox, newFeedState } from "../../server/features/recording/sweep/feed.ts";
import { lookBack } from "../../server/features/recording/sweep/lookBack.ts";
import { pruneUnmatched } from "../../server/features/recording/sweep/pruneUnmatched.ts";
import { createReconcileStep } from "../../server/features/recording/sweep/reconcile.ts";
import { sweepInbox } from "../../server/features/recording/sweep/sweep.ts";
import { createSettleableStep } from "../../server/features/settlement/settleable.ts";
import { testContext } from "../../server/features/testing.ts";
import { draftChainSettings } from "../../server/process/chainSettings.ts";
import { openChain } from "../../server/process/openChain.ts";
import { readNow } from "../../server/store/clock.ts";
import { type Database, openDatabase } from "../../server/store/database.ts";
import { SessionLocks } from "../../server/store/locks.ts";
import { migrate } from "../../server/store/migrate.ts";
import { sql } from "../../server/store/sql.ts";
import { PATIENT } from "../../server/store/testing.ts";
import { HUNG_MS } from "../harness/wait.ts";
import { assertSound, check, type Report } from "./checker.ts";

export interface SteppedServiceOptions {
  /** Names of the chain's nodes, the preferred first. */
  readonly nodes?: readonly string[];
  readonly programs?: NonNullable<DevnetOptions["programs"]>;
  /** In slots; default 8. */
  readonly finalizedAfter?: number;
  readonly revertRule?: Chain["revertRule"];
  readonly secondNodeFrom?: ReadonlyMap<string, bigint>;
  /** Deadline of a read of the chain. Its nodes are in this process: unless a fault delays them, only the machine is slow. */
  readonly deadlineMs?: number;
  /** Default: a chain of its own without Alpenglow. */
  readonly consensus?: Consensus;
}

interface Made {
  readonly signature: string;
  readonly payment: string;
}

const CHECKOUT_URL = "http://localhost";
const DAY_MS = 86_400_000;
const STEPS_MAX = 1_000;
const never = new AbortController().signal;

/**
 * The loops of the service without their clock: a chain whose slots pass only by ticks, a database, and each step by
 * hand, so that a state of faults runs the same every time. Chain, reader, steps and SQL are the real ones.
 */
export class SteppedService {
  readonly net: Devnet;
  readonly database: Database;
  /** For processes of their own. */
  readonly databaseUrl: string;
  readonly ctx: ChainContext;
  readonly business: string;
  /** The lines that the steps logged. */
  readonly lines: string[];
  readonly #leave: () => Promise<void>;
  readonly #feedState = newFeedState();
  #orders = 0;
  #shouts = 0;
  #announced = false;

  private constructor(
    net: Devnet,
    databaseUrl: string,
    ctx: ChainContext,
    business: string,
    lines: string[],
    leave: () => Promise<void>,
  ) {
    this.net = net;
    this.databaseUrl = databaseUrl;
    this.database = ctx.database;
    this.ctx = ctx;
    this.business = business;
    this.lines = lines;
    this.#leave = leave;
  }

  static async open({
    nodes = ["one"],
    programs = [],
    finalizedAfter = 8,
    revertRule = { slots: 20, apartMs: 0 },
    secondNodeFrom = new Map(),
    deadlineMs = HUNG_MS,
    consensus = newConsensus(),
  }: SteppedServiceOptions = {}) {
    const dataDir = mkdtempSync(join(tmpdir(), "holdfast-stepped-"));
    const net = await startDevnet({ dataDir, autoTick: false, finalizedAfter, programs });
    const made = await createTestDatabase(migrate);
    const lines: string[] = [];
    const log = (message: string) => void lines.push(message);
    const connection = { connectionString: made.url };
    const database = openDatabase({ connection, connectionsMax: 12, statementTimeoutMs: HUNG_MS, times: PATIENT, log });
    const rpcUrls = nodes.map((node) => `${net.rpcUrl}/${node}`);
    const { programId, operator } = net;
    const settings = draftChainSettings({ rpcUrls, programId, operator, checkoutUnitPriceMax: 0 });
    const reader = createSolanaChain({ rpcUrls, programId, operator, consensus, secondNodeFrom, log, deadlineMs });
    const chain = { ...(await openChain(settings, log)), reader, revertRule };
    const ctx = testContext({ database, chain, checkoutUrl: CHECKOUT_URL, log });
    await joinChain(ctx, AbortSignal.timeout(HUNG_MS));
    const { id } = await addBusiness(database, { kind: "service" }, "Stepped service");
    return new SteppedService(net, made.url, ctx, id, lines, async () => {
      await database.close();
      await made.drop();
      await net.stop();
      rmSync(dataDir, { recursive: true, force: true });
    });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#leave();
  }

  tick = (slots = 1): void => void this.net.controls.tick(slots);

  /** Moves the clock of chain and books together. */
  async advance(seconds: number): Promise<void> {
    this.#announced = false;
    await setClockAhead(this.database, this.net.controls.advance(seconds).offsetMs);
  }

  async create(merchantReference = `order-${++this.#orders}`, lifetimeMs = DAY_MS): Promise<Intent> {
    const tenant = { businessId: this.business, environment: "test" } as const;
    const now = await readNow(this.database, "test");
    const { asset, addresses } = this.net;
    const terms = aNewIntent({ recipient: addresses.recipient, amount: "5000000", asset, merchantReference });
    const creation = draftCreation({ ...this.ctx, lifetimeMs }, tenant, terms, now, null);
    const [outcome] = await insertIntents(this.database, [creation]);
    if (!outcome!.made) throw new Error(`${merchantReference} is in use.`);
    return creation.intent;
  }

  /** Cancel (§4.4) without its HTTP. */
  async cancel({ id, businessId }: Intent): Promise<void> {
    await this.database.transaction(async (db) => {
      const { intent, now, generation, lastOccurredAt } = (await lockIntent(
        db,
        { businessId, environment: "test" },
        id,
      ))!;
      const canceled = { ...intent, status: "canceled", canceledAt: now } as const;
      const type = "payment_intent.canceled";
      const about = { objectId: id, generation, transition: type, intentId: id, paymentAddress: null };
      const object = showIntent(canceled, null, now, CHECKOUT_URL);
      const before = showIntent(intent, null, now, CHECKOUT_URL);
      const occurredAt = occurredAfter(lastOccurredAt, now);
      await cancelLockedIntent(db, canceled, draftEvent(intent, { type, ...about, occurredAt, object, before }, now));
    });
  }

  /** Pays in the running slot; two slots later it is confirmed, eight later final, unless the options say otherwise. */
  async pay(intent: Intent, buyer: LocalWallet = this.net.wallets["buyer-1"], options: PayOptions = {}): Promise<Made> {
    const { wire, signature, payment } = await draftPayment(this.net, buyer, intent, options);
    await sendWire(this.net.rpcUrl, wire);
    return { signature, payment };
  }

  /** A stranger's transaction that names the operator and pays nothing. */
  shout(): void {
    const { "buyer-3": wallet } = this.net.wallets;
    const amount = lamports(BigInt(++this.#shouts));
    const transfer = getTransferSolInstruction({ source: wallet.signer, destination: wallet.address, amount });
    const accounts = [...transfer.accounts, { address: this.net.operator, role: AccountRole.READONLY }];
    this.net.chain.send([{ ...transfer, accounts }], wallet);
  }

  /** Confirm (§4.5) without its HTTP: the outcome, or the code of the refusal. */
  async confirm(intent: Intent, signature: string): Promise<string> {
    const { database } = this;
    const [route] = confirmRoutes(this.ctx);
    const sent = new Map([["signature", { value: signature, text: JSON.stringify(signature), unstorable: false }]]);
    const caller = { businessId: this.business, environment: "test", keyId: "key" } as never;
    const idempotency = new Idempotency(database, new SessionLocks(database));
    const call = { caller, now: new Date(), params: { id: intent.id }, input: sent as never };
    return idempotency
      .run(null, (write) => route!.run({ ...call, write, once: (work) => work() }))
      .then(
        ({ body }) => JSON.parse(body).outcome as string,
        (error: unknown) => {
          if (error instanceof ApiError) return error.code;
          throw error;
        },
      );
  }

  feed = async (): Promise<boolean> => {
    await this.#exhaust(() => lookBack(this.ctx, this.#feedState.second, never));
    return feedInbox(this.ctx, this.#feedState, never);
  };
  sweep = async (ctx = this.ctx): Promise<boolean> => {
    await this.endWaits();
    return sweepInbox(ctx, never);
  };
  finalize = (): Promise<boolean> => finalizePayments(this.ctx, never);
  /** The slow pass, at once over every unfinished payment. */
  recheck = (): Promise<boolean> => recheckPayments(this.ctx, 0, never);
  pruneUnmatched = (): Promise<boolean> => pruneUnmatched(this.ctx, never);
  reconcile = (): Promise<boolean> => createReconcileStep(this.ctx)(never);
  expire = (): Promise<boolean> => createExpiryStep(this.ctx)();

  /** Announces settleable payments until no more are left. */
  async announceSettleable(): Promise<void> {
    const onChanged = (addresses: readonly string[]) => checkPayments(this.ctx, addresses);
    const step = createSettleableStep(this.ctx, onChanged);
    await this.#exhaust(() => step(never));
    this.#announced = true;
  }

  /** Feed and sweep until neither has more. */
  async catchUp(): Promise<void> {
    await this.#exhaust(this.feed);
    await this.endWaits();
    await this.#exhaust(() => sweepInbox(this.ctx, never));
  }

  /** Lets everything become final, for the chain and in the books. */
  async settle(): Promise<void> {
    this.tick(12);
    await this.catchUp();
    await this.#exhaust(this.finalize);
  }

  get evidence() {
    return { rpcUrl: this.net.rpcUrl, programId: this.net.programId, operator: this.net.operator };
  }
  check = (): Promise<Report> => check(this.database, this.evidence, this.#announced);
  assertSound = (): Promise<Report> => assertSound(this.database, this.evidence, this.#announced);

  /** The types an intent's state has come to, in order, without those of disputes. */
  async eventTypes(intent: Intent): Promise<string[]> {
    const rows = await this.database.rows<{ type: string }>(
      sql`select type from events where intent_id = ${intent.id} and not starts_with(type, 'dispute.') order by sequence`,
    );
    return rows.map((row) => row.type);
  }

  /** The events of an intent's disputes, each with the status that it shows. */
  async disputeEvents(intent: Intent): Promise<string[]> {
    const rows = await this.database.rows<{ type: string; body: string }>(
      sql`select type, body from events where intent_id = ${intent.id} and starts_with(type, 'dispute.') order by sequence`,
    );
    return rows.map(({ type, body }) => `${type} ${JSON.parse(body).data.object.status}`);
  }

  async intent({ id }: Intent) {
    const row = await this.database.row<{
      status: string;
      holds_reference: boolean;
      payment_address: string | null;
      canceled_at: Date | null;
    }>(sql`select status, holds_reference, payment_address, canceled_at from intents where id = ${id}`);
    return row!;
  }

  async payment(address: string) {
    return this.database.row<{
      role: string;
      status: string;
      generation: number;
      finalized: boolean;
      suspected_at: Date | null;
      outcome: string | null;
      refund_total: string;
      amount_refunded: string;
      receipt_key: string;
    }>(
      sql`select role, status, generation, finalized, suspected_at, outcome, refund_total, amount_refunded, receipt_key from payments where address = ${address}`,
    );
  }

  /** Keeps an event of the first generation from being recorded, until the key is released. */
  async takeKey(objectId: string, transition: string): Promise<() => Promise<void>> {
    const key = eventKey(sql`${objectId}`, sql`1`, sql`${transition}`);
    await this.database.rows(sql`insert into event_keys (business_id, key) values (${this.business}, ${key})`);
    return async () => {
      await this.database.rows(sql`delete from event_keys where business_id = ${this.business} and key = ${key}`);
    };
  }

  /** The waits of transactions that could not be read are over. */
  endWaits = () => this.database.rows(sql`update chain_inbox set leased_until = null where not processed`);

  async #exhaust(step: () => Promise<boolean>): Promise<void> {
    for (let steps = 0; await step(); steps++)
      if (steps > STEPS_MAX) throw new Error("A step finds more and more to do.");
  }
}
