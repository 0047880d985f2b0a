/**
 * Every text of the dashboard, by the folders of its pages. Figures and plurals come from Intl.
 * A text is named in full where it is shown (`texts.keys.title`), so that one search finds it. Modules import it as
 * `* as texts`: a browser loads the texts of a folder with its first page, not before.
 * `{…}` in a text marks the place of an element, such as a time or a link (`filled.tsx`).
 */
export { account } from "./account.ts";
export { acts } from "./acts.ts";
export { api } from "./api.ts";
export { audit } from "./audit.ts";
export { books } from "./books.ts";
export { businesses } from "./businesses.ts";
export { common } from "./common.ts";
export { desk } from "./desk.ts";
export { disputes } from "./disputes.ts";
export { events } from "./events.ts";
export { exports } from "./exports.ts";
export { home } from "./home.ts";
export { inspector } from "./inspector.ts";
export { keys } from "./keys.ts";
export { links } from "./links.ts";
export { members } from "./members.ts";
export { newPayment } from "./newPayment.ts";
export { objects } from "./objects.ts";
export { pages } from "./pages.ts";
export { parts } from "./parts.ts";
export { payment } from "./payment.ts";
export { paymentLists } from "./paymentLists.ts";
export { payments } from "./payments.ts";
export { profile } from "./profile.ts";
export { recipients } from "./recipients.ts";
export { refund } from "./refund.ts";
export { requests } from "./requests.ts";
export { shell } from "./shell.ts";
export { signIn } from "./signIn.ts";
export { values } from "./values.ts";
export { webhooks } from "./webhooks.ts";
