import type { PaymentIntent } from "../api/schema.ts";

/** The time that a buyer has to dispute, in words. */
export const PERIODS: Readonly<Record<PaymentIntent["protectionPeriod"], string>> = {
  oneHour: "1 hour",
  oneDay: "1 day",
  threeDays: "3 days",
  sevenDays: "7 days",
  fourteenDays: "14 days",
  thirtyDays: "30 days",
};

/** The words of a period; another text as it is. */
export const periodWords = (period: string): string => (PERIODS as Readonly<Record<string, string>>)[period] ?? period;
