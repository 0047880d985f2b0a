import { type ChainSender, ChainUnavailableError, type DuePart, type PayOutAnswer } from "../../chain/port.ts";
import { failpoint } from "../../lib/failpoint.ts";
import type { Bundle } from "./dueParts.ts";

/** What became of a part: `sent`, or maybe so; `unanswered`, no node said; `untried`, there was no time or no money for it. */
export type PartEnd =
  | { readonly kind: "sent" | "overtaken" | "unanswered" | "untried" }
  | { readonly kind: "refused"; readonly reason: string };

export interface PayOuts {
  /** Of every part of the bundles. */
  readonly ends: ReadonlyMap<DuePart, PartEnd>;
  /** Why the fee payer cannot pay; null: it can. */
  readonly feePayer: string | null;
  /** What the last of the unanswered calls said. */
  readonly unanswered: Error | null;
}

/**
 * Sends the bundles, several at once. A part is only refused by itself: where a transaction of several fails in simulation,
 * the part that it stopped at goes alone and the rest without it; where it fails as a whole, each goes alone. So nothing
 * that the accounts of one payment are made to do can keep another's from leaving.
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
      // Whatever a payment makes go wrong here concerns it alone, too.
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

  // What one of them puts into the queue again, another that was done before takes up.
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
