import { type ClosedPayment, isClosed } from "../../../chain/port.ts";
import type { AccountState, KnownPayment } from "./state.ts";

/**
 * The account of a recorded payment. If it is closed, its terms are the recorded ones, and its end is the tombstone's.
 * The amount is the sum of what both sides got, so another payment's tombstone shows a wrong amount.
 */
export const stateOf = (known: KnownPayment, account: AccountState | ClosedPayment): AccountState =>
  isClosed(account)
    ? {
        address: account.address,
        paymentId: account.paymentId,
        sender: known.sender,
        recipient: known.recipient,
        amount: String(BigInt(account.amountReleased) + BigInt(account.amountRefunded)),
        asset: known.asset,
        protectionPeriod: known.protectionPeriod,
        createdAt: known.createdAt,
        protectionDeadline: known.protectionDeadline,
        arbiter: known.arbiter,
        rentPayer: known.rentPayer ?? known.sender,
        termsHash: known.termsHash,
        status: account.status,
        outcome: account.outcome,
        refundTotal: account.amountRefunded,
        amountRefunded: account.amountRefunded,
        amountReleased: account.amountReleased,
        disputedAt: account.disputedAt,
        settledAt: account.settledAt,
        refundedAt: account.refundedAt,
      }
    : account;
