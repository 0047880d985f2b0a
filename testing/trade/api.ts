import type { TestInstance } from "../instance.ts";

const CALL_MS_MAX = 60_000;

type Json = Readonly<Record<string, unknown>>;

export interface TradedPayment {
  readonly id: string;
  readonly status: "protected" | "disputed" | "released" | "refunded";
  readonly amount: string;
  readonly refundTotal: string;
  readonly outcome: string | null;
  readonly disputedAt: string | null;
  readonly lateReason: string | null;
  readonly createdAt: string;
}

export interface TradedIntent extends Json {
  readonly id: string;
  readonly status: "requires_payment" | "paid" | "expired" | "canceled";
  readonly payment: TradedPayment | null;
}

export interface TradedEvent extends Json {
  readonly id: string;
  readonly type: string;
  readonly sequence: string;
  readonly apiVersion: string;
}

export async function readApi<Data>({ apiUrl, apiKey }: TestInstance, path: string): Promise<Data> {
  const headers = { Authorization: `Bearer ${apiKey}` };
  const answer = await fetch(`${apiUrl}${path}`, { headers, signal: AbortSignal.timeout(CALL_MS_MAX) });
  if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`);
  return (await answer.json()) as Data;
}

/** The intents of an order, oldest first. */
export async function readIntents(holdfast: TestInstance, reference: string): Promise<TradedIntent[]> {
  const path = `/payment-intents?limit=100&merchant_reference=${encodeURIComponent(reference)}`;
  return (await readApi<{ data: TradedIntent[] }>(holdfast, path)).data.reverse();
}
