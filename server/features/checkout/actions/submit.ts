import type { ActionSender } from "../../../chain/actionSender.ts";
import type { Environment } from "../../../domain/terms.ts";
import { submitAct } from "../../../edge/acts/steps.ts";
import { complete } from "../sponsoring/cosign.ts";
import { type ActionBuildDeps, requirePayment, sponsoredIntentOf } from "./build.ts";

export interface ActionSubmitDeps extends ActionBuildDeps {
  /** Throws `ChainUnavailableError` if no chain is configured any more. */
  readonly actionSenderOf: (environment: Environment) => ActionSender;
}

/**
 * Accepts an action that a wallet signed, and sends it until it lands or no longer can. Only the effect counts: the
 * wallet may have added instructions.
 */
export async function submitAction(deps: ActionSubmitDeps, address: string, given: unknown): Promise<string> {
  const payment = await requirePayment(deps.database, address);
  const { environment } = payment;
  const sender = deps.actionSenderOf(environment);
  const intent = sponsoredIntentOf(payment, address);
  const transaction = typeof given === "string" ? await complete(deps, deps.builderOf(environment), intent, given) : "";
  return (await submitAct(sender, transaction, { payment: address }, "buyer")).signature;
}
