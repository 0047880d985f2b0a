import type { Tenant } from "../../domain/callers.ts";
import { ApiError, type UnverifiedReason } from "../../domain/errors.ts";
import type { Context } from "../context.ts";
import { findConfirmation, type IntentTerms } from "./decide/queries.ts";
import { previewForIntent } from "./decide/record.ts";
import type { Examination } from "./examination.ts";
import { outcomeOf, requireMatching } from "./outcome.ts";
import { draftRules, type Verification } from "./verification.ts";

/** §4.11: the answer that confirm would return for an intent and an examined transaction, with the reasons. Writes nothing. */
export async function verifyExamined(
  ctx: Context,
  { businessId, environment }: Tenant,
  intent: IntentTerms,
  signature: string,
  examined: Examination,
): Promise<Verification> {
  const tenant = { businessId, environment, intentId: intent.id };
  const rules = draftRules(intent, examined, ctx.chainOf(environment).reader.bindCommitment);
  const preview = async () => {
    if ((await findConfirmation(ctx.database, tenant, intent.id, { signature })) !== null) return "already_recorded";
    const made = requireMatching(intent, examined);
    return outcomeOf(await previewForIntent(ctx, tenant, made.matching, made.closings));
  };
  try {
    return { outcome: await preview(), reason: null, rules };
  } catch (error) {
    if (!(error instanceof ApiError) || error.code !== "signature_unverified") throw error;
    return { outcome: "signature_unverified", reason: error.details.reason as UnverifiedReason, rules };
  }
}
