import { UnreadList } from "../../chain/fetchOrLeave.ts";
import type { ChainContext } from "../context.ts";

/** For a loop of this chain that reads accounts of payments. */
export const unreadIn = ({ chain, log }: ChainContext, loop: string): UnreadList =>
  new UnreadList(`${chain.environment} ${loop}: the account of a payment`, log);
