import { WALLET_TEXTS } from "@holdfast/ui/walletTexts.ts";
import { BUYER_ENGLISH } from "../../../domain/buyerTexts.ts";
import { REFUSALS_ENGLISH } from "../../../edge/buyer/refusalTexts.ts";
import { ACTION_ENGLISH } from "./actionTexts.ts";
import { DISPUTE_EMAIL_ENGLISH } from "./disputeEmailTexts.ts";
import { DISPUTE_FORM_ENGLISH } from "./disputeFormTexts.ts";
import { DISPUTE_PAGE_ENGLISH } from "./disputePageTexts.ts";
import { EMAIL_ENGLISH } from "./emailPageTexts.ts";
import { draftLanguage, type LanguageTexts } from "./language.ts";
import { LINK_ENGLISH } from "./linkTexts.ts";
import { PAGE_ENGLISH } from "./pageTexts.ts";
import { RECEIPT_ENGLISH } from "./receiptTexts.ts";

/** English, in which the pages are written: its texts are in a file for each of them. */
export const ENGLISH_TEXTS: LanguageTexts = {
  tag: "en",
  name: "English",
  locale: "en-GB",
  direction: "ltr",
  readBy: "the authors",
  wallet: WALLET_TEXTS,
  page: PAGE_ENGLISH,
  link: LINK_ENGLISH,
  receipt: RECEIPT_ENGLISH,
  actions: ACTION_ENGLISH,
  disputeForm: DISPUTE_FORM_ENGLISH,
  dispute: DISPUTE_PAGE_ENGLISH,
  emailPages: EMAIL_ENGLISH,
  emails: BUYER_ENGLISH,
  disputeEmails: DISPUTE_EMAIL_ENGLISH,
  refusals: REFUSALS_ENGLISH,
};
export const ENGLISH = draftLanguage(ENGLISH_TEXTS);
