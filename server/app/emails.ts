import { addressLinkFinder, buyerNewsFinder } from "../features/disputes/address/gather.ts";
import { warningFinder } from "../features/disputes/desk/warnings.ts";
import { memberNewsFinder } from "../features/disputes/notices/gather.ts";
import type { Finders } from "../features/emails/email.ts";
import type { Sites } from "../features/emails/texts.ts";
import { invitationLinkFinder } from "../features/staff/members/actions.ts";
import { passwordLinkFinder } from "../features/staff/signIn/actions.ts";
import type { Database } from "../store/database.ts";

/** Finds, when an email is sent, the facts that its row does not hold. */
export const emailFinders = (database: Database, { dashboardUrl, checkoutUrl }: Sites): Finders => ({
  password_link: passwordLinkFinder({ database, dashboardUrl }),
  invitation: invitationLinkFinder({ database, dashboardUrl }),
  address_link: addressLinkFinder(database, checkoutUrl),
  member_news: memberNewsFinder(database),
  buyer_news: buyerNewsFinder(database),
  arbiter_warning: warningFinder(database),
});
