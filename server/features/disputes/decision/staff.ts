import type { BuiltAction } from "../../../chain/acts.ts";
import { showLife } from "../../../chain/lifetime.ts";
import { unlessAway } from "../../../chain/port.ts";
import type { Staff, Tenant, Visitor } from "../../../domain/callers.ts";
import { invalid } from "../../../domain/errors.ts";
import { type JsonText, showObject } from "../../../domain/show.ts";
import { fetchActLife } from "../../../edge/acts/steps.ts";
import { created, ok, type Route } from "../../../edge/http/route.ts";
import { countLooks, LIVES_PER_MINUTE } from "../../../edge/staff/lookLimit.ts";
import { arbiterWrite, FRESH, missing, STALE } from "../../../edge/staff/route.ts";
import type { Db } from "../../../store/database.ts";
import type { AuditAction, AuditEntry } from "../../audit/audit.ts";
import { recordAudit } from "../../audit/fragments.ts";
import type { Context } from "../../context.ts";
import { requireHeld } from "../desk/actions.ts";
import { DISPUTE_ID } from "../dispute.ts";
import { buildDecision, freezeDecision, requireOpenDecision, submitDecision, type WantedDecision } from "./actions.ts";
import { type FrozenDecision, hashOf } from "./decision.ts";
import { BUILD_DECISION, FETCH_DECISION_LIFE, FREEZE_DECISION, SUBMIT_DECISION } from "./schema.ts";

type AuditDetails = NonNullable<AuditEntry["details"]>;

const PATH = "/desk/disputes/:dispute/decisions";

/** §17: the arbiter decides. Every step is checked against the dispute as it is then; what lands on chain decides. */
export function decisionRoutes(ctx: Context): Route<Visitor>[] {
  const { database, countLook } = ctx;
  const countLife = countLooks(LIVES_PER_MINUTE);
  const audit = ({ userId }: Staff, tenant: Tenant, action: AuditAction, dispute: string, details: AuditDetails) =>
    database.rows(recordAudit({ kind: "arbiter", userId }, { ...tenant, action, target: dispute, details }));

  const open = async (caller: Staff, { dispute, decision }: Readonly<Record<string, string>>, count = countLook) => {
    if (!DISPUTE_ID.test(dispute!)) throw missing();
    const tenant = await requireHeld(database, caller, dispute!);
    const found = await requireOpenDecision(ctx, tenant, dispute!, { id: decision!, userId: caller.userId });
    if (found === null) throw missing();
    count(caller.userId);
    return { tenant, ...found };
  };

  return [
    arbiterWrite("POST", PATH, FREEZE_DECISION, FRESH, async ({ caller, params, input }) => {
      const id = params.dispute!;
      if (!DISPUTE_ID.test(id)) throw missing();
      const tenant = await requireHeld(database, caller, id);
      const wanted = parseWanted(input);
      countLook(caller.userId);
      const check = (db: Db) => requireHeld(db, caller, id);
      const options = { userId: caller.userId, wanted, early: input.early === true, check };
      const frozen = await freezeDecision(ctx, tenant, id, options);
      const { decision } = frozen;
      // The shop reads it before the ruling lands, and the buyer does not: neither learns what is to be ruled.
      const details = { decision: decision.id, sha256: hashOf(decision) };
      await audit(caller, tenant, "dispute.decision_frozen", id, details);
      return created(showFrozen(decision, await unlessAway(buildDecision(ctx, tenant, frozen))));
    }),
    arbiterWrite("POST", `${PATH}/:decision/build`, BUILD_DECISION, STALE, async ({ caller, params }) => {
      const given = await open(caller, params);
      return ok(showFrozen(given.decision, await buildDecision(ctx, given.tenant, given)));
    }),
    arbiterWrite("POST", `${PATH}/:decision/life`, FETCH_DECISION_LIFE, STALE, async ({ caller, params, input }) => {
      const { tenant } = await open(caller, params, countLife);
      return ok(showLife(await fetchActLife(ctx.chainOf(tenant.environment).builder, input.transaction, "arbiter")));
    }),
    arbiterWrite("POST", `${PATH}/:decision/submit`, SUBMIT_DECISION, STALE, async ({ caller, params, input }) => {
      const given = await open(caller, params);
      const signature = await submitDecision(ctx, given.tenant, given, input.transaction);
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

const showFrozen = (decision: FrozenDecision, built: BuiltAction | null): JsonText =>
  showObject({
    object: "frozen_decision",
    ...{ id: decision.id, total: decision.total, agreement: decision.offerId, record: decision.record },
    ...{ sha256: hashOf(decision), arbiter: decision.arbiter },
    transaction: built?.transaction ?? null,
    networkLamports: built?.fee.network.toString() ?? null,
    plain: built?.instructions ?? null,
    lastValidBlockHeight: built === null ? null : Number(built.lastValidBlockHeight),
  });
