import { ENGLISH as LANGUAGE } from "../languages/english.ts";

export { LANGUAGE };

/** The dispute's page is in English alone. */
export const { page: ENGLISH, receipt: RECEIPT_ENGLISH } = LANGUAGE;
