import {
  type ChainPayment,
  type ChainSender,
  ChainUnavailableError,
  type DuePart,
  type PayOutAnswer,
} from "../../chain/port.ts";
import type { Database } from "../../store/database.ts";
import { sql } from "../../store/sql.ts";
import { addBusiness } from "../businesses/actions.ts";
import { setClockAhead } from "../chains/queries.ts";
import { anObservedPayment } from "../recording/fixtures.ts";
import { testContext } from "../testing.ts";
import { createKeeper } from "./keeper.ts";

const HOUR_MS = 3_600_000;
export const hoursAgo = (hours: number): Date => new Date(Math.floor((Date.now() - hours * HOUR_MS) / 1_000) * 1_000);

/** A payment that has been due for settlement for an hour. */
export const aDuePayment = (address: string, fields: Partial<ChainPayment> = {}): ChainPayment =>
  anObservedPayment({
    address,
    createdAt: hoursAgo(25),
    protectionDeadline: hoursAgo(1),
    arbiter: "arbiter",
    ...fields,
  }).payment;

export type Answer = (parts: readonly DuePart[]) => PayOutAnswer | Promise<PayOutAnswer>;
export const SENT: PayOutAnswer = { kind: "sent", signature: "signature" };
export const outage: Answer = () => Promise.reject(new ChainUnavailableError("No chain node gave a usable answer."));

/** Books and a chain that agree on these payments, and keepers that record what they send. */
export class KeptPayments {
  readonly sent: string[][] = [];
  readonly logged: string[] = [];
  readonly checked: string[] = [];
  readonly #database: Database;
  readonly #payments = new Map<string, ChainPayment>();
  answer: Answer = () => SENT;
  balance: () => Promise<bigint> = async () => 1_000_000_000n;
  isReadable = true;
  /** Addresses whose accounts no node returns. */
  readonly unreadable = new Set<string>();
  concurrency = 2;
  #sequence = 0;
  #aheadMs = 0;
  readonly #startedAtMs = Date.now();

  constructor(database: Database) {
    this.#database = database;
  }

  addBusiness = async (): Promise<string> => (await addBusiness(this.#database, { kind: "service" }, "Shop")).id;

  /** Records payments of one business, or of no intent if `businessId` is null. */
  async add(businessId: string | null, payments: readonly ChainPayment[]): Promise<void> {
    for (const payment of payments) {
      this.#payments.set(payment.address, payment);
      await this.#database.rows(
        businessId === null ? unmatched(payment) : bound(payment, businessId, ++this.#sequence),
      );
    }
  }

  /** Moves the clock of the books forward. */
  async pass(seconds: number): Promise<void> {
    this.#aheadMs += seconds * 1_000;
    await setClockAhead(this.#database, this.#aheadMs);
  }

  /** Moves the clock of the books to so long after the start, however long the test has taken. */
  passTo = (seconds: number): Promise<unknown> =>
    setClockAhead(this.#database, Math.max(0, this.#startedAtMs + seconds * 1_000 - Date.now()));

  /** Changes a payment on chain only. */
  change(address: string, fields: Partial<ChainPayment>): void {
    this.#payments.set(address, { ...this.#payments.get(address)!, ...fields });
  }

  state = (address: string) =>
    this.#database.row<{
      keeper_tries: number;
      keeper_refusal: string | null;
      keeper_refused_side: string | null;
      keeper_done: boolean;
      is_due: boolean;
    }>(sql`
      select keeper_tries, keeper_refusal, keeper_refused_side, keeper_done, keeper_at is not null as is_due from payments where address = ${address}
      union all
      select keeper_tries, keeper_refusal, keeper_refused_side, keeper_done, keeper_at is not null from unmatched_payments where address = ${address}`);

  /** A step of a new worker. */
  worker(): () => Promise<boolean> {
    const reader = {
      fetchHead: async () => {
        if (!this.isReadable) throw new ChainUnavailableError("No chain node gave a usable answer.");
        return { value: { blockTime: new Date() }, slot: 1, node: 0 };
      },
      fetchPayments: async (addresses: readonly string[]) => {
        if (!this.isReadable || addresses.some((address) => this.unreadable.has(address)))
          throw new ChainUnavailableError("No chain node gave a usable answer.");
        return { value: addresses.map((address) => this.#payments.get(address) ?? null), slot: 1, node: 0 };
      },
    };
    const sender: ChainSender = {
      keepTo: () => {},
      payOutMax: 4,
      fitsInOne: (parts) => parts.length <= 4,
      concurrency: this.concurrency,
      feePayer: "fee-payer",
      balanceMin: 1_000n,
      rentPayers: new Set(["fee-payer"]),
      lastBalance: null,
      fetchBalance: () => this.balance(),
      payOut: async (parts) => {
        this.sent.push(parts.map(({ payment, side }) => `${payment.address} ${side}`));
        return await this.answer(parts);
      },
    };
    const log = (message: string) => void this.logged.push(message);
    const step = createKeeper(
      testContext({ database: this.#database, chain: { reader }, log }),
      sender,
      async (addresses) => void this.checked.push(...addresses),
    );
    return () => step(new AbortController().signal);
  }

  /** Runs steps of one worker until it finds nothing more. */
  async workOff(step = this.worker()): Promise<void> {
    for (let steps = 0; await step(); steps++)
      if (steps > 100) throw new Error("The keeper finds more and more to do.");
  }
}

const bound = (payment: ChainPayment, businessId: string, sequence: number) => sql`
  insert into payments (business_id, address, environment, intent_id, generation, recorded_sequence, role, status, sender,
    recipient, amount, asset, protection_period, merchant_reference, created_at, protection_deadline, disputed_at,
    settled_at, refunded_at, checked_at, observed_slot, finalized, settleable_event_sent, outcome, refund_total,
    amount_refunded, amount_released, arbiter, rent_payer)
  values (${businessId}, ${payment.address}, 'test', ${`intent of ${payment.address}`}, 1, ${sequence}::bigint, 'primary',
    ${payment.status}, ${payment.sender}, ${payment.recipient}, ${payment.amount}::numeric, ${payment.asset},
    ${payment.protectionPeriod}, 'reference', ${payment.createdAt}, ${payment.protectionDeadline}, ${payment.disputedAt}::timestamptz,
    ${payment.settledAt}::timestamptz, ${payment.refundedAt}::timestamptz, now(), 1, true, true, ${payment.outcome}, ${payment.refundTotal}::numeric,
    ${payment.amountRefunded}::numeric, ${payment.amountReleased}::numeric, ${payment.arbiter}, ${sponsor(payment)})`;

const unmatched = (payment: ChainPayment) => sql`
  insert into unmatched_payments (environment, address, reason, payment_id, status, sender, recipient, amount, asset,
    protection_period, created_at, protection_deadline, disputed_at, settled_at, refunded_at, checked_at, observed_slot,
    outcome, refund_total, amount_refunded, amount_released, rent_payer)
  values ('test', ${payment.address}, 'terms_differ', 1, ${payment.status}, ${payment.sender}, ${payment.recipient},
    ${payment.amount}::numeric, ${payment.asset}, ${payment.protectionPeriod}, ${payment.createdAt}, ${payment.protectionDeadline},
    ${payment.disputedAt}::timestamptz, ${payment.settledAt}::timestamptz, ${payment.refundedAt}::timestamptz, now(), 1,
    ${payment.outcome}, ${payment.refundTotal}::numeric, ${payment.amountRefunded}::numeric, ${payment.amountReleased}::numeric,
    ${sponsor(payment)})`;

const sponsor = ({ rentPayer, sender }: ChainPayment): string | null => (rentPayer === sender ? null : rentPayer);
