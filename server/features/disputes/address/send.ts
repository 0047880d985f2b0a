import type { NoticeDeps } from "../notices/letter.ts";
import { saySentences, subjectOf } from "../notices/letter.ts";
import { deleteNotices, listDueNotices } from "../notices/queries.ts";
import { claimCase, claimLink, purgeAddresses } from "./queries.ts";

/** The step that writes to buyers about their cases (§16.8): links that confirm an address, then news. */
export function createBuyerLetterStep(deps: NoticeDeps & { readonly checkoutUrl: string }): () => Promise<boolean> {
  const { database, environment, mailer } = deps;
  return async () => {
    await purgeAddresses(database);
    if (mailer === null) return false;
    const link = await claimLink(database, environment);
    if (link !== null) {
      await mailer({ to: link.email, ...draftLink(deps.checkoutUrl, link) }).catch((error: unknown) =>
        deps.log("A link that confirms a buyer's address could not be sent.", error),
      );
      return true;
    }
    const claimed = await claimCase(database, environment);
    if (claimed === null) return false;
    const tenant = { businessId: claimed.businessId, environment };
    const due = await listDueNotices(database, tenant, { side: "buyer", disputeId: claimed.disputeId });
    const news = due.filter(({ holds, kind }) => holds && kind !== "opened");
    const first = news[0];
    if (first !== undefined) {
      const text = `${saySentences(news, "shop")}\n\n${caseOf(deps.checkoutUrl, claimed.payment)}\n\nYou can remove your address there.\n`;
      const letter = { to: claimed.email, subject: subjectOf(first.kind, "shop", environment), text };
      try {
        await mailer(letter);
      } catch (error) {
        deps.log("A letter about a dispute could not be sent.", error);
        return true;
      }
    }
    await deleteNotices(database, tenant, "buyer", due);
    return true;
  };
}

const caseOf = (checkoutUrl: string, payment: string): string =>
  `${checkoutUrl.replace(/\/$/, "")}/pay/p/${payment}/case`;

const draftLink = (
  checkoutUrl: string,
  { payment, secret }: { readonly payment: string; readonly secret: string },
) => ({
  subject: "Confirm your email address",
  text: `Open this link within a day to get emails about the dispute of a payment:\n\n${caseOf(checkoutUrl, payment)}#confirm=${secret}\n\nIf you did not enter your address there, you can ignore this email.\n`,
});
