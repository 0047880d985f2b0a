import { type Effects, type Exchange, type Handler, isTaken } from "./handler.ts";
import type { Life } from "./life.ts";
import type { Mend } from "./mend.ts";

export type Group = "authenticity" | "answering" | "effects" | "robustness";

/** A mistake that a check has found. */
export interface Failure {
  /** The delivery that showed it. */
  readonly sent: string;
  /** The answer, or the effects. */
  readonly came: string;
}

export type Need = "probe" | "refunds" | "refunded amounts" | "two secrets" | "restart" | "return URL";

/** A check of a handler: it returns null, or the mistake. */
export interface Check {
  readonly name: string;
  readonly group: Group;
  /** The guarantee, in a sentence. */
  readonly says: string;
  /** The loss that the mistake leads to. */
  readonly costs: string;
  readonly mend: Mend;
  /** A check that needs more than the handler's answers is not judged without it. */
  readonly needs?: readonly Need[];
  /** A mistake that no money depends on is a note. */
  readonly isNote?: true;
  readonly run: (handler: Handler) => Promise<Failure | null>;
}

export const textOf = ({ status, error, ms }: Exchange): string => `${status ?? error} after ${ms} ms`;

/** Fails unless the delivery is answered by a 2xx. */
export const expectTaken = (exchange: Exchange): Failure | null =>
  isTaken(exchange) ? null : { sent: exchange.sent, came: textOf(exchange) };

/**
 * Fails if a delivery that is not the service's is answered by a 2xx, or if the shop acts on it: a handler that refuses it
 * may have acted before.
 */
export async function expectRefused(
  handler: Handler,
  { reference }: Life,
  exchange: Exchange,
): Promise<Failure | null> {
  if (isTaken(exchange)) return { sent: exchange.sent, came: `${textOf(exchange)}: taken` };
  return handler.options.probe === undefined
    ? null
    : expectEffects(handler, reference, exchange, { fulfilled: 0, refunded: 0 });
}

/** Fails unless the shop has done exactly this for the order. */
export async function expectEffects(
  handler: Handler,
  reference: string,
  last: Exchange,
  wanted: Partial<Effects> | ((effects: Effects) => boolean),
): Promise<Failure | null> {
  const isWanted =
    typeof wanted === "function"
      ? wanted
      : (effects: Effects) =>
          (wanted.fulfilled === undefined || effects.fulfilled === wanted.fulfilled) &&
          (wanted.refunded === undefined || effects.refunded === undefined || effects.refunded === wanted.refunded) &&
          (wanted.refundedAmount === undefined || effects.refundedAmount === wanted.refundedAmount);
  const found = await handler.effects(reference, isWanted);
  if (isWanted(found)) return null;
  const refunded = found.refunded === undefined ? "" : `, taken back ${found.refunded} times`;
  const amount = found.refundedAmount === undefined ? "" : `, with ${found.refundedAmount} refunded`;
  return {
    sent: last.sent,
    came: `${textOf(last)}; order ${reference} was fulfilled ${found.fulfilled} times${refunded}${amount}`,
  };
}
