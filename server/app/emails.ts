import type { Sealing } from "../domain/sealing.ts";
import { openAddressBook } from "../features/buyerEmails/actions.ts";
import {
  type BuyerLanguages,
  buyerConfirmationFinder,
  buyerUpdateFinder,
  findConfirmed,
  findTexts,
  isStopped,
} from "../features/buyerEmails/gather.ts";
import { addressLinkFinder, buyerNewsFinder } from "../features/disputes/address/gather.ts";
import { warningFinder } from "../features/disputes/desk/warnings.ts";
import { memberNewsFinder } from "../features/disputes/notices/gather.ts";
import type { Finders } from "../features/emails/email.ts";
import type { Sites } from "../features/emails/texts.ts";
import { invitationLinkFinder } from "../features/staff/members/actions.ts";
import { passwordLinkFinder } from "../features/staff/signIn/actions.ts";
import type { Database } from "../store/database.ts";

/**
 * Finds, when an email is sent, the facts that its row does not hold. `sealing`: opens the addresses of buyers; null: this
 * process cannot.
 */
export const emailFinders = (
  database: Database,
  { dashboardUrl, checkoutUrl }: Sites,
  languages: BuyerLanguages,
  sealing: Sealing | null = null,
): Finders => {
  const buyers = { database, checkoutUrl, languages, sealing };
  const mailboxes = {
    book: sealing && openAddressBook({ database, sealing }),
    findConfirmed: (intentId: string) => findConfirmed(buyers, intentId),
    findTexts: (intentId: string) => findTexts(buyers, intentId),
    isStopped: (address: string) => isStopped(buyers, address),
  };
  return {
    password_link: passwordLinkFinder({ database, dashboardUrl }),
    invitation: invitationLinkFinder({ database, dashboardUrl }),
    address_link: addressLinkFinder(database, checkoutUrl, mailboxes),
    member_news: memberNewsFinder(database),
    buyer_news: buyerNewsFinder(database, mailboxes),
    buyer_confirmation: buyerConfirmationFinder(buyers),
    buyer_update: buyerUpdateFinder(buyers),
    arbiter_warning: warningFinder(database),
  };
};
