import type { Commitment, ReadOptions } from "../port.ts";

export const commitmentOf = (options: ReadOptions): Commitment => options.commitment ?? "confirmed";

/** The members of a request that tell a node how new its answer has to be. */
export const formOf = (options: ReadOptions) => ({
  commitment: commitmentOf(options),
  ...(options.minSlot === undefined ? {} : { minContextSlot: options.minSlot }),
});
