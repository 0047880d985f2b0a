import { createPaymentInstructions, findTokenAccountAddress } from "@holdfast/escrow-client";
import { getBase64EncodedWireTransaction, type TransactionPartialSigner } from "@solana/kit";
import { type Offer, type Policy, readOffer } from "./policy.ts";
import type { PaymentPayloadResult, PaymentRequirements, PaymentResponse } from "./protocol.ts";
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

const UNIT_PRICE_DEFAULT = 10_000n;
/** Payments whose transactions are remembered. */
const KEPT_MAX = 1_000;

/**
 * The client of the scheme `protected` for an `x402Client`. It signs only offers that the policy allows, and one
 * transaction for each payment: a repeat of a request sends the same one again, until the chain can no longer take it.
 */
export class ProtectedClient {
  readonly scheme = "protected";
  readonly schemeHooks: {
    readonly onPaymentResponse: (answer: PaymentResponse) => Promise<undefined | { recovered: true }>;
  };
  readonly #options: ProtectedClientOptions;
  readonly #rpc: Rpc;
  readonly #signed = new Map<string, string>();

  constructor(options: ProtectedClientOptions) {
    this.#options = options;
    this.#rpc = openRpc(options.rpcUrl);
    this.schemeHooks = {
      // A slow wallet's transaction has ended without an effect, and another one can be signed at once.
      onPaymentResponse: async ({ paymentRequired, requirements }) => {
        if (!paymentRequired?.error?.startsWith("expired:")) return undefined;
        this.#signed.delete(nameOf(requirements));
        return { recovered: true };
      },
    };
  }

  async createPaymentPayload(x402Version: number, requirements: PaymentRequirements): Promise<PaymentPayloadResult> {
    const offer = await readOffer(requirements, this.#options.policy);
    const name = nameOf(requirements);
    const transaction = this.#signed.get(name) ?? (await this.#sign(offer));
    if (this.#signed.size >= KEPT_MAX) this.#signed.delete(this.#signed.keys().next().value!);
    this.#signed.set(name, transaction);
    return { x402Version, payload: { transaction } };
  }

  async #sign(offer: Offer): Promise<string> {
    const { signer, unitPrice = UNIT_PRICE_DEFAULT } = this.#options;
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

/** A payment under one terms text: changed terms are signed anew. */
const nameOf = ({ extra }: PaymentRequirements): string => `${String(extra.paymentId)} ${String(extra.terms)}`;
