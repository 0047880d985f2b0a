import type { ActionSender } from "../../../chain/actionSender.ts";
import type { ChainBuilder } from "../../../chain/builder.ts";
import type { TransactionLife } from "../../../chain/lifetime.ts";
import { CHAIN_READ_MS } from "../../../domain/limits.ts";
import type { Environment } from "../../../domain/terms.ts";
import { tooMany } from "../../../edge/buyer/door.ts";
import { BuyerError } from "../../../edge/buyer/error.ts";
import type { ActedPayment } from "../../paymentActions/paymentAction.ts";
import { tooLate } from "../paying/refusals.ts";
import { explainUnsponsored } from "../paying/submit.ts";
import { cosign } from "../sponsoring/cosign.ts";
import type { SponsoringDeps } from "../sponsoring/offer.ts";
import { requirePayment, sponsoredIntentOf } from "./build.ts";
import { wouldFail } from "./refusals.ts";

export interface ActionSubmitDeps extends SponsoringDeps {
  /** Throws `ChainUnavailableError` if no chain is configured any more. */
  readonly actionSenderOf: (environment: Environment) => ActionSender;
  readonly builderOf: (environment: Environment) => ChainBuilder;
}

/**
 * Accepts an action that a wallet signed, and sends it until it lands or no longer can. Only the effect counts: the
 * wallet may have added instructions.
 */
export async function submitAction(deps: ActionSubmitDeps, address: string, given: unknown): Promise<string> {
  const payment = await requirePayment(deps.database, address);
  const sender = deps.actionSenderOf(payment.environment);
  const transaction = typeof given === "string" ? await complete(deps, payment, address, given) : "";
  const signal = AbortSignal.timeout(CHAIN_READ_MS);
  const answer = await sender.submit(transaction, { payment: address }, { signal });
  switch (answer.kind) {
    case "sent":
      return answer.signature;
    case "would_fail":
      throw wouldFail(answer.reason);
    case "ended":
      throw tooLate();
    case "busy":
      throw tooMany(BUSY_SECONDS);
    case "invalid":
      throw new BuyerError("invalid_transaction", `No signed transaction for this payment: ${answer.reason}.`);
  }
}
/** Judges a transaction that acts on a payment. */
export async function fetchActionLife(
  deps: ActionSubmitDeps,
  address: string,
  given: unknown,
): Promise<TransactionLife> {
  const { environment } = await requirePayment(deps.database, address);
  const signal = AbortSignal.timeout(CHAIN_READ_MS);
  const life = typeof given === "string" ? await deps.builderOf(environment).fetchLife(given, { signal }) : null;
  if (life === null) throw new BuyerError("invalid_transaction", "This is not a transaction.");
  return life;
}

/** The transactions that are followed end within minutes. */
const BUSY_SECONDS = 60;

/** Adds the sponsor's signature if the transaction waits for it. */
async function complete(
  { database, sponsorOf, builderOf }: ActionSubmitDeps,
  payment: ActedPayment,
  address: string,
  transaction: string,
): Promise<string> {
  const sponsor = sponsorOf(payment.environment);
  const intent = sponsoredIntentOf(payment, address);
  if (sponsor === null || intent === null) return transaction;
  const answer = await cosign(database, sponsor, intent, transaction);
  if (answer.kind === "refused")
    throw await explainUnsponsored(builderOf(payment.environment), transaction, answer.reason);
  return answer.transaction;
}
