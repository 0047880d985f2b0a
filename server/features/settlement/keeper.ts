import { type ChainSender, type DuePart, isPayment } from "../../chain/port.ts";
import { failpoint } from "../../lib/failpoint.ts";
import { dueSides } from "./dueSides.ts";
import { listDue } from "./queries.ts";
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
  /** How often a part of it was sent or refused: each time doubles the wait. */
  readonly times: number;
}

/**
 * Pays out what is due, several parts a transaction, at the deployment's own expense. No failure changes the books: the
 * sweep alone records what the chain did, so a part sent twice or never costs only a fee or a delay. A step sends at most
 * one transaction, or two where one side of a payment cannot be paid, and returns whether there may be more.
 */
export function createKeeper(
  { chain, database, onChanged }: SettlementDeps,
  sender: ChainSender,
  log: (message: string) => void,
): (stopping: AbortSignal) => Promise<boolean> {
  const waiting = new Map<string, Wait>();
  const wait = (address: string, ms: number, times: number) => {
    if (waiting.size >= WAITING_MAX) waiting.delete(waiting.keys().next().value!);
    waiting.set(address, { untilMs: Date.now() + ms, times });
  };
  const waitAgain = (address: string) => wait(address, SENT_MS, waiting.get(address)?.times ?? 0);
  const waitLonger = (address: string, firstMs: number) => {
    const times = (waiting.get(address)?.times ?? 0) + 1;
    wait(address, Math.min(firstMs * 2 ** (times - 1), RETRY_MAX_MS), times);
  };

  return async (stopping) => {
    const signal = AbortSignal.any([stopping, AbortSignal.timeout(READ_MS)]);
    const resting = [...waiting].filter(([, { untilMs }]) => untilMs > Date.now()).map(([address]) => address);
    const due = await listDue(database, chain.environment, resting, sender.payOutMax);
    if (due.length === 0) return false;
    const addresses = due.map(({ address }) => address);
    const { value } = await chain.reader.fetchPayments(addresses, { signal });
    const parts = value
      .filter(isPayment)
      .flatMap((payment) => dueSides(payment, due[0]!.now).map((side) => ({ payment, side })));
    // A payment of which nothing is due on chain is left to the sweep; meanwhile it is not read again and again.
    for (const address of addresses) if (!parts.some(({ payment }) => payment.address === address)) waitAgain(address);
    if (parts.length === 0) return true;

    const chosen = parts.slice(0, sender.payOutMax);
    failpoint("keeper.before_send");
    const answer = await sender.payOut(chosen, { signal });
    failpoint("keeper.after_send");
    if (answer.kind === "sent") {
      // A recipient may refund unit by unit, and each part costs the deployment a fee: so the waits grow here too.
      for (const address of new Set(chosen.map(({ payment }) => payment.address))) waitLonger(address, SENT_MS);
      return true;
    }
    const { address } = answer.part.payment;
    if (answer.kind === "overtaken") {
      waitAgain(address);
      await onChanged([address]);
      return true;
    }
    waitLonger(address, RETRY_FIRST_MS);
    log(`A part of the payment ${address} cannot be paid out now: ${answer.reason}.`);
    // What cannot reach one side is no reason to keep the other's.
    const others = chosen.filter((part) => isOtherSide(part, answer.part));
    if (others.length > 0) await sender.payOut(others, { signal });
    return true;
  };
}

const isOtherSide = (part: DuePart, refused: DuePart): boolean =>
  part.payment.address === refused.payment.address && part.side !== refused.side;
