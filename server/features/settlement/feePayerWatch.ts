import type { ChainSender } from "../../chain/port.ts";
import type { Level } from "../../lib/log.ts";

/** The interval between reads of the balance, and between tries with an empty fee payer, in real time. */
const EVERY_MS = 60_000;
const LAMPORTS_PER_SOL = 1e9;

/** Watches the balance of the fee payer and warns once, before it is empty. */
export interface FeePayerWatch {
  /** Reads the balance if that is due. Returns false if the fee payer recently could not pay. */
  mayPay(signal: AbortSignal): Promise<boolean>;
  /** Records that the fee payer could not pay. */
  noteEmpty(reason: string): void;
}

export function createFeePayerWatch(sender: ChainSender, log: (message: string, level?: Level) => void): FeePayerWatch {
  let readAtMs = Number.NEGATIVE_INFINITY;
  let isEmpty = false;
  let isLow = false;

  function note(balance: bigint): void {
    const shown = `the fee payer ${sender.feePayer} holds ${Number(balance) / LAMPORTS_PER_SOL} SOL`;
    const isNowLow = balance < sender.balanceMin;
    if (isNowLow && !isLow) log(`${shown}. Send it more: when it is empty, nothing is paid out.`, "error");
    if (!isNowLow && isLow) log(`${shown} again.`);
    isLow = isNowLow;
  }

  return {
    async mayPay(signal) {
      if (performance.now() - readAtMs < EVERY_MS) return !isEmpty;
      note(await sender.fetchBalance({ signal }));
      readAtMs = performance.now();
      isEmpty = false;
      return true;
    },
    noteEmpty(reason) {
      if (!isLow)
        log(`the fee payer ${sender.feePayer} cannot pay (${reason}): nothing is paid out until it can.`, "error");
      isEmpty = true;
      isLow = true;
    },
  };
}
