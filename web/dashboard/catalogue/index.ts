import { account } from "./account.ts";
import { api } from "./api.ts";
import { audit } from "./audit.ts";
import { businesses } from "./businesses.ts";
import { common } from "./common.ts";
import { events } from "./events.ts";
import { inspector } from "./inspector.ts";
import { keys } from "./keys.ts";
import { members } from "./members.ts";
import { objects } from "./objects.ts";
import { pages } from "./pages.ts";
import { parts } from "./parts.ts";
import { payments } from "./payments.ts";
import { profile } from "./profile.ts";
import { recipients } from "./recipients.ts";
import { requests } from "./requests.ts";
import { shell } from "./shell.ts";
import { signIn } from "./signIn.ts";
import { webhooks } from "./webhooks.ts";

/**
 * Every text of the dashboard, by the folders of its pages. Figures and plurals come from Intl.
 * A text is named in full where it is shown (`texts.keys.title`), so that one search finds it.
 * `{…}` in a text marks the place of an element, such as a time or a link (`filled.tsx`).
 */
export const texts = {
  account,
  api,
  audit,
  businesses,
  common,
  events,
  inspector,
  keys,
  members,
  objects,
  pages,
  parts,
  payments,
  profile,
  recipients,
  requests,
  shell,
  signIn,
  webhooks,
} as const;
