/** A note to the buyer has one line, as the service stores it; null if there is none. */
export const noteOf = (text: string): string | null => text.replace(/\s+/g, " ").trim() || null;
