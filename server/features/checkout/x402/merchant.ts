import { readDeadline } from "../../../chain/port.ts";
import type { Merchant, Tenant } from "../../../domain/callers.ts";
import { ApiError } from "../../../domain/errors.ts";
import { INTENT_LIFETIME_MINUTES_MAX } from "../../../domain/limits.ts";
import { showObject } from "../../../domain/show.ts";
import { mismatches, type Terms } from "../../../domain/terms.ts";
import { BuyerError } from "../../../edge/buyer/error.ts";
import { ok, type Reply, type Route, readRoute, writeRoute } from "../../../edge/http/route.ts";
import { listChains } from "../../chains/fragments.ts";
import type { Context } from "../../context.ts";
import { findKeyHash } from "../../keys/fragments.ts";
import { readServerOffer, type ServerOffer } from "./offer.ts";
import { faultOf, networkOf, SCHEME, VERSION } from "./requirements.ts";
import { GET_X402_SUPPORTED, SETTLE_X402, VERIFY_X402 } from "./schema.ts";
import type { X402 } from "./settle.ts";

type Json = Readonly<Record<string, unknown>>;
interface Asked {
  readonly paymentPayload: Json;
  readonly paymentRequirements: Json;
}

/** A payment that may be settled; or the reason why it may not. */
type Verified =
  | { readonly kind: "valid"; readonly offer: ServerOffer; readonly transaction: string; readonly payer: string }
  | { readonly kind: "invalid"; readonly reason: string };
const invalid = (reason: string): Verified => ({ kind: "invalid", reason });

/** The intents of offers. */
export interface OfferIntents {
  /** The tenant's intent with this paymentId; null if there is none. */
  readonly findIntent: (tenant: Tenant, paymentId: string) => Promise<string | null>;
  /** Makes the intent of an offer, or finds the one that it made before. Throws {@link ApiError} for terms that no intent may have. */
  readonly makeIntent: (tenant: Tenant, offer: ServerOffer) => Promise<string>;
}

interface Settling extends OfferIntents {
  readonly x402: X402;
}

/** §4.23: the facilitator of x402 for a merchant's server that sells by the call. */
export const facilitatorRoutes = (ctx: Context, settling: Settling): Route<Merchant>[] => [
  readRoute("/x402/supported", GET_X402_SUPPORTED, async ({ caller }) => {
    const { network, programId, operator, arbiter } = await requireChain(ctx, caller);
    const extra = { program: programId, operator, arbiter };
    const kinds = [{ x402Version: VERSION, scheme: SCHEME, network, extra }];
    return ok(showObject({ kinds, extensions: [], signers: {} }));
  }),
  writeRoute("POST", "/x402/verify", VERIFY_X402, async ({ caller, input, now, write }) => {
    const verified = await verify(ctx, caller, input, now);
    const answer =
      verified.kind === "valid"
        ? { isValid: true, payer: verified.payer }
        : { isValid: false, invalidReason: verified.reason };
    return write.commit({ unstored: ok(showObject(answer)) });
  }),
  writeRoute("POST", "/x402/settle", SETTLE_X402, async ({ caller, input, now, write }) => {
    const locked = await write.lockKey();
    const { network } = await requireChain(ctx, caller);
    const refused = (errorReason: string, transaction = "") =>
      ok(showObject({ success: false, errorReason, transaction, network }));
    try {
      const reply = await settle(ctx, settling, caller, input, now);
      if (typeof reply === "string") return locked.commit({ unstored: refused(reply) });
      if (reply.status !== 200) return locked.commit({ unstored: refused(errorOf(reply)) });
      return locked.commit({ reply: ok(reply.body) });
    } catch (error) {
      const isPending = error instanceof BuyerError && error.code === "payment_pending";
      const answer = isPending ? refused("settlement_pending", error.details?.transaction) : refused(reasonOf(error));
      return locked.commit({ unstored: answer });
    }
  }),
];

/** The refusal of a payment, in words; an outage is thrown again. */
function reasonOf(error: unknown): string {
  const isRefusal = (error instanceof BuyerError || error instanceof ApiError) && error.status < 500;
  if (isRefusal) return `${error.code}: ${error.message}`;
  throw error instanceof BuyerError ? new ApiError("unavailable", error.message, {}, { retryAfterSeconds: 1 }) : error;
}

const errorOf = ({ body }: Reply): string => String((JSON.parse(body) as { readonly error?: string }).error);

async function requireChain({ database, chainOf }: Context, { environment }: Tenant) {
  const chain = (await listChains(database)).find((one) => one.environment === environment);
  const { builder, deployment } = chainOf(environment);
  const { arbiter } = deployment;
  if (chain === undefined || arbiter === null)
    throw new ApiError("unavailable", "The chain has not been read yet. Retry.", {}, { retryAfterSeconds: 2 });
  return { ...chain, network: networkOf(chain), arbiter, builder };
}

const membersOf = (value: unknown): Json => (typeof value === "object" && value !== null ? (value as Json) : {});

/** The time after an offer's end in which the merchant's server may still have a payment settled again. */
const REPEAT_MS = 600_000;
/** An offer's intent ends with it, and no later than any other intent may. */
const LIFETIME_MS_MAX = INTENT_LIFETIME_MINUTES_MAX * 60_000;

/**
 * Reads the offer and the transaction of a payment, if the key made the offer and it is for what the merchant's server asks
 * now: what was paid for another price is refused. A text is the reason of a refusal.
 */
async function readPayment(ctx: Context, caller: Merchant, asked: Asked, now: Date) {
  const { network, operator, arbiter, builder } = await requireChain(ctx, caller);
  const wanted = asked.paymentRequirements;
  if (wanted.scheme !== SCHEME || wanted.network !== network) return "invalid_network";
  const { terms } = membersOf(membersOf(asked.paymentPayload.accepted).extra);
  const { transaction } = membersOf(asked.paymentPayload.payload);
  const keyHash = await findKeyHash(ctx.database, caller);
  const offer = typeof terms === "string" && keyHash !== null ? readServerOffer(terms, keyHash) : null;
  if (offer === null || typeof transaction !== "string")
    return "invalid_payload: it has no transaction, or an offer of another key or form";
  const { payTo: recipient, amount, asset } = wanted;
  const { protectionPeriod } = membersOf(wanted.extra);
  const differing = [
    ...mismatches({ recipient, amount, asset, protectionPeriod } as Terms, offer),
    ...(offer.operator === operator ? [] : ["operator"]),
  ];
  if (differing.length > 0) return `mismatch: ${differing.join(", ")}`;
  const leftMs = offer.expiresAt.getTime() - now.getTime();
  if (leftMs > LIFETIME_MS_MAX) return "invalid_payload: its offer lasts for more than seven days";
  if (leftMs < -REPEAT_MS) return "expired: the offer has ended";
  return { offer, transaction, arbiter, builder };
}

/** Compares the payment with its offer, and tries it. Writes nothing. */
async function verify(ctx: Context, caller: Merchant, asked: Asked, now: Date): Promise<Verified> {
  const payment = await readPayment(ctx, caller, asked, now);
  if (typeof payment === "string") return invalid(payment);
  const { offer, transaction, arbiter, builder } = payment;
  if (offer.arbiter !== arbiter) return invalid("mismatch: arbiter");
  const signed = await builder.readSigned(transaction);
  if (signed.kind === "invalid") return invalid(`invalid_transaction: ${signed.reason}`);
  const fault = faultOf(signed, { intent: offer, now }, { arbiter, terms: offer.terms });
  if (fault !== null) return invalid(fault);
  const trial = await builder.tryTransaction(transaction, readDeadline());
  if (trial.kind === "would_fail") return invalid(`simulation_failed: ${trial.reason}`);
  if (trial.kind !== "would_land") return invalid("expired: the transaction came too late");
  return { kind: "valid", offer, transaction, payer: signed.payments[0]!.sender };
}

const payloadOf = ({ offer, transaction }: { readonly offer: ServerOffer; readonly transaction: string }) =>
  ({ kind: "offered", transaction, terms: offer.terms }) as const;

/** Settles a payment, whose intent is made only once it can land. Returns the answer, or the reason of a refusal. */
async function settle(
  ctx: Context,
  { x402, findIntent, makeIntent }: Settling,
  caller: Merchant,
  asked: Asked,
  now: Date,
): Promise<Reply | string> {
  const payment = await readPayment(ctx, caller, asked, now);
  if (typeof payment === "string") return payment;
  const known = await findIntent(caller, payment.offer.paymentId);
  if (known !== null) return x402.settle(known, payloadOf(payment));
  const verified = await verify(ctx, caller, asked, now);
  if (verified.kind === "invalid") return verified.reason;
  return x402.settle(await makeIntent(caller, verified.offer), payloadOf(verified));
}
