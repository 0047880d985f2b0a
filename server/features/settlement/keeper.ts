import { type ChainSender, isPayment } from "../../chain/port.ts";
import { failpoint } from "../../lib/failpoint.ts";
import { listSettleable } from "./queries.ts";
import type { SettlementDeps } from "./settleable.ts";

const READ_MS = 20_000;
/** A payment that was refused (its token account is frozen, say) is tried again after this, doubled each time up to the last. */
const RETRY_FIRST_MS = 60_000;
const RETRY_MAX_MS = 3_600_000;
/** A payment whose transaction was sent is left alone for as long as that may still land. */
const SENT_MS = 90_000;
const WAITING_MAX = 10_000;

interface Wait {
  readonly untilMs: number;
  readonly refusals: number;
}

/**
 * Settles due payments, several a transaction, at the deployment's own expense. No failure changes the books: the sweep
 * alone records what the chain did, so a payment sent twice or never costs only a fee or a delay. A step sends at most one
 * transaction, and returns whether there may be more to settle.
 */
export function createKeeper(
  { chain, database }: SettlementDeps,
  sender: ChainSender,
  log: (message: string) => void,
): (stopping: AbortSignal) => Promise<boolean> {
  const waiting = new Map<string, Wait>();
  const wait = (address: string, ms: number, refusals: number) => {
    if (waiting.size >= WAITING_MAX) waiting.delete(waiting.keys().next().value!);
    waiting.set(address, { untilMs: Date.now() + ms, refusals });
  };

  return async (stopping) => {
    const signal = AbortSignal.any([stopping, AbortSignal.timeout(READ_MS)]);
    const resting = [...waiting].filter(([, { untilMs }]) => untilMs > Date.now()).map(([address]) => address);
    const due = await listSettleable(database, chain.environment, resting, sender.settleMax);
    if (due.length === 0) return false;
    const { value } = await chain.reader.fetchPayments(
      due.map((payment) => payment.address),
      { signal },
    );
    const payments = value.filter(isPayment).filter((payment) => payment.status === "protected");
    // A payment that is no longer protected on chain is left to the sweep; meanwhile it is not read again and again.
    for (const { address } of due)
      if (!payments.some((payment) => payment.address === address)) wait(address, SENT_MS, 0);
    if (payments.length === 0) return true;

    failpoint("keeper.before_send");
    const answer = await sender.settle(payments, { signal });
    failpoint("keeper.after_send");
    if (answer.kind === "sent") {
      for (const { address } of payments) wait(address, SENT_MS, 0);
      return true;
    }
    const refusals = (waiting.get(answer.payment)?.refusals ?? 0) + 1;
    wait(answer.payment, Math.min(RETRY_FIRST_MS * 2 ** (refusals - 1), RETRY_MAX_MS), refusals);
    log(`The payment ${answer.payment} cannot be settled now: ${answer.reason}.`);
    return true;
  };
}
