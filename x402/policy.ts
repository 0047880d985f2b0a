import { hashTerms, PERIODS, type Period, parseOffer, type Terms, termsText } from "@holdfast/escrow-client";
import { type Address, isAddress } from "@solana/kit";
import type { PaymentRequiredContext, PaymentRequirements, ResourceInfo } from "./protocol.ts";

/** What an agent may agree to. No member has a default: an offer is a stranger's text. */
export interface Policy {
  /** Addresses of escrow programs that the agent's owner has checked. */
  readonly programs: readonly string[];
  /** Addresses of the operator accounts of deployments that the owner knows. */
  readonly operators: readonly string[];
  /** Those who may decide a dispute. */
  readonly arbiters: readonly string[];
  /** The shortest time in which the agent may dispute. */
  readonly periodMin: Period;
  /** The most of each token in its smallest unit, by mint. Other tokens are not paid. */
  readonly amountMax: Readonly<Record<string, bigint>>;
  /** True where calls are bought: an offer without a signature is refused. The offers of intents have none. */
  readonly requireSignedOffer: boolean;
}

/** The policy does not allow the offer, or the offer contradicts itself. Nothing was signed. */
export class PolicyError extends Error {
  override readonly name = "PolicyError";
}

/**
 * The first `onPaymentRequired` hook of an `x402HTTPClient`. Throws {@link PolicyError} if a 402 offers another resource than
 * was called: a relay that passes on another server's 402 would get what the agent pays for.
 */
export async function requireCalledResource({ paymentRequired, requestUrl }: PaymentRequiredContext): Promise<void> {
  const [offered, called] = [URL.parse(String(paymentRequired.resource?.url)), URL.parse(requestUrl)];
  if (offered === null || offered.origin !== called?.origin || offered.pathname !== called.pathname)
    throw new PolicyError(`The offer is for ${offered ?? "no resource"}, and ${requestUrl} was called.`);
}

/** An offer that the policy allows. */
export interface Offer {
  readonly programId: Address;
  readonly operator: Address;
  readonly tokenProgram: Address;
  readonly recipient: Address;
  readonly mint: Address;
  readonly arbiter: Address;
  readonly amount: bigint;
  readonly paymentId: bigint;
  readonly period: Period;
  /** The last second at which the program takes the payment. */
  readonly notAfter: bigint;
  readonly termsHash: string;
}

/**
 * Reads an offer of the scheme `protected`, of a resource if it is known. Throws {@link PolicyError} unless the policy
 * allows it.
 */
export async function readOffer(
  requirements: PaymentRequirements,
  policy: Policy,
  resource?: ResourceInfo,
): Promise<Offer> {
  const { amount, asset, payTo, extra } = requirements;
  const said = (name: string): string => {
    const value = extra[name];
    if (typeof value !== "string") throw new PolicyError(`The offer has no ${name}.`);
    return value;
  };
  const addressOf = (name: string, value = said(name)): Address => {
    if (!isAddress(value)) throw new PolicyError(`The offer's ${name} is no address.`);
    return value;
  };
  const [programId, operator, arbiter] = [addressOf("program"), addressOf("operator"), addressOf("arbiter")];
  if (!policy.programs.includes(programId)) throw new PolicyError(`The program ${programId} is not allowed.`);
  if (!policy.operators.includes(operator)) throw new PolicyError(`The operator ${operator} is not allowed.`);
  if (!policy.arbiters.includes(arbiter)) throw new PolicyError(`The arbiter ${arbiter} is not allowed.`);
  const period = PERIODS.find((one) => one === extra.protectionPeriod);
  if (period === undefined || PERIODS.indexOf(period) < PERIODS.indexOf(policy.periodMin))
    throw new PolicyError(`The protection is shorter than ${policy.periodMin}.`);
  const most = Object.hasOwn(policy.amountMax, asset) ? policy.amountMax[asset] : undefined;
  const units = readDigits(amount, "amount");
  if (most === undefined) throw new PolicyError(`The token ${asset} is not allowed.`);
  if (units > most) throw new PolicyError(`The amount ${amount} is above ${most}.`);
  const { notAfter } = extra;
  if (typeof notAfter !== "number" || !Number.isSafeInteger(notAfter) || notAfter <= 0)
    throw new PolicyError("The offer has no end.");
  const offer = {
    programId,
    operator,
    tokenProgram: addressOf("tokenProgram"),
    recipient: addressOf("payTo", payTo),
    mint: addressOf("asset", asset),
    arbiter,
    amount: units,
    paymentId: readDigits(said("paymentId"), "paymentId"),
    period,
    notAfter: BigInt(notAfter),
  };
  const terms = readTerms(said("terms"));
  checkTerms(terms, offer);
  if (policy.requireSignedOffer && terms.offer === null) throw new PolicyError("The offer is not signed.");
  if (terms.offer !== null || extra.offer !== undefined) await checkSigned(terms.offer, requirements, resource);
  return { ...offer, termsHash: await hashTerms(terms) };
}

/** The offer that the terms name, as its server signed it: it has to say the same as the 402. */
async function checkSigned(
  hash: string | null,
  { scheme, network, amount, asset, payTo, extra }: PaymentRequirements,
  resource: ResourceInfo | undefined,
): Promise<void> {
  const signed = await parseOffer(String(extra.offer));
  if (signed === null || signed.hash !== hash) throw new PolicyError("The terms name another signed offer.");
  const { url, description = "", mimeType = "" } = resource ?? {};
  const said = {
    ...(url && { resourceUrl: url, description, mimeType }),
    scheme,
    network,
    amount,
    asset,
    payTo,
    validUntil: extra.notAfter,
  };
  if (Object.entries(said).some(([name, value]) => signed.payload[name as keyof typeof said] !== value))
    throw new PolicyError("The signed offer says something else.");
}

function readDigits(text: string, name: string): bigint {
  if (!/^[1-9]\d{0,19}$/.test(text)) throw new PolicyError(`The offer's ${name} is no number.`);
  return BigInt(text);
}

/** The terms text has to say the same as the offer. */
function checkTerms(terms: Terms, offer: Omit<Offer, "termsHash">): void {
  const pairs = [
    [terms.operator, offer.operator],
    [terms.recipient, offer.recipient],
    [terms.asset, offer.mint],
    [terms.arbiter, offer.arbiter],
    [terms.amount, String(offer.amount)],
    [terms.paymentId, String(offer.paymentId)],
    [terms.protectionPeriod, offer.period],
  ];
  if (pairs.some(([one, other]) => one !== other)) throw new PolicyError("The terms text says something else.");
}

function readTerms(text: string): Terms & { readonly v: 3 } {
  try {
    const terms = JSON.parse(text) as Terms;
    // Only a text with exactly the known members has this form.
    if (terms.v === 3 && termsText(terms) === text) return terms;
  } catch {
    // It is no JSON, or has members of other types.
  }
  throw new PolicyError("The terms text has an unknown form.");
}
