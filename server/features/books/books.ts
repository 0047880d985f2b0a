import { type ChainPayment, type Holding, isPayment } from "../../chain/port.ts";
import type { Environment } from "../../domain/terms.ts";
import { digits, type FieldsOf, integer, nullable, slot, table, text, time, word } from "../../lib/columns.ts";
import type { Payment } from "../payments/payment.ts";

/**
 * The kinds of findings of a comparison with the chain. `gift`: the vault holds more than is to leave. All others are
 * differences.
 */
export const FINDING_KINDS = ["vault_short", "record_differs", "record_missing", "sums_differ", "gift"] as const;
export type FindingKind = (typeof FINDING_KINDS)[number];

const OF_TENANT = { businessId: word(), environment: word<Environment>() };

/** What a comparison found. */
export const BOOKS_FINDINGS = table("books_findings", {
  ...OF_TENANT,
  asset: word(),
  /** Empty for the sums of a token. */
  payment: text(),
  kind: word<FindingKind>(),
  amount: digits("numeric"),
  detail: nullable(text()),
  slot: nullable(slot()),
  foundAt: time(),
});
type FindingRow = FieldsOf<typeof BOOKS_FINDINGS.columns>;
export type Finding = Omit<FindingRow, "businessId" | "environment" | "foundAt">;

/** The sums of a comparison by token. */
export const BOOKS_ASSETS = table("books_assets", {
  ...OF_TENANT,
  asset: word(),
  payments: integer(),
  held: digits("numeric"),
  vaults: digits("numeric"),
  gifts: digits("numeric"),
  giftPayments: integer(),
  slotMin: nullable(slot()),
  slotMax: nullable(slot()),
});
export type ComparedAsset = Omit<FieldsOf<typeof BOOKS_ASSETS.columns>, "businessId" | "environment">;

/** The fields of a payment that its record on chain has, too. */
export const COMPARED = [
  "asset",
  "recipient",
  "sender",
  "amount",
  "status",
  "outcome",
  "refundTotal",
  "amountRefunded",
  "amountReleased",
] as const satisfies readonly (keyof Payment & keyof ChainPayment)[];

/** A payment by the books, of which a part has not left yet. */
export interface BookedPayment extends Pick<Payment, (typeof COMPARED)[number]> {
  readonly address: string;
  readonly recordedSequence: string;
  readonly observedSlot: number;
}

/** The part of a payment that has not left yet. */
const toLeave = (payment: Pick<Payment, "amount" | "amountRefunded" | "amountReleased">): bigint =>
  BigInt(payment.amount) - BigInt(payment.amountRefunded) - BigInt(payment.amountReleased);

const distance = (one: bigint, other: bigint): bigint => (one > other ? one - other : other - one);

/**
 * Compares a payment by the books with its record and vault at one slot. The vault has to hold at least what is to leave by
 * the record of that slot; the books have to say the same as the record.
 */
export function compareHolding(booked: BookedPayment, { account, vault }: Holding, slot: number): Finding[] {
  const { address: payment, asset } = booked;
  const find = (kind: FindingKind, amount: string, detail: string | null = null): Finding[] => [
    { asset, payment, kind, amount, detail, slot },
  ];
  const byBooks = toLeave(booked);
  if (account === null) return find("record_missing", String(byBooks));
  // A tombstone: all has left.
  if (!isPayment(account)) return find("record_differs", String(byBooks), "status");
  const byRecord = toLeave(account);
  const held = BigInt(vault ?? "0");
  const differing = COMPARED.filter((field) => booked[field] !== account[field]);
  return [
    ...(held < byRecord ? find("vault_short", String(byRecord - held)) : []),
    ...(differing.length > 0 ? find("record_differs", String(distance(byBooks, byRecord)), differing.join(", ")) : []),
    ...(held > byRecord ? find("gift", String(held - byRecord)) : []),
  ];
}

export const isGift = ({ kind }: Pick<Finding, "kind">): boolean => kind === "gift";

/** The sums of a token by payments, and by days. */
export interface SumPair {
  readonly asset: string;
  readonly name: string;
  readonly byPayments: string;
  readonly byDays: string;
}

const distanceOf = ({ byPayments, byDays }: SumPair): bigint => distance(BigInt(byPayments), BigInt(byDays));

/** The findings of sums that differ, one a token. */
export function compareSums(pairs: readonly SumPair[]): Finding[] {
  const differing = pairs.filter(({ byPayments, byDays }) => BigInt(byPayments) !== BigInt(byDays));
  return [...Map.groupBy(differing, ({ asset }) => asset)].map(([asset, of]) => ({
    asset,
    payment: "",
    kind: "sums_differ" as const,
    amount: String(of.map(distanceOf).sort((one, other) => (one < other ? 1 : -1))[0]!),
    detail: of.map(({ name, byPayments, byDays }) => `${name}: ${byDays}, by payments ${byPayments}`).join("; "),
    slot: null,
  }));
}

/** Adds up the sums of a comparison by token. */
export class ComparedSums {
  readonly #assets = new Map<string, Sums>();

  add({ asset, ...booked }: BookedPayment, { account, vault }: Holding, slot: number): void {
    const sums = this.#assets.get(asset) ?? {
      payments: 0,
      held: 0n,
      vaults: 0n,
      gifts: 0n,
      giftPayments: 0,
      slots: [],
    };
    const held = BigInt(vault ?? "0");
    const more = account !== null && isPayment(account) ? held - toLeave(account) : 0n;
    this.#assets.set(asset, {
      payments: sums.payments + 1,
      held: sums.held + toLeave(booked),
      vaults: sums.vaults + held,
      gifts: sums.gifts + (more > 0n ? more : 0n),
      giftPayments: sums.giftPayments + (more > 0n ? 1 : 0),
      slots: [Math.min(slot, ...sums.slots), Math.max(slot, ...sums.slots)],
    });
  }

  list = (): ComparedAsset[] =>
    [...this.#assets].map(([asset, { payments, held, vaults, gifts, giftPayments, slots }]) => ({
      asset,
      payments,
      held: String(held),
      vaults: String(vaults),
      gifts: String(gifts),
      giftPayments,
      slotMin: slots[0] ?? null,
      slotMax: slots[1] ?? null,
    }));
}

interface Sums {
  readonly payments: number;
  readonly held: bigint;
  readonly vaults: bigint;
  readonly gifts: bigint;
  readonly giftPayments: number;
  /** The lowest and the highest. */
  readonly slots: readonly number[];
}
