import { timingSafeEqual } from "node:crypto";
import { connect } from "./connection";

/** The data of a session that is paid, and of its payment. */
export interface SessionData {
  readonly intent?: string;
  /** Shows that the plugin named the intent: a buyer may write any data into a session. */
  readonly code?: string;
  /** The address of the payment that the shop entered. */
  readonly payment?: string;
  readonly currency_code?: string;
  /** The total in the currency's smallest unit. */
  readonly total?: string;
  /** The part of it that the shop has entered as refunded. */
  readonly refunded?: string;
}

export const stateOf = (data: Record<string, unknown> | undefined): SessionData => (data ?? {}) as SessionData;

/** The data with which the plugin names the intent that pays a session, before it authorizes it. */
export function paidBy(session: string, intent: string): SessionData {
  return { intent, code: connect().codeOf(`${session} ${intent}`) };
}

/** True if the plugin named the intent for this session. */
export function isNamed(session: string | undefined, { intent, code }: SessionData): boolean {
  if (session === undefined || typeof intent !== "string" || typeof code !== "string") return false;
  const wanted = Buffer.from(connect().codeOf(`${session} ${intent}`));
  const found = Buffer.from(code);
  return wanted.length === found.length && timingSafeEqual(wanted, found);
}
