import { createPaymentInstructions, findTokenAccountAddress } from "@holdfast/escrow-client";
import { getBase64EncodedWireTransaction, type TransactionPartialSigner } from "@solana/kit";
import { type Policy, readOffer } from "./policy.ts";
import {
  type PaymentCreated,
  type PaymentCreation,
  type PaymentPayloadResult,
  type PaymentRequirements,
  type PaymentResponse,
  REPEAT_MS,
  type ResourceInfo,
} from "./protocol.ts";
import { compile, openRpc, type Rpc } from "./transaction.ts";

export interface ProtectedClientOptions {
  /** The paying wallet. It pays the network's fee and the payment's rents, too. */
  readonly signer: TransactionPartialSigner;
  /** A node of the network. */
  readonly rpcUrl: string;
  readonly policy: Policy;
  /** Micro-lamports offered for a compute unit; default 10,000. */
  readonly unitPrice?: bigint;
}

/** An accepted offer whose payment is not known to be settled. */
interface Unsettled {
  readonly accepted: PaymentRequirements;
  /** The signed transaction; null while there is none that may have an effect. */
  transaction: Promise<string> | null;
}

const UNIT_PRICE_DEFAULT = 10_000n;
/** Payments that are remembered. */
const KEPT_MAX = 1_000;
/** Refusals of a transaction without an effect. Another one for the same offer cannot pay twice. */
const ENDED = /^(expired|failed|simulation_failed):/;
/** Refusals of an offer, which no repeat changes. */
const OVER = /^(already_served|disputed|invalid_\w+|mismatch|paid|refunded|released)\b/;

/** A settled payment buys an intent; of a server that sells by the call, only together with what it delivers. */
const isBought = ({ accepted }: Unsettled, settled: PaymentResponse["settleResponse"]): boolean =>
  settled?.success === true && (accepted.extra.offer === undefined || settled.extra?.delivery !== undefined);

/** A payment that may have landed is settled for longer than its offer is open: paid anew, it would be paid twice. */
function isOpen({ accepted, transaction }: Unsettled): boolean {
  const endsAtMs = Number(accepted.extra.notAfter) * 1_000;
  return endsAtMs + (transaction === null ? 0 : REPEAT_MS) > Date.now();
}

/**
 * The client of the scheme `protected` for an `x402Client`. It signs only offers that the policy allows. Until a payment is
 * known to be settled, or can no longer be, each request for the same resource at the same price sends it again.
 */
export class ProtectedClient {
  readonly scheme = "protected";
  readonly schemeHooks: {
    readonly onBeforePaymentCreation: (creation: PaymentCreation) => Promise<void>;
    readonly onAfterPaymentCreation: (created: PaymentCreated) => Promise<void>;
    readonly onPaymentResponse: (answer: PaymentResponse) => Promise<undefined | { recovered: true }>;
  };
  readonly #options: ProtectedClientOptions;
  readonly #rpc: Rpc;
  readonly #unsettled = new Map<string, Unsettled>();
  /** The resource of each offer, and the payment that was chosen for it. */
  readonly #resources = new WeakMap<PaymentRequirements, ResourceInfo>();
  readonly #chosen = new WeakMap<PaymentRequirements, Unsettled>();

  constructor(options: ProtectedClientOptions) {
    this.#options = options;
    this.#rpc = openRpc(options.rpcUrl);
    this.schemeHooks = {
      onBeforePaymentCreation: async ({ paymentRequired, selectedRequirements }) => {
        this.#resources.set(selectedRequirements, paymentRequired.resource);
      },
      // A payment that is sent again names its own offer, not the one that came with this request.
      onAfterPaymentCreation: async ({ selectedRequirements, paymentPayload }) => {
        Object.assign(paymentPayload, { accepted: this.#chosen.get(selectedRequirements)!.accepted });
      },
      onPaymentResponse: async ({ requirements, paymentPayload, settleResponse, paymentRequired }) => {
        const payment = this.#chosen.get(requirements);
        if (payment === undefined || (await payment.transaction) !== paymentPayload.payload.transaction)
          return undefined;
        const reason = settleResponse?.errorReason ?? paymentRequired?.error ?? "";
        if (ENDED.test(reason)) payment.transaction = null;
        else if (isBought(payment, settleResponse) || OVER.test(reason)) this.#forget(payment);
        // A slow wallet's transaction has ended without an effect, and another one can be signed at once.
        return reason.startsWith("expired:") ? { recovered: true } : undefined;
      },
    };
  }

  async createPaymentPayload(x402Version: number, requirements: PaymentRequirements): Promise<PaymentPayloadResult> {
    await readOffer(requirements, this.#options.policy, this.#resources.get(requirements));
    const payment = this.#choose(requirements);
    payment.transaction ??= this.#sign(payment.accepted);
    const signing = payment.transaction;
    try {
      return { x402Version, payload: { transaction: await signing } };
    } catch (error) {
      if (payment.transaction === signing) payment.transaction = null;
      throw error;
    }
  }

  /** Returns the unsettled payment for the same resource and price; a new one of this offer if there is none. */
  #choose(requirements: PaymentRequirements): Unsettled {
    const name = this.#nameOf(requirements);
    const known = this.#unsettled.get(name);
    const payment = known !== undefined && isOpen(known) ? known : { accepted: requirements, transaction: null };
    this.#unsettled.delete(name);
    if (this.#unsettled.size >= KEPT_MAX) this.#unsettled.delete(this.#unsettled.keys().next().value!);
    this.#unsettled.set(name, payment);
    this.#chosen.set(requirements, payment);
    return payment;
  }

  #forget(payment: Unsettled): void {
    const name = this.#nameOf(payment.accepted);
    if (this.#unsettled.get(name) === payment) this.#unsettled.delete(name);
  }

  #nameOf(requirements: PaymentRequirements): string {
    const { network, payTo, amount, asset } = requirements;
    return JSON.stringify([this.#resources.get(requirements)?.url, network, payTo, amount, asset]);
  }

  async #sign(accepted: PaymentRequirements): Promise<string> {
    const { signer, policy, unitPrice = UNIT_PRICE_DEFAULT } = this.#options;
    const offer = await readOffer(accepted, policy);
    const account = await findTokenAccountAddress({ ...offer, owner: offer.recipient });
    const instructions = await createPaymentInstructions({
      ...offer,
      sender: signer.address,
      createRecipientAccount: (await this.#rpc.fetchAccount(account)) === null,
    });
    const unsigned = await compile(this.#rpc, { feePayer: signer.address, instructions, unitPrice });
    const [signatures] = await signer.signTransactions([
      unsigned as Parameters<TransactionPartialSigner["signTransactions"]>[0][number],
    ]);
    return getBase64EncodedWireTransaction({
      ...unsigned,
      signatures: { ...unsigned.signatures, ...signatures },
    });
  }
}
