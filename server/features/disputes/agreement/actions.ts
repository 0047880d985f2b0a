import type { ActionSender } from "../../../chain/actionSender.ts";
import type { AgreementRefusal, BuiltAgreement } from "../../../chain/agreement.ts";
import type { ChainBuilder } from "../../../chain/builder.ts";
import type { Tenant } from "../../../domain/callers.ts";
import { CHAIN_READ_MS } from "../../../domain/limits.ts";
import type { JsonText } from "../../../domain/show.ts";
import type { Environment } from "../../../domain/terms.ts";
import { readNow } from "../../../store/clock.ts";
import type { Database } from "../../../store/database.ts";

import { agreementOf, type Dispute, missingSteps, otherSide, type Side } from "../dispute.ts";
import { findDispute } from "../queries.ts";
import { type AgreedPayment, findAgreedPayment, findHalfSigned, keepHalfSigned } from "./queries.ts";

export interface AgreementDeps {
  readonly database: Database;
  /** Throws `ChainUnavailableError` if no chain is configured any more. */
  readonly builderOf: (
    environment: Environment,
  ) => Pick<ChainBuilder, "buildAgreement" | "readAgreement" | "canStillLand">;
  readonly actionSenderOf: (environment: Environment) => Pick<ActionSender, "submit">;
}

/** A blockhash lives at least this long, and this is well within ninety seconds. */
const HALF_SIGNED_MS = 60_000;

/** `none`: there is no agreement that one transaction of both sides could bring to the chain. */
export type AgreementBuild =
  | { readonly kind: "none" }
  /** The other side has signed already: this is its transaction. */
  | { readonly kind: "half"; readonly transaction: string; readonly total: string; readonly payment: AgreedPayment }
  | (BuiltAgreement & { readonly total: string })
  | AgreementRefusal;

interface Agreed {
  readonly dispute: Dispute;
  readonly payment: AgreedPayment;
  readonly total: string;
}

/** The agreement of a dispute whose refund and release are both missing; null otherwise: then one side acts alone. */
async function findAgreed({ database }: AgreementDeps, tenant: Tenant, disputeId: string): Promise<Agreed | null> {
  const dispute = await findDispute(database, tenant, disputeId);
  const agreement = dispute === null || dispute.status !== "agreed" ? null : agreementOf(dispute);
  const payment = await findAgreedPayment(database, tenant, disputeId);
  if (dispute === null || agreement === null || payment === null || missingSteps(dispute).length < 2) return null;
  return { dispute, payment, total: agreement.total };
}

/** Gives a side the transaction of the agreement: the one that the other side has signed, while it can land, or a new one. */
export async function buildAgreement(
  deps: AgreementDeps,
  tenant: Tenant,
  disputeId: string,
  { side, account }: { readonly side: Side; readonly account: string },
): Promise<AgreementBuild> {
  const agreed = await findAgreed(deps, tenant, disputeId);
  if (agreed === null) return { kind: "none" };
  const { payment, total } = agreed;
  const own = side === "buyer" ? payment.sender : payment.recipient;
  if (account !== own) return { kind: "other_wallet", needed: own };
  const now = await readNow(deps.database, tenant.environment);
  const half = await findHalfSigned(deps.database, tenant, disputeId, now);
  const signal = AbortSignal.timeout(CHAIN_READ_MS);
  const builder = deps.builderOf(tenant.environment);
  // The blockhash is older than the signature: one that has ended must not keep this side from signing another.
  if (half !== null && half.by === otherSide(side) && (await builder.canStillLand(half.transaction, { signal })))
    return { kind: "half", transaction: half.transaction, total, payment };
  const order = { payment: payment.payment, account, total: BigInt(total), minSlot: payment.observedSlot };
  return builder.buildAgreement(order, { signal });
}

export type AgreementSubmit =
  | { readonly kind: "none" }
  | { readonly kind: "invalid" }
  | { readonly kind: "busy" }
  | { readonly kind: "would_fail"; readonly reason: string }
  /** It waits for the other side until then. */
  | { readonly kind: "half"; readonly until: Date }
  | { readonly kind: "sent"; readonly signature: string };

/**
 * Takes the transaction that a side has signed: kept for the other side, or sent once both have. Nothing but the agreement
 * itself is taken, so neither side can be made to sign more.
 */
export async function submitAgreement(
  deps: AgreementDeps,
  tenant: Tenant,
  disputeId: string,
  { side, transaction }: { readonly side: Side; readonly transaction: string },
): Promise<AgreementSubmit> {
  const agreed = await findAgreed(deps, tenant, disputeId);
  if (agreed === null) return { kind: "none" };
  const { payment, total } = agreed;
  const builder = deps.builderOf(tenant.environment);
  const read = await builder.readAgreement(transaction, { ...payment, total });
  const other = side === "buyer" ? "recipient" : "sender";
  // What this side hands in, it has signed.
  if (read === null || (read.missing !== null && read.missing !== other)) return { kind: "invalid" };
  const signal = AbortSignal.timeout(CHAIN_READ_MS);
  if (read.missing === null) {
    const wanted = { payment: payment.payment, kind: "release" } as const;
    const answer = await deps.actionSenderOf(tenant.environment).submit(transaction, wanted, { signal });
    return answer.kind === "ended" ? { kind: "would_fail", reason: "its blockhash has ended" } : answer;
  }
  if (!(await builder.canStillLand(transaction, { signal })))
    return { kind: "would_fail", reason: "its blockhash has ended" };
  const now = await readNow(deps.database, tenant.environment);
  const until = new Date(now.getTime() + HALF_SIGNED_MS);
  const isKept = await keepHalfSigned(deps.database, tenant, disputeId, { transaction, by: side }, until);
  return isKept ? { kind: "half", until } : { kind: "none" };
}

/** The answer to a build. */
export const showAgreement = (built: AgreementBuild & { readonly kind: "half" | "built" }): JsonText =>
  JSON.stringify({
    object: "agreement_transaction",
    transaction: built.transaction,
    total: built.total,
    isHalfSigned: built.kind === "half",
    networkLamports: built.kind === "half" ? null : built.network.toString(),
    instructions: built.kind === "half" ? null : built.instructions,
  }) as JsonText;
