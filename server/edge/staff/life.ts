import type { ChainBuilder } from "../../chain/builder.ts";
import { showLife } from "../../chain/lifetime.ts";
import { unlessAway } from "../../chain/port.ts";
import { ActionError } from "../../domain/actionError.ts";
import { ApiError } from "../../domain/errors.ts";
import { CHAIN_READ_MS } from "../../domain/limits.ts";
import type { JsonText } from "../../domain/show.ts";

/** Judges a transaction that a page of the staff was given to sign. */
export async function fetchShownLife(builder: Pick<ChainBuilder, "fetchLife">, transaction: string): Promise<JsonText> {
  const read = async () => ({
    life: await builder.fetchLife(transaction, { signal: AbortSignal.timeout(CHAIN_READ_MS) }),
  });
  const answer = await unlessAway(read());
  if (answer === null)
    throw new ApiError(
      "chain_unavailable",
      "The chain could not be read. Retry with backoff.",
      {},
      { retryAfterSeconds: 2 },
    );
  if (answer.life === null) throw new ActionError("transaction_invalid", "This is not a transaction.");
  return showLife(answer.life);
}
