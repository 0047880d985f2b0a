import type { Actor } from "./callers.ts";

/** Changes in a business that its owners are told by mail. */
export type BusinessNotice =
  | "key_issued"
  | "key_rolled"
  | "endpoint_added"
  | "endpoint_moved"
  | "role_changed"
  | "member_removed"
  | "member_joined";

/**
 * Mails the owners of a business, after the answer is sent. `about` names the changed object, and may hold text of other
 * people.
 */
export type NotifyOwners = (businessId: string, notice: BusinessNotice, actor: Actor, about: string) => void;

/** §4.18.11: what members are told about disputes by mail, each by their own choice. */
export const DISPUTE_NOTICES = ["opened", "turn", "due_soon", "offer", "closed"] as const;
export type DisputeNotice = (typeof DISPUTE_NOTICES)[number];
