import { part } from "../../../store/parts.ts";
import { sql } from "../../../store/sql.ts";
import { BUSINESS } from "../../businesses/fragments.ts";
import { EMAILS_GO } from "../../buyerEmails/fragments.ts";
import { CHAIN, TOKEN } from "../../chains/fragments.ts";
import {
  AGREEMENT,
  DECISION,
  DISPUTE_VERSION,
  PAYMENT_FACTS,
  TALK_UNTIL_MS,
  USUAL_OUTCOMES,
} from "../../disputes/parts/fragments.ts";
import { PARTIAL_REFUNDS } from "../../events/fragments.ts";
import { INTENT_TEXTS } from "../../intents/fragments.ts";
import { paymentReader } from "../../payments/fragments.ts";

/** The payments at these addresses, with what decides their states. */
export const listReceipts = paymentReader({});
export const listReceiptsWithToken = paymentReader({ token: TOKEN });
export const listCases = paymentReader({ version: DISPUTE_VERSION });

/** The payments at these addresses, with all that their pages show. */
export const listReceiptPages = paymentReader({
  chain: CHAIN,
  token: TOKEN,
  /** The text behind the hash that the payment names; null if none is kept. */
  terms: part<string | null>(
    ({ termsHash }) => sql`(select t.body from checkout_terms t where t.hash = ${termsHash} limit 1)`,
  ),
  business: BUSINESS,
  intent: INTENT_TEXTS,
  ...PAYMENT_FACTS,
  usualOutcomes: USUAL_OUTCOMES,
  decision: DECISION,
  partialRefunds: PARTIAL_REFUNDS,
  agreement: AGREEMENT,
  talkUntilMs: TALK_UNTIL_MS,
  emailsGo: EMAILS_GO,
});
export type ReceiptPageRow = Awaited<ReturnType<typeof listReceiptPages>>[number];
