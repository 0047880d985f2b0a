import { openAddressBook } from "../features/buyerEmails/actions.ts";
import {
  type BuyerLanguages,
  buyerConfirmationFinder,
  buyerUpdateFinder,
  findConfirmed,
  findTexts,
  isStopped,
} from "../features/buyerEmails/gather.ts";
import type { Context } from "../features/context.ts";
import { addressLinkFinder, buyerNewsFinder } from "../features/disputes/address/gather.ts";
import { warningFinder } from "../features/disputes/desk/warnings.ts";
import { memberNewsFinder } from "../features/disputes/notices/gather.ts";
import type { Finders } from "../features/emails/email.ts";
import { invitationLinkFinder } from "../features/staff/members/actions.ts";
import { passwordLinkFinder } from "../features/staff/signIn/actions.ts";

/** Finds, when an email is sent, the facts that its row does not hold. Without keys it opens no addresses of buyers. */
export const emailFinders = (ctx: Context, languages: BuyerLanguages): Finders => {
  const { database, checkoutUrl } = ctx;
  const mailboxes = {
    book: ctx.sealing && openAddressBook(ctx, ctx.sealing),
    findConfirmed: (intentId: string) => findConfirmed(ctx, languages, intentId),
    findTexts: (intentId: string) => findTexts(ctx, languages, intentId),
    isStopped: (address: string) => isStopped(ctx, address),
  };
  return {
    password_link: passwordLinkFinder(ctx),
    invitation: invitationLinkFinder(ctx),
    address_link: addressLinkFinder(database, checkoutUrl, mailboxes),
    member_news: memberNewsFinder(database),
    buyer_news: buyerNewsFinder(database, mailboxes),
    buyer_confirmation: buyerConfirmationFinder(ctx, languages),
    buyer_update: buyerUpdateFinder(ctx, languages),
    arbiter_warning: warningFinder(database),
  };
};
