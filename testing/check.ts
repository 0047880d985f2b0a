import { type Effects, type Exchange, type Handler, isTaken } from "./handler.ts";
import type { Mend } from "./mend.ts";

export type Group = "authenticity" | "answering" | "effects" | "robustness";

/** A mistake that a check has found. */
export interface Failure {
  /** The delivery that showed it. */
  readonly sent: string;
  /** The answer, or the effects. */
  readonly came: string;
}

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
  readonly needs?: "probe" | "refunds" | "two secrets";
  /** A mistake that no money depends on is a note. */
  readonly isNote?: true;
  readonly run: (handler: Handler) => Promise<Failure | null>;
}

export const textOf = ({ status, error, ms }: Exchange): string => `${status ?? error} after ${ms} ms`;

/** Fails unless the delivery is answered by a 2xx. */
export const expectTaken = (exchange: Exchange): Failure | null =>
  isTaken(exchange) ? null : { sent: exchange.sent, came: textOf(exchange) };

/** Fails if the delivery is answered by a 2xx. */
export const expectRefused = (exchange: Exchange): Failure | null =>
  isTaken(exchange) ? { sent: exchange.sent, came: `${textOf(exchange)}: taken` } : null;

/** Fails unless the shop has done exactly this for the order. */
export async function expectEffects(
  handler: Handler,
  reference: string,
  last: Exchange,
  wanted: Effects | ((effects: Effects) => boolean),
): Promise<Failure | null> {
  const isWanted =
    typeof wanted === "function"
      ? wanted
      : (effects: Effects) =>
          effects.fulfilled === wanted.fulfilled &&
          (wanted.refunded === undefined || effects.refunded === undefined || effects.refunded === wanted.refunded);
  const found = await handler.effects(reference, isWanted);
  if (isWanted(found)) return null;
  const refunded = found.refunded === undefined ? "" : `, taken back ${found.refunded} times`;
  return {
    sent: last.sent,
    came: `${textOf(last)}; order ${reference} was fulfilled ${found.fulfilled} times${refunded}`,
  };
}
