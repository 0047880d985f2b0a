import { isAddress } from "../../../domain/addresses.ts";
import { formatUnits } from "../../../domain/money.ts";
import type { JsonText } from "../../../domain/show.ts";
import { type BuyerCall, type BuyerRoute, buyerRoute, tooMany } from "../../../edge/buyer/door.ts";
import { BuyerError } from "../../../edge/buyer/error.ts";
import { MinuteLimit } from "../../../edge/buyer/limits.ts";
import { ok, type Reply } from "../../../edge/http/route.ts";
import type { ProofDeps } from "../proof/actions.ts";
import { type CaseCall, memberOf, requireCase, requireSession, tenantOf } from "../proof/buyer.ts";
import {
  type AgreementBuild,
  type AgreementDeps,
  type AgreementSubmit,
  buildAgreement,
  showAgreement,
  submitAgreement,
} from "./actions.ts";

const PATH = "/pay/p/:payment/case/agreement";
const REQUESTS_A_MINUTE = 20;
const SOL_DECIMALS = 9;

/** The buyer's part in bringing an agreement to the chain (§16.5). */
export function agreementRoutes(deps: AgreementDeps & ProofDeps): BuyerRoute[] {
  const limit = new MinuteLimit(REQUESTS_A_MINUTE);
  const route = (path: string, act: (given: CaseCall, id: string) => Promise<Reply>): BuyerRoute =>
    buyerRoute("POST", `${PATH}/${path}`, { from: "case" }, async (call: BuyerCall) => {
      const waitSeconds = limit.use(`${call.network} ${call.params.payment}`, performance.now());
      if (waitSeconds !== null) throw tooMany(waitSeconds);
      const given = await requireSession(deps, call);
      return act(given, requireCase(given.payment));
    });
  return [
    route("build", async ({ payment, call }, id) => {
      const account = memberOf(call, "account");
      if (typeof account !== "string" || !isAddress(account))
        throw new BuyerError("invalid_account", "This is not the address of a wallet.");
      const built = await buildAgreement(deps, tenantOf(payment), id, { side: "buyer", account });
      if (built.kind === "built" || built.kind === "half") return ok(showAgreement(built));
      throw explainBuild(built);
    }),
    route("submit", async ({ payment, call }, id) => {
      const given = memberOf(call, "transaction");
      const transaction = typeof given === "string" ? given : "";
      const answer = await submitAgreement(deps, tenantOf(payment), id, { side: "buyer", transaction });
      if (answer.kind === "half")
        return ok(JSON.stringify({ object: "half_signed_agreement", until: answer.until.toISOString() }) as JsonText);
      if (answer.kind === "sent")
        return { status: 202, body: JSON.stringify({ signature: answer.signature }) as JsonText };
      throw explainSubmit(answer);
    }),
  ];
}

const none = () => new BuyerError("not_possible", "There is no agreement that both sides sign. Reload the page.");

function explainBuild(refusal: Exclude<AgreementBuild, { readonly kind: "built" | "half" }>): BuyerError {
  switch (refusal.kind) {
    case "none":
      return none();
    case "not_found":
      return new BuyerError("not_found", "The network does not show this payment now. Try again in a minute.");
    case "other_wallet":
      return new BuyerError("other_wallet", "Another wallet has to sign this.", {
        details: { wallet: refusal.needed },
      });
    case "sol_missing":
    case "sponsor_short": {
      const words = `${formatUnits(refusal.missing.toString(), SOL_DECIMALS)} SOL`;
      return new BuyerError("insufficient_sol", `Your wallet needs ${words} more for the network's fee.`, {
        details: { missingLamports: refusal.missing.toString(), missingInWords: words },
      });
    }
    case "not_possible":
      return new BuyerError("not_possible", "The payment has changed. Reload the page and check it.", {
        details: { reason: refusal.reason },
      });
    case "would_fail":
      return wouldFail(refusal.reason);
  }
}

const wouldFail = (reason: string) =>
  new BuyerError("simulation_failed", "The network would refuse this now. Nothing was changed.", {
    details: { reason },
  });

function explainSubmit(answer: Exclude<AgreementSubmit, { readonly kind: "half" | "sent" }>): BuyerError {
  switch (answer.kind) {
    case "none":
      return none();
    case "invalid":
      return new BuyerError("invalid_transaction", "This is not the agreement, signed by your wallet.");
    case "busy":
      return tooMany(60);
    case "would_fail":
      return wouldFail(answer.reason);
  }
}
