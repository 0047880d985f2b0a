import { hashTerms, type Terms, termsText } from "@holdfast/escrow-client";
import type { Address } from "@solana/kit";
import { KeptAnswers } from "../../lib/keptAnswers.ts";
import type { BuiltAction } from "../actions.ts";
import type { BuildRefusal, BuiltPayment, ChainBuilder, PaymentCommand, Trial } from "../builder.ts";
import { type Lifetimes, NO_LIFETIMES } from "../lifetime.ts";
import { ChainUnavailableError, type ReadOptions } from "../port.ts";
import type { BuiltRuling } from "../ruling.ts";
import { buildAction } from "./actionBuilder.ts";
import { realClock } from "./clock.ts";
import { type BuildDeps, compile, feeOf, TRIAL_UNITS, unitsToAskFor } from "./draft.ts";
import { fetchBlockhash, type LatestBlockhash } from "./latestBlockhash.ts";
import { createLifeReads } from "./lifetimes.ts";
import { buildMemo, readSignedMemo } from "./memo.ts";
import { NodeError } from "./nodeError.ts";
import { fetchPaymentFacts, findPaymentAddresses, type PaymentAddresses, type TokenAccounts } from "./paymentFacts.ts";
import { lamportsMissing, planPayment, whyNotSponsored } from "./paymentPlan.ts";
import { createPool, type NodeSession, type Pool } from "./pool.ts";
import { parseStop, type Stop } from "./refusal.ts";
import { createRents } from "./rents.ts";
import { buildRuling, isRuling } from "./ruling.ts";
import type { SolanaSettings } from "./settings.ts";
import { parseText } from "./shapes.ts";
import { blockhashOf, nameOf, readSignedTransaction } from "./signedTransaction.ts";
import { simulate } from "./simulation.ts";
import { chooseUnitPrice } from "./unitPrice.ts";

export interface BuilderSettings extends SolanaSettings {
  /** The highest priority fee to offer, in micro-lamports a compute unit. */
  readonly unitPriceMax: bigint;
  /** Default: none. */
  readonly lifetimes?: Lifetimes;
}

/** Strangers ask for memos, and all of one second have one blockhash. */
const BLOCKHASH_MS = 1_000;

/** Builds payments through one or more JSON-RPC nodes. One node answers all reads of one build. */
export function createSolanaBuilder(settings: BuilderSettings): ChainBuilder {
  const { clock = realClock, lifetimes = NO_LIFETIMES } = settings;
  const pool = createPool(settings);
  const lives = createLifeReads(lifetimes, clock);
  const latest = new KeptAnswers<LatestBlockhash>({ keptMs: BLOCKHASH_MS, now: clock.now });
  const { fetchRent, estimateCost } = createRents(pool, clock, settings.log);
  const deps = { settings, fetchRent, fetchUnitPrice: unitPriceFetcher(settings) };

  async function buildPayment(command: PaymentCommand, options: Pick<ReadOptions, "signal">) {
    if (command.sender === command.recipient) return { kind: "is_recipient" } as const;
    const addresses = await findPaymentAddresses(command, settings);
    return keep(await pool.queue(options).ask((session) => buildAt(session, command, addresses, deps)));
  }

  /** Saves what a build lives for before anybody has it. */
  async function keep<Answer extends BuiltPayment | BuiltAction | BuiltRuling | { readonly kind: string }>(
    answer: Answer,
  ): Promise<Answer> {
    if ("lastValidBlockHeight" in answer)
      await lives.save(blockhashOf(answer.transaction), answer.lastValidBlockHeight);
    return answer;
  }

  const fetchLife: ChainBuilder["fetchLife"] = async (transaction, options) => {
    const named = await nameOf(transaction);
    return named && pool.queue(options).ask((session) => lives.judge(session, named, "finalized"));
  };

  return {
    keepTo: pool.keepTo,
    estimateCost,
    buildPayment,
    buildAction: async (command, options) =>
      keep(
        await pool
          .queue({ ...options, minSlot: command.minSlot })
          .ask((session) => buildAction(session, command, deps)),
      ),
    buildRuling: async (command, options) =>
      keep(
        await pool
          .queue({ ...options, minSlot: command.minSlot })
          .ask((session) => buildRuling(session, command, deps)),
      ),
    isRuling: (transaction, wanted) => isRuling(transaction, wanted, settings),
    buildMemo: async (command, options) =>
      buildMemo(await latest.read("", () => pool.queue(options).ask(fetchBlockhash)), command),
    readSignedMemo,
    readSigned: (transaction) => readSignedTransaction(transaction, settings),

    tryTransaction: (transaction, options) =>
      pool.queue(options).ask((session) => tryOn(session, transaction, { lives, programId: settings.programId })),

    sendTransaction: (transaction, options) => sendToAll(pool, transaction, options),
    fetchLife,
    canStillLand: async (transaction, options) => (await fetchLife(transaction, options))?.kind !== "ended",
    canSignatureLand: async (signature, options) => {
      const named = { name: signature, signature };
      const life = await pool.queue(options).ask((session) => lives.judge(session, named, "finalized"));
      return life.kind !== "ended";
    },
  };
}

async function tryOn(
  session: NodeSession,
  transaction: string,
  { lives, programId }: { readonly lives: ReturnType<typeof createLifeReads>; readonly programId: string },
): Promise<Trial> {
  const { err, logs, slot } = await simulate(session, transaction, true);
  if (err === null) return { kind: "would_land" };
  if (err === "BlockhashNotFound" || err === "AlreadyProcessed") {
    const life = await lives.judge(session, (await nameOf(transaction))!, "confirmed");
    if (life.kind === "failed") return { kind: "would_fail", reason: "it failed on chain" };
    return { kind: TRIALS[life.kind] };
  }
  // A node that is behind does not know yet what the wallet received.
  session.acceptAbsence(slot, "confirmed");
  return { kind: "would_fail", reason: parseStop(err, logs, programId).reason };
}
const TRIALS = { live: "unknown_blockhash", landed: "would_land", ended: "ended" } as const;

async function buildAt(
  session: NodeSession,
  command: PaymentCommand,
  addresses: PaymentAddresses,
  { settings, fetchRent, fetchUnitPrice }: BuildDeps,
): Promise<BuiltPayment | BuildRefusal> {
  const fetchPrices = () => Promise.all([fetchBlockhash(session), fetchUnitPrice(session, addresses.payment)]);
  const [found, prices] = await Promise.all([
    fetchPaymentFacts(session, addresses, settings.programId, fetchRent),
    command.tokensFirst === true ? null : fetchPrices(),
  ]);
  if (found.refusal !== null) return { kind: found.refusal };
  const { facts, arbiter, accounts } = found;
  const terms = await draftTerms(command, settings.operator, arbiter);
  const plan = await planPayment(draftPayment(command, settings, accounts, arbiter, terms.hash), facts);
  if (plan.tokensMissing > 0n) return { kind: "token_missing", missing: plan.tokensMissing };
  const [lifetime, unitPrice] = prices ?? (await fetchPrices());
  const isSponsored = command.sponsor !== undefined;
  const reason = isSponsored
    ? whyNotSponsored({ ...addresses, recipient: command.recipient as Address }, plan, facts)
    : null;
  if (reason !== null) return { kind: "not_sponsored", reason };
  const networkFee = (units: number, price: bigint) => feeOf(isSponsored ? 2n : 1n, units, price);
  const solMissing = (missing: bigint) => ({ kind: isSponsored ? "sponsor_short" : "sol_missing", missing }) as const;
  // A trial run needs less than this. The missing amount includes the priority fee, so that it is named only once.
  if (lamportsMissing(plan, networkFee(TRIAL_UNITS, 0n), facts) > 0n)
    return solMissing(lamportsMissing(plan, networkFee(TRIAL_UNITS, unitPrice), facts));

  const draft = { feePayer: addresses.payer, instructions: plan.instructions, lifetime };
  const trial = await simulate(session, compile({ ...draft, units: TRIAL_UNITS, unitPrice: 0n }), false);
  const stop = trial.err === null ? null : parseStop(trial.err, trial.logs, settings.programId);
  if (stop !== null) return explainStop(stop);
  const units = unitsToAskFor(trial.units ?? 0);
  const network = networkFee(units, unitPrice);
  const missing = lamportsMissing(plan, network, facts);
  if (missing > 0n) return solMissing(missing);
  const { record, tombstone, tokenAccount } = facts.rents;
  return {
    kind: "built",
    transaction: compile({ ...draft, units, unitPrice }),
    payment: addresses.payment,
    arbiter,
    terms,
    fee: { network, record, vault: tokenAccount, tokenAccount: facts.hasDestination ? 0n : tokenAccount },
    lastValidBlockHeight: lifetime.lastValidBlockHeight,
    tombstone,
  };
}

/**
 * Fetches the price to offer. It is the minimum if the node refuses the request, as some do. A node that does not answer
 * is not used for the build.
 */
function unitPriceFetcher({ unitPriceMax, log }: BuilderSettings) {
  /** Nodes without the method that the log has named. */
  const withoutFees = new Set<number>();
  return async (session: NodeSession, payment: string): Promise<bigint> => {
    const method = "getRecentPrioritizationFees";
    const recent = await session.call(method, [[payment]]).catch((error: unknown) => {
      if (!(error instanceof NodeError) || error.code === null || error.rests) throw error;
      if (!withoutFees.has(session.node))
        log(
          `Node ${session.node} refuses ${method} (${error.message}): checkouts built with it offer the least priority.`,
          undefined,
          "warn",
        );
      withoutFees.add(session.node);
      return [];
    });
    return chooseUnitPrice(recent, unitPriceMax);
  };
}

/** Sends to every node. One that accepts the transaction is enough. */
async function sendToAll(pool: Pool, transaction: string, options: Pick<ReadOptions, "signal">): Promise<void> {
  const form = { encoding: "base64", skipPreflight: true, maxRetries: 0 };
  const sends = Array.from({ length: pool.nodes }, (_, onlyNode) =>
    pool.queue({ ...options, onlyNode }).ask(async (session) => {
      parseText(await session.call("sendTransaction", [transaction, form]), "signature");
    }),
  );
  const results = await Promise.allSettled(sends);
  if (results.some(({ status }) => status === "fulfilled")) return;
  const [failure] = results.map((result) => (result.status === "rejected" ? result.reason : null));
  throw failure ?? new ChainUnavailableError("No node is configured.");
}

async function draftTerms(command: PaymentCommand, operator: string, arbiter: string): Promise<BuiltPayment["terms"]> {
  const terms: Terms = {
    v: 3,
    nonce: command.termsNonce,
    paymentId: command.paymentId,
    operator,
    recipient: command.recipient,
    amount: command.amount,
    asset: command.asset,
    protectionPeriod: command.protectionPeriod,
    expiresAt: command.expiresAt.toISOString(),
    arbiter,
    business: command.business,
    refundPolicyHash: command.refundPolicyHash,
    price: command.price,
    quote: command.quote,
    offer: null,
  };
  return { text: termsText(terms), hash: await hashTerms(terms) };
}

const draftPayment = (
  command: PaymentCommand,
  { programId, operator }: BuildDeps["settings"],
  { tokenProgram, source, destination }: TokenAccounts,
  arbiter: Address,
  termsHash: string,
) => ({
  programId: programId as Address,
  operator: operator as Address,
  sender: command.sender as Address,
  payer: (command.sponsor ?? command.sender) as Address,
  recipient: command.recipient as Address,
  mint: command.asset as Address,
  tokenProgram,
  source,
  destination,
  paymentId: BigInt(command.paymentId),
  amount: BigInt(command.amount),
  period: command.protectionPeriod,
  notAfter: BigInt(Math.floor(command.notAfter.getTime() / 1_000)),
  arbiter,
  termsHash,
});

/** Explains trial errors that concern the payment. If the transaction itself is at fault, another node is asked. */
function explainStop(stop: Stop): BuildRefusal {
  if (stop.kind === "transaction") throw new NodeError(`simulation stopped: ${stop.reason}`, { rests: false });
  return stop.reason.startsWith("payment_exists:")
    ? { kind: "already_paid" }
    : { kind: "would_fail", reason: stop.reason };
}
