import type { Log } from "../lib/log.ts";
import { findWanted, type SignedAction, type WantedAction } from "./acts.ts";
import type { ChainBuilder } from "./builder.ts";
import { type ChainReader, unlessAway } from "./port.ts";

export type SubmitAnswer =
  /** Sent, and sent again until it lands or cannot land any more. */
  | { readonly kind: "sent"; readonly signature: string; readonly action: SignedAction }
  /** Not a fully signed transaction with an action on the payment. */
  | { readonly kind: "invalid"; readonly reason: string }
  | { readonly kind: "would_fail"; readonly reason: string }
  /** Its blockhash has ended: nothing was sent, and nothing of it can land. */
  | { readonly kind: "ended" }
  /** As many transactions as this process follows, or follows for one kind of action on a payment, are on their way. */
  | { readonly kind: "busy" };

/** Sends the actions that people signed. A restart forgets them: whoever signed one may hand it in again. */
export interface ActionSender {
  submit(transaction: string, wanted: WantedAction, options: { readonly signal: AbortSignal }): Promise<SubmitAnswer>;
  /** Checks all that are on their way once, and sends them again. Returns false: it is a step of a loop. */
  resend(signal: AbortSignal): Promise<boolean>;
}

/** The wait between two rounds of sending. */
export const RESEND_MS = 2_000;
/**
 * Transactions that would land: those that one process follows at once, those of one kind on a payment, and those sent at
 * once. One side of a payment signs each kind, so a shop whose refunds never land keeps no buyer's dispute out. Where the
 * process follows as many as it can, the largest such group gives up its oldest, which was sent several times by then.
 */
const FOLLOWED_MAX = 500;
const OF_KIND_MAX = 10;
/**
 * Transactions whose blockhash a node did not know. Anyone can make them up, so a further one replaces the oldest, and none
 * takes the place of one that would land.
 */
const UNTRIED_MAX = 50;
const SENT_AT_ONCE = 10;
const ROUND_MS = 10_000;

interface ActionSenderDeps {
  readonly builder: Pick<ChainBuilder, "readSigned" | "tryTransaction" | "sendTransaction" | "canStillLand">;
  readonly reader: Pick<ChainReader, "fetchSignatureStatuses">;
  readonly log: Log;
}

interface Followed {
  readonly transaction: string;
  readonly payment: string;
  readonly kind: SignedAction["kind"];
  readonly wouldLand: boolean;
}

/** Returns the signatures that give way to one more that would land: none while there is room. "nobody": it is one too many. */
function findLeaving(
  followed: readonly (readonly [signature: string, one: Followed])[],
  wanted: Pick<Followed, "payment" | "kind">,
): readonly string[] | "nobody" {
  const groupOf = ({ payment, kind }: Pick<Followed, "payment" | "kind">) => `${payment} ${kind}`;
  const groups = Map.groupBy(followed, ([, one]) => groupOf(one));
  const own = groups.get(groupOf(wanted))?.length ?? 0;
  if (own >= OF_KIND_MAX) return "nobody";
  if (followed.length < FOLLOWED_MAX) return [];
  const largest = [...groups.values()].reduce((most, group) => (group.length > most.length ? group : most));
  return largest.length > own + 1 ? [largest[0]![0]] : "nobody";
}

export function createActionSender({ builder, reader, log }: ActionSenderDeps): ActionSender {
  const followed = new Map<string, Followed>();

  /** Follows a transaction from now on. Returns false if too many are followed. */
  function follow(signature: string, one: Followed): boolean {
    const known = followed.get(signature);
    const alike = [...followed].filter(([, { wouldLand }]) => wouldLand === one.wouldLand);
    if (one.wouldLand && known?.wouldLand !== true) {
      const leaving = findLeaving(alike, one);
      if (leaving === "nobody") return false;
      for (const signature of leaving) followed.delete(signature);
    }
    if (!one.wouldLand && known === undefined && alike.length >= UNTRIED_MAX) followed.delete(alike[0]![0]);
    const wouldLand = one.wouldLand || known?.wouldLand === true;
    followed.set(signature, { ...one, wouldLand });
    return true;
  }

  async function sendAgain(signature: string, { transaction }: Followed, signal: AbortSignal): Promise<void> {
    if (await builder.canStillLand(transaction, { signal })) await builder.sendTransaction(transaction, { signal });
    else followed.delete(signature);
  }

  return {
    async submit(transaction, wanted, { signal }) {
      const signed = await builder.readSigned(transaction);
      if (signed.kind === "invalid") return signed;
      const { signature } = signed;
      const { payment } = wanted;
      const action = findWanted(signed, wanted);
      if (action === null) return { kind: "invalid", reason: "it does something else" };
      const trial = await builder.tryTransaction(transaction, { signal });
      if (trial.kind === "would_fail" || trial.kind === "ended") return trial;
      // Nodes say of one that landed, and failed, that they have it already.
      const { value } = await reader.fetchSignatureStatuses([signature], { signal });
      const status = value[0] ?? null;
      if (status?.failed === true && status.commitment !== "processed")
        return { kind: "would_fail", reason: "it failed on chain" };
      const wouldLand = trial.kind === "would_land";
      if (!follow(signature, { transaction, payment, kind: action.kind, wouldLand })) return { kind: "busy" };
      await builder
        .sendTransaction(transaction, { signal })
        .catch((error: unknown) => log("A signed action could not be sent at once; it is sent again.", error));
      return { kind: "sent", signature, action };
    },

    async resend(stopping) {
      if (followed.size === 0) return false;
      const signal = AbortSignal.any([stopping, AbortSignal.timeout(ROUND_MS)]);
      const all = [...followed];
      const statuses = await reader.fetchSignatureStatuses(
        all.map(([signature]) => signature),
        { signal },
      );
      // A transaction that landed is done, also where it failed; a block that is only processed may be dropped.
      const waiting = all.filter(([signature], at) => {
        const status = statuses.value[at] ?? null;
        const isDone = status !== null && status.commitment !== "processed";
        if (isDone) followed.delete(signature);
        return !isDone;
      });
      for (let at = 0; at < waiting.length; at += SENT_AT_ONCE)
        await Promise.all(
          waiting.slice(at, at + SENT_AT_ONCE).map(([signature, one]) => unlessAway(sendAgain(signature, one, signal))),
        );
      return false;
    },
  };
}
