/** §4.18.11: what members are told about disputes by email, each by their own choice. */
export const DISPUTE_NOTICES = ["opened", "turn", "due_soon", "offer", "closed"] as const;
export type DisputeNotice = (typeof DISPUTE_NOTICES)[number];
