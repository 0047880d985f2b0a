import type { Merchant } from "../../domain/callers.ts";
import { type JsonText, showFields, showText } from "../../domain/show.ts";

/** §2.3: the business a key belongs to, as that key sees it. */
export const showBusiness = (caller: Merchant, name: string): JsonText =>
  showFields({
    object: '"business"',
    id: `"${caller.businessId}"`,
    name: showText(name),
    environment: `"${caller.environment}"`,
    apiKey: `{"id":"${caller.keyId}"}`,
  });

/** 1 to 100 characters without control characters or white space at either end. */
export const isBusinessName = (name: string): boolean => /^\P{Cc}{1,100}$/u.test(name) && name.trim() === name;
