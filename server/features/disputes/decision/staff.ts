import { unlessAway } from "../../../chain/port.ts";
import type { BuiltRuling } from "../../../chain/ruling.ts";
import { ActionError } from "../../../domain/actionError.ts";
import type { Staff, Tenant, Visitor } from "../../../domain/callers.ts";
import { invalid, tooLate } from "../../../domain/errors.ts";
import { type JsonText, showObject } from "../../../domain/show.ts";
import { created, ok, type Route } from "../../../edge/http/route.ts";
import { fetchShownLife } from "../../../edge/staff/life.ts";
import { countLooks, LIVES_PER_MINUTE } from "../../../edge/staff/lookLimit.ts";
import { arbiterWrite, FRESH, missing, STALE } from "../../../edge/staff/route.ts";
import type { Db } from "../../../store/database.ts";
import type { AuditAction, AuditEntry } from "../../audit/audit.ts";
import { recordAudit } from "../../audit/fragments.ts";
import { requireHeld } from "../desk/actions.ts";
import { DISPUTE_ID } from "../dispute.ts";
import {
  buildDecision,
  chainAway,
  type DecisionDeps,
  freezeDecision,
  type OpenDecision,
  requireOpenDecision,
  submitDecision,
  type WantedDecision,
} from "./actions.ts";
import { type FrozenDecision, hashOf } from "./decision.ts";
import { BUILD_DECISION, FETCH_DECISION_LIFE, FREEZE_DECISION, SUBMIT_DECISION } from "./schema.ts";

export interface DecisionStaffDeps extends DecisionDeps {
  /** Counts a chain read by a user, and throws above the limit. */
  readonly countLook: (userId: string) => void;
}

type AuditDetails = NonNullable<AuditEntry["details"]>;

const PATH = "/desk/disputes/:dispute/decisions";

/** §17: the arbiter decides. Every step is checked against the dispute as it is then; what lands on chain decides. */
export function decisionRoutes(deps: DecisionStaffDeps): Route<Visitor>[] {
  const { database, countLook } = deps;
  const countLife = countLooks(LIVES_PER_MINUTE);
  const audit = ({ userId }: Staff, tenant: Tenant, action: AuditAction, dispute: string, details: AuditDetails) =>
    database.rows(recordAudit({ kind: "arbiter", userId }, { ...tenant, action, target: dispute, details }));

  const open = async (caller: Staff, { dispute, decision }: Readonly<Record<string, string>>, count = countLook) => {
    if (!DISPUTE_ID.test(dispute!)) throw missing();
    const tenant = await requireHeld(database, caller, dispute!);
    const found = await requireOpenDecision(deps, tenant, dispute!, { id: decision!, userId: caller.userId });
    if (found === null) throw missing();
    count(caller.userId);
    return { tenant, ...found };
  };
  const build = async (tenant: Tenant, found: OpenDecision) => {
    const built = await unlessAway(buildDecision(deps, tenant, found));
    return built === null ? null : requireBuilt(built);
  };

  return [
    arbiterWrite("POST", PATH, FREEZE_DECISION, FRESH, async ({ caller, params, input }) => {
      const id = params.dispute!;
      if (!DISPUTE_ID.test(id)) throw missing();
      const tenant = await requireHeld(database, caller, id);
      const wanted = parseWanted(input);
      countLook(caller.userId);
      const check = (db: Db) => requireHeld(db, caller, id);
      const frozen = await unlessAway(freezeDecision(deps, tenant, id, { userId: caller.userId, wanted, check }));
      if (frozen === null) throw chainAway();
      const { decision } = frozen;
      // The shop reads it before the ruling lands, and the buyer does not: neither learns what is to be ruled.
      const details = { decision: decision.id, sha256: hashOf(decision) };
      await audit(caller, tenant, "dispute.decision_frozen", id, details);
      return created(showFrozen(decision, await build(tenant, frozen)));
    }),
    arbiterWrite("POST", `${PATH}/:decision/build`, BUILD_DECISION, STALE, async ({ caller, params }) => {
      const given = await open(caller, params);
      const built = await build(given.tenant, given);
      if (built === null) throw chainAway();
      return ok(showFrozen(given.decision, built));
    }),
    arbiterWrite("POST", `${PATH}/:decision/life`, FETCH_DECISION_LIFE, STALE, async ({ caller, params, input }) => {
      const { tenant } = await open(caller, params, countLife);
      return ok(await fetchShownLife(deps.builderOf(tenant.environment), input.transaction));
    }),
    arbiterWrite("POST", `${PATH}/:decision/submit`, SUBMIT_DECISION, STALE, async ({ caller, params, input }) => {
      const given = await open(caller, params);
      const answer = await unlessAway(submitDecision(deps, given.tenant, given, input.transaction));
      if (answer === null) throw chainAway();
      if (answer.kind === "invalid")
        throw new ActionError(
          "transaction_invalid",
          "This is not the ruling that was built, signed by the arbiter's wallet.",
        );
      if (answer.kind === "busy")
        throw new ActionError("transaction_refused", "Too many transactions are on their way. Try again in a minute.");
      if (answer.kind === "ended") throw tooLate();
      if (answer.kind === "would_fail") throw wouldFail(answer.reason);
      const { signature } = answer;
      await audit(caller, given.tenant, "dispute.ruling_sent", given.dispute.id, { signature });
      return ok(showObject({ object: "submitted_decision", signature }));
    }),
  ];
}

interface DecisionInput {
  readonly total: string | null;
  readonly reasons: string | null;
  readonly asAgreed: boolean | null;
  readonly noInterest: boolean;
}

function parseWanted({ total, reasons, asAgreed, noInterest }: DecisionInput): WantedDecision {
  if (!noInterest) throw invalid("noInterest", "State that you have no interest in the dispute: true.");
  if (asAgreed === true) {
    if (total !== null) throw invalid("total", "Leave it out: the agreement has the total.");
    if (reasons !== null) throw invalid("reasons", "Leave them out: the record names the agreement.");
    return null;
  }
  if (total === null) throw invalid("total", "Required: the amount that the buyer has in the end.");
  if (reasons === null) throw invalid("reasons", "Required: the reasons, which both sides read.");
  return { total, reasons };
}

const wouldFail = (reason: string): ActionError =>
  new ActionError("transaction_refused", `The chain would refuse it now: ${reason}. Read the dispute again.`);

function requireBuilt(built: Awaited<ReturnType<typeof buildDecision>>): BuiltRuling {
  switch (built.kind) {
    case "built":
      return built;
    case "sol_missing":
    case "sponsor_short":
      throw new ActionError("wallet_short", "The arbiter's wallet needs more SOL to pay the network's fee.");
    case "not_found":
      throw chainAway();
    case "not_possible":
    case "would_fail":
      throw wouldFail(built.reason);
    case "other_wallet":
      throw wouldFail(`${built.needed} has to sign`);
  }
}

const showFrozen = (decision: FrozenDecision, built: BuiltRuling | null): JsonText =>
  showObject({
    object: "frozen_decision",
    ...{ id: decision.id, total: decision.total, agreement: decision.offerId, record: decision.record },
    ...{ sha256: hashOf(decision), arbiter: decision.arbiter },
    transaction: built?.transaction ?? null,
    networkLamports: built?.network.toString() ?? null,
    plain: built?.instructions ?? null,
    lastValidBlockHeight: built === null ? null : Number(built.lastValidBlockHeight),
  });
