import { hashTerms, type Terms, termsText } from "@holdfast/escrow-client";
import type { Address } from "@solana/kit";
import { KeptAnswers } from "../../lib/keptAnswers.ts";
import type { BuiltAction, BuiltMemo, MemoCommand, PaymentRefusal } from "../acts.ts";
import type { BuiltPayment, ChainBuilder, PaymentCommand, TermsCommand, TermsText, Trial } from "../builder.ts";
import { type Lifetimes, NO_LIFETIMES } from "../lifetime.ts";
import { ChainUnavailableError, type ReadOptions, unlessAway } from "../port.ts";
import { buildAction } from "./actionBuilder.ts";
import { realClock } from "./clock.ts";
import { type BuildDeps, compile } from "./draft.ts";
import { fetchBlockhash, type LatestBlockhash } from "./latestBlockhash.ts";
import { createLifeReads } from "./lifetimes.ts";
import { memoInstruction } from "./memo.ts";
import { NodeError } from "./nodeError.ts";
import { fetchPaymentFacts, findPaymentAddresses, type PaymentAddresses } from "./paymentFacts.ts";
import { planPayment, whyNotSponsored } from "./paymentPlan.ts";
import { showPlain } from "./plain.ts";
import { createPool, type NodeSession, type Pool } from "./pool.ts";
import type { Stop } from "./refusal.ts";
import { createRents } from "./rents.ts";
import type { SolanaSettings } from "./settings.ts";
import { parseText } from "./shapes.ts";
import { blockhashOf, type Named, nameOf, readSignedTransaction } from "./signedTransaction.ts";
import { simulate } from "./simulation.ts";
import { tryPlans } from "./trial.ts";
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
  async function keep<Answer extends BuiltPayment | BuiltAction | { readonly kind: string }>(
    answer: Answer,
  ): Promise<Answer> {
    if ("lastValidBlockHeight" in answer)
      await lives.save(blockhashOf(answer.transaction), answer.lastValidBlockHeight);
    return answer;
  }

  return {
    keepTo: pool.keepTo,
    estimateCost,
    draftTerms: (command, arbiter) => draftTerms(command, settings.operator, arbiter),
    buildPayment,
    buildAction: async (command, options) =>
      keep(
        await pool
          .queue({ ...options, minSlot: command.minSlot })
          .ask((session) => buildAction(session, command, deps)),
      ),
    buildMemo: async (command, options) =>
      buildMemo(await latest.read("", () => pool.queue(options).ask(fetchBlockhash)), command),
    readSigned: (transaction) => readSignedTransaction(transaction, settings),

    tryTransaction: async (transaction, options) => {
      const attempt = (session: NodeSession) => tryOn(session, transaction, { lives, programId: settings.programId });
      const { first, fetchSecond } = await askFirst(pool, attempt, options);
      return (first.kind === "ended" ? await fetchSecond() : null) ?? first;
    },

    sendTransaction: (transaction, options) => sendToAll(pool, transaction, options),
    ...createLifeMethods(pool, lives),
  };
}

export function createLifeMethods(
  pool: Pool,
  lives: ReturnType<typeof createLifeReads>,
): Pick<ChainBuilder, "fetchLife" | "fetchAgreedLife" | "canStillLand" | "canSignatureLand"> {
  /**
   * A transaction has failed or ended here only once two nodes say so, where there are two: a single one may run ahead, or
   * lie. A trial that failed is one node's word.
   */
  async function judge(named: Named, options: Pick<ReadOptions, "signal">) {
    const ask = (session: NodeSession) => lives.judge(session, named, "finalized");
    const { first, fetchSecond } = await askFirst(pool, ask, options);
    if (pool.nodes === 1 || first.kind === "live" || first.kind === "landed") return { life: first, isAgreed: true };
    const second = await fetchSecond();
    if (second === null || second.kind === first.kind) return { life: first, isAgreed: second !== null };
    const isBetter = second.kind === "live" || second.kind === "landed";
    return { life: isBetter ? second : ({ kind: "live", msLeft: 0 } as const), isAgreed: false };
  }
  const judgeText = async (transaction: string, options: Pick<ReadOptions, "signal">) => {
    const named = await nameOf(transaction);
    return named && judge(named, options);
  };
  return {
    fetchLife: async (transaction, options) => (await judgeText(transaction, options))?.life ?? null,
    async fetchAgreedLife(transaction, options) {
      const judged = await judgeText(transaction, options);
      return judged?.isAgreed ? judged.life : null;
    },
    canStillLand: async (transaction, options) => (await judgeText(transaction, options))?.life.kind !== "ended",
    canSignatureLand: async (signature, options) =>
      (await judge({ name: signature, signature }, options)).life.kind !== "ended",
  };
}

/** `fetchSecond` asks another node the same, for half the time of a read. Null: there is none, or none answers. */
async function askFirst<Answer>(
  pool: Pool,
  attempt: (session: NodeSession) => Promise<Answer>,
  options: Pick<ReadOptions, "signal">,
) {
  const ask = async (session: NodeSession) => ({ first: await attempt(session), node: session.node });
  const { first, node } = await pool.queue(options).ask(ask);
  const fetchSecond = async (): Promise<Answer | null> => {
    if (pool.nodes === 1) return null;
    const second = await unlessAway(pool.queue({ ...options, notNode: node }, pool.deadlineMs / 2).ask(attempt));
    // A caller that stops says nothing of the node.
    if (second === null && options.signal.aborted) throw new ChainUnavailableError("The caller stopped.", "no node");
    return second;
  };
  return { first, fetchSecond };
}

async function tryOn(
  session: NodeSession,
  transaction: string,
  { lives, programId }: { readonly lives: ReturnType<typeof createLifeReads>; readonly programId: string },
): Promise<Trial> {
  const { stop, slot } = await simulate(session, transaction, programId, true);
  if (stop === null) return { kind: "would_land" };
  if (stop.kind === "blockhash" || stop.kind === "processed") {
    const life = await lives.judge(session, (await nameOf(transaction))!, session.commitment);
    if (life.kind === "failed") return { kind: "would_fail", reason: "it failed on chain" };
    return { kind: TRIALS[life.kind] };
  }
  // A node that is behind does not know yet what the wallet received.
  session.acceptAbsence(slot);
  return { kind: "would_fail", reason: stop.reason };
}
const TRIALS = { live: "unknown_blockhash", landed: "would_land", ended: "ended" } as const;

async function buildAt(
  session: NodeSession,
  command: PaymentCommand,
  addresses: PaymentAddresses,
  { settings, fetchRent, fetchUnitPrice }: BuildDeps,
): Promise<BuiltPayment | PaymentRefusal> {
  const fetchPrices = () => Promise.all([fetchBlockhash(session), fetchUnitPrice(session, addresses.payment)]);
  const [found, prices] = await Promise.all([
    fetchPaymentFacts(session, addresses, fetchRent),
    command.tokensFirst === true ? null : fetchPrices(),
  ]);
  if (found.refusal !== null) return { kind: found.refusal };
  const { facts, arbiter, accounts } = found;
  const terms = await draftTerms(command, settings.operator, arbiter);
  const drafted = {
    ...addresses,
    ...accounts,
    arbiter,
    termsHash: terms.hash,
    paymentId: BigInt(command.paymentId),
    amount: BigInt(command.amount),
    period: command.protectionPeriod,
    notAfter: BigInt(Math.floor(command.notAfter.getTime() / 1_000)),
  };
  const plan = await planPayment(drafted, facts);
  if (plan.tokensMissing > 0n) return { kind: "token_missing", missing: plan.tokensMissing };
  const isSponsor = command.sponsor !== undefined;
  const reason = isSponsor ? whyNotSponsored(addresses, plan, facts) : null;
  if (reason !== null) return { kind: "not_sponsored", reason };
  const { payer: address, payment } = addresses;
  const payer = { address, isSponsor, lamports: facts.lamports, rent: facts.rents.wallet, mayLackSol: false };
  const trial = { payer, programId: settings.programId, prices: prices ?? (await fetchPrices()), explain: explainStop };
  const tried = await tryPlans(session, [plan], trial);
  if (tried.kind !== "tried") return tried;
  const { transaction, network, lastValidBlockHeight } = tried;
  const { record, tombstone, tokenAccount } = facts.rents;
  return {
    kind: "built",
    transaction,
    payment,
    arbiter,
    terms,
    lastValidBlockHeight,
    tombstone,
    fee: { network, record, vault: tokenAccount, tokenAccount: facts.hasDestination ? 0n : tokenAccount },
  };
}

/** Units for a memo: its program takes some hundred for each byte of a longer text. */
const MEMO_UNITS = 400_000;

/** Builds a transaction with one memo, for the account to sign; it is landed or never sent, as its way says. */
function buildMemo(lifetime: LatestBlockhash, { account, text }: MemoCommand): BuiltMemo {
  const instructions = [memoInstruction(account as Address, text)];
  const draft = { feePayer: account as Address, instructions, lifetime, units: MEMO_UNITS, unitPrice: 0n };
  return { transaction: compile(draft), instructions: instructions.map(showPlain) };
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

async function draftTerms(command: TermsCommand, operator: string, arbiter: string): Promise<TermsText> {
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

/** Explains trial errors that concern the payment. If the transaction itself is at fault, another node is asked. */
function explainStop(stop: Stop): PaymentRefusal {
  if (stop.kind === "transaction" || stop.kind === "processed")
    throw new NodeError(`simulation stopped: ${stop.reason}`, { rests: false });
  return stop.reason.startsWith("payment_exists:")
    ? { kind: "already_paid" }
    : { kind: "would_fail", reason: stop.reason };
}
