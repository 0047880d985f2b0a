import { unlessAway } from "../../../chain/port.ts";
import { ActionError } from "../../../domain/actionError.ts";
import type { Member, Tenant, Visitor } from "../../../domain/callers.ts";
import { ApiError } from "../../../domain/errors.ts";
import { showObject } from "../../../domain/show.ts";
import { ok, type Route } from "../../../edge/http/route.ts";
import { IN_TENANT } from "../../../edge/staff/paths.ts";
import { memberRead, memberWrite, missing, STALE, tenantOf } from "../../../edge/staff/route.ts";
import { readNow } from "../../../store/clock.ts";
import type { AuditAction } from "../../audit/audit.ts";
import { recordAudit } from "../../audit/fragments.ts";
import { DISPUTE_ID } from "../dispute.ts";
import { findDispute } from "../queries.ts";
import { type AgreementDeps, buildAgreement, showAgreement, submitAgreement } from "./actions.ts";
import { findHalfSigned } from "./queries.ts";
import { BUILD_AGREEMENT, GET_AGREEMENT, SUBMIT_AGREEMENT } from "./schema.ts";

export interface AgreementStaffDeps extends AgreementDeps {
  /** Counts a chain read by a user, and throws above the limit. */
  readonly countLook: (userId: string) => void;
}

const PATH = `${IN_TENANT}/disputes/:dispute/agreement`;

/** The merchant's part in bringing an agreement to the chain (§16.5): the recipient's wallet signs. */
export function staffAgreementRoutes(deps: AgreementStaffDeps): Route<Visitor>[] {
  const { database, countLook } = deps;
  const requireDispute = async (tenant: Tenant, id: string) => {
    if (!DISPUTE_ID.test(id) || (await findDispute(database, tenant, id)) === null) throw missing();
  };
  const audit = (
    { actor }: Member,
    tenant: Tenant,
    action: AuditAction,
    target: string,
    details: Readonly<Record<string, string | null>>,
  ) => database.rows(recordAudit(actor, { ...tenant, action, target, details }));
  return [
    memberRead("read", PATH, GET_AGREEMENT, async ({ caller, params }) => {
      const tenant = tenantOf(caller, params);
      await requireDispute(tenant, params.dispute!);
      const now = await readNow(database, tenant.environment);
      const half = await findHalfSigned(database, tenant, params.dispute!, now);
      const secondsLeft = half === null ? null : Math.floor((half.until.getTime() - now.getTime()) / 1_000);
      return ok(showObject({ object: "agreement_signatures", signedBy: half?.by ?? null, secondsLeft }));
    }),
    memberWrite("answer_disputes", "POST", `${PATH}/build`, BUILD_AGREEMENT, STALE, async (call) => {
      const tenant = tenantOf(call.caller, call.params);
      const id = call.params.dispute!;
      await requireDispute(tenant, id);
      countLook(call.caller.userId);
      const { account } = call.input;
      const built = await unlessAway(buildAgreement(deps, tenant, id, { side: "merchant", account }));
      if (built === null) throw chainAway();
      if (built.kind === "other_wallet")
        throw new ActionError("wallet_not_recipient", `Only the recipient's wallet, ${built.needed}, can sign it.`);
      if (built.kind === "sol_missing" || built.kind === "sponsor_short")
        throw new ActionError("wallet_short", "The wallet needs more SOL to pay the network's fee.");
      if (built.kind === "not_found") throw chainAway();
      if (built.kind === "would_fail") throw wouldFail(built.reason);
      if (built.kind === "not_possible")
        throw new ActionError(
          "transaction_refused",
          `The chain does not allow it any more: ${built.reason}. Read the dispute again.`,
        );
      if (built.kind !== "built" && built.kind !== "half") throw noAgreement();
      await audit(call.caller, tenant, "dispute.agreement_built", id, { total: built.total, account });
      return ok(showAgreement(built));
    }),
    memberWrite("answer_disputes", "POST", `${PATH}/submit`, SUBMIT_AGREEMENT, STALE, async (call) => {
      const tenant = tenantOf(call.caller, call.params);
      const id = call.params.dispute!;
      await requireDispute(tenant, id);
      countLook(call.caller.userId);
      const { transaction } = call.input;
      const answer = await unlessAway(submitAgreement(deps, tenant, id, { side: "merchant", transaction }));
      if (answer === null) throw chainAway();
      if (answer.kind === "none") throw noAgreement();
      if (answer.kind === "invalid")
        throw new ActionError("transaction_invalid", "This is not the agreement, signed by the recipient's wallet.");
      if (answer.kind === "busy")
        throw new ActionError("transaction_refused", "Too many transactions are on their way. Try again in a minute.");
      if (answer.kind === "would_fail") throw wouldFail(answer.reason);
      const [signature, until] = answer.kind === "sent" ? [answer.signature, null] : [null, answer.until.toISOString()];
      await audit(call.caller, tenant, "dispute.agreement_signed", id, { signature });
      return ok(showObject({ object: "submitted_agreement", signature, until }));
    }),
  ];
}

const noAgreement = (): ActionError =>
  new ActionError(
    "transaction_refused",
    "There is no agreement whose refund and release are both missing on chain. Read the dispute again.",
  );

const wouldFail = (reason: string): ActionError =>
  new ActionError("transaction_refused", `The chain would refuse it now: ${reason}. Build it again.`);

const chainAway = (): ApiError =>
  new ApiError("chain_unavailable", "The chain could not be read. Retry with backoff.", {}, { retryAfterSeconds: 2 });
