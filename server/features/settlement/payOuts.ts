import { type ChainSender, ChainUnavailableError, type DuePart, type PayOutAnswer } from "../../chain/port.ts";
import { failpoint } from "../../lib/failpoint.ts";
import type { Bundle } from "./dueParts.ts";

/** The end of a part: `sent`, or possibly so; `unanswered`, no node answered; `untried`, time or money ran out first. */
export type PartEnd =
  | { readonly kind: "sent" | "overtaken" | "unanswered" | "untried" }
  | { readonly kind: "refused"; readonly reason: string };

export interface PayOuts {
  /** The end of every part of the bundles. */
  readonly ends: ReadonlyMap<DuePart, PartEnd>;
  /** The reason why the fee payer cannot pay; null if it can. */
  readonly feePayer: string | null;
  /** The error of the last unanswered call. */
  readonly unanswered: Error | null;
}

/**
 * Sends the bundles, several at once. A part is refused only for its own fault: if a transaction of several fails in
 * simulation, the failing part goes alone and the rest without it; if it fails as a whole, each part goes alone. So no
 * state of one payment's accounts can keep another's from leaving.
 */
export async function payOutBundles(
  sender: ChainSender,
  bundles: readonly Bundle[],
  { concurrency, signal }: { readonly concurrency: number; readonly signal: AbortSignal },
): Promise<PayOuts> {
  const queue = [...bundles];
  const ends = new Map<DuePart, PartEnd>(
    bundles.flatMap(({ parts }) => parts).map((part) => [part, { kind: "untried" }]),
  );
  const end = (parts: readonly DuePart[], how: PartEnd) => {
    for (const part of parts) ends.set(part, how);
  };
  let feePayer: string | null = null;
  let unanswered: Error | null = null;

  async function payOut({ parts, isDivisible }: Bundle): Promise<void> {
    const alone = (part: DuePart) => queue.push({ parts: [part], isDivisible: true });
    failpoint("keeper.before_send");
    const answer = await sender.payOut(parts, { signal }).catch((error: unknown): PayOutAnswer | null => {
      // Any other error that a payment causes here concerns it alone, too.
      if (!(error instanceof ChainUnavailableError)) return { kind: "refused", part: null, reason: String(error) };
      unanswered = error;
      return null;
    });
    failpoint("keeper.after_send");
    if (answer === null) end(parts, { kind: "unanswered" });
    else if (answer.kind === "sent" || answer.kind === "unknown") end(parts, { kind: "sent" });
    else if (answer.kind === "fee_payer") feePayer = answer.reason;
    else if (answer.kind === "overtaken") {
      end([answer.part], { kind: "overtaken" });
      const rest = parts.filter((part) => part !== answer.part);
      if (rest.length > 0) queue.push({ parts: rest, isDivisible });
    } else if (parts.length === 1 || !isDivisible) end(parts, { kind: "refused", reason: answer.reason });
    else if (answer.part === null) parts.forEach(alone);
    else {
      alone(answer.part);
      queue.push({ parts: parts.filter((part) => part !== answer.part), isDivisible });
    }
  }

  // Each payout that ends starts the next ones, also those that another put back into the queue.
  await new Promise<void>((resolve, reject) => {
    let underWay = 0;
    const fill = () => {
      while (underWay < concurrency && feePayer === null && !signal.aborted && queue.length > 0) {
        underWay++;
        payOut(queue.shift()!).then(() => {
          underWay--;
          fill();
        }, reject);
      }
      if (underWay === 0) resolve();
    };
    fill();
  });
  return { ends, feePayer, unanswered };
}
