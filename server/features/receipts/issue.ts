import type { SignedReceipt } from "@holdfast/receipt";
import type { Chain } from "../../chain/chain.ts";
import { type ChainReader, readDeadline } from "../../chain/port.ts";
import { isAddress } from "../../domain/addresses.ts";
import type { Environment } from "../../domain/terms.ts";
import { BuyerError } from "../../edge/buyer/error.ts";
import type { KeptAnswers } from "../../lib/keptAnswers.ts";
import { findTermsByHash } from "../checkout/paying/fragments.ts";
import { type SigningContext, signAt } from "./actions.ts";
import { findReceiptFacts } from "./queries.ts";
import { draftReceipt, isAsRecorded, opensReceipt } from "./receipt.ts";

/** The part of the context that signs a receipt: the command line has no more. */
interface ReceiptContext extends SigningContext {
  readonly chainOf: (environment: Environment) => Pick<Chain, "reader">;
}

export type KeptAccounts = KeptAnswers<Awaited<ReturnType<ChainReader["fetchPayments"]>>>;

/** The receipt with all that its key opens, for the operator. */
export async function issueOpenReceipt(ctx: ReceiptContext, address: string): Promise<SignedReceipt> {
  const facts = await findReceiptFacts(ctx.database, address);
  return issueReceipt(ctx, address, facts?.order?.key ?? null);
}

/**
 * The account is read for the receipt: the books may be seconds behind. `accounts` keeps the answers for a moment, since
 * strangers ask too; without it each receipt reads the account.
 */
export async function issueReceipt(
  ctx: ReceiptContext,
  address: string,
  key: string | null,
  accounts?: KeptAccounts,
): Promise<SignedReceipt> {
  const { database, chainOf, checkoutUrl } = ctx;
  const facts = isAddress(address) ? await findReceiptFacts(database, address) : null;
  if (facts === null) throw notFound();
  const { signal } = readDeadline();
  // The address is recorded, so one node without an account there is not believed.
  const options = { signal, minSlot: facts.observedSlot, created: new Set([address]) };
  const fetch = () => chainOf(facts.environment).reader.fetchPayments([address], options);
  const { value, slot } = await (accounts?.read(`${address} ${facts.observedSlot}`, fetch) ?? fetch());
  const account = value[0] ?? null;
  if (account === null) throw notFound();
  if (!isAsRecorded(account, facts))
    throw new BuyerError("unavailable", (texts) => texts.receiptUnchecked, { retryAfterSeconds: 5 });
  const termsHash = "termsHash" in account ? account.termsHash : facts.terms.termsHash;
  const termsText = termsHash === null ? null : await findTermsByHash(database, termsHash);
  const isOpen = opensReceipt(facts, key);
  const signed = await signAt(ctx, (issuedAt) =>
    draftReceipt(facts, { value: account, slot }, { issuer: checkoutUrl, issuedAt, termsText, isOpen }),
  );
  if (signed === null) throw new BuyerError("unavailable", (texts) => texts.receiptUnsigned, { retryAfterSeconds: 60 });
  return signed;
}

const notFound = () => new BuyerError("not_found", (texts) => texts.receiptUnknown);
