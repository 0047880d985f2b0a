import type { ActionSender, SubmitAnswer } from "../../chain/actionSender.ts";
import type { ActionCommand, BuiltAction, WantedAction } from "../../chain/acts.ts";
import type { ChainBuilder } from "../../chain/builder.ts";
import type { TransactionLife } from "../../chain/lifetime.ts";
import { readDeadline } from "../../chain/port.ts";
import { type Audience, refusalTo } from "./refusals.ts";

/** The steps of every act on a payment: build, submit, and the life of what was built. Each throws in the words of its audience. */

/** Builds an act on a payment, after a trial run. */
export async function buildAct(
  builder: Pick<ChainBuilder, "buildAction">,
  command: ActionCommand,
  audience: Audience,
): Promise<BuiltAction> {
  const built = await builder.buildAction(command, readDeadline());
  if (built.kind !== "built") throw refusalTo(audience, built, command.account);
  return built;
}

/** Sends what a wallet signed until it lands or no longer can, if it does the wanted act. */
export async function submitAct(
  sender: Pick<ActionSender, "submit">,
  transaction: string,
  wanted: WantedAction,
  audience: Audience,
): Promise<Extract<SubmitAnswer, { readonly kind: "sent" }>> {
  const answer = await sender.submit(transaction, wanted, readDeadline());
  if (answer.kind === "sent") return answer;
  throw refusalTo(audience, answer.kind === "would_fail" ? { ...answer, kind: "refused" } : answer);
}

/** Judges a transaction that was given out to sign. */
export async function fetchActLife(
  builder: Pick<ChainBuilder, "fetchLife">,
  transaction: string | null,
  audience: Audience,
  options = readDeadline(),
): Promise<TransactionLife> {
  const life = transaction === null ? null : await builder.fetchLife(transaction, options);
  if (life === null) throw refusalTo(audience, { kind: "unreadable" });
  return life;
}
