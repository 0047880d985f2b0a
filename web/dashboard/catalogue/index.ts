import { account } from "./account.ts";
import { businesses } from "./businesses.ts";
import { common } from "./common.ts";
import { inspector } from "./inspector.ts";
import { keys } from "./keys.ts";
import { members } from "./members.ts";
import { parts } from "./parts.ts";
import { profile } from "./profile.ts";
import { recipients } from "./recipients.ts";
import { shell } from "./shell.ts";
import { signIn } from "./signIn.ts";

/**
 * Every text of the dashboard, by the folders of its pages. Figures and plurals come from Intl.
 * A text is named in full where it is shown (`texts.keys.title`), so that one search finds it.
 * `{…}` in a text marks the place of an element, such as a time or a link (`filled.tsx`).
 */
export const texts = {
  account,
  businesses,
  common,
  inspector,
  keys,
  members,
  parts,
  profile,
  recipients,
  shell,
  signIn,
} as const;
