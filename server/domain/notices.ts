import type { Actor } from "./callers.ts";

/** Changes in a business that its owners are written to about. */
export type BusinessNotice =
  | "key_issued"
  | "key_rolled"
  | "endpoint_added"
  | "endpoint_moved"
  | "role_changed"
  | "member_removed"
  | "member_joined";

/** Writes to the owners of a business, behind the answer. `about` is the name, in others' words, of what it was done to. */
export type NotifyOwners = (businessId: string, notice: BusinessNotice, actor: Actor, about: string) => void;
