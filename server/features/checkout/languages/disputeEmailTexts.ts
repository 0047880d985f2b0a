import { NEWS_TEXTS } from "@holdfast/ui/disputeTexts.ts";

/** The texts of emails to the buyer of a dispute (§16.8). */
export const DISPUTE_EMAIL_ENGLISH = {
  ...NEWS_TEXTS.buyer,
  remove: "You can remove your address there.",
  confirm: "Confirm your email address",
  confirmText: (link: string) =>
    `Open this link within a day to get emails about the dispute of a payment:\n\n${link}\n\nIf you did not enter your address there, you can ignore this email.\n`,
} as const;
