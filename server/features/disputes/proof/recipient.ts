import { ActionError } from "../../../domain/actionError.ts";
import { isPlainKey } from "../../../domain/addresses.ts";
import type { Member } from "../../../domain/callers.ts";
import { BuyerError } from "../../../edge/buyer/error.ts";
import {
  type AskedProof,
  askProof,
  type CheckedProof,
  checkProof,
  type GivenProof,
  type ProofDeps,
  requireProvable,
  type Signer,
} from "./actions.ts";
import type { ProvablePayment } from "./queries.ts";
import type { MerchantProofKind, OfferedAgreement } from "./texts.ts";

/** The signature of the recipient's wallet for the business (§13.20.4). Each function throws {@link ActionError}. */

export interface RecipientProofDeps extends ProofDeps {
  readonly dashboardUrl: string;
}

/** The ways of a wallet in the member's browser. */
export const RECIPIENT_WAYS = ["message", "transaction"] as const;

/** A signature that the recipient's wallet gave in a member's session. */
export interface RecipientProof extends CheckedProof {
  readonly payment: ProvablePayment;
  readonly signer: Signer;
}

const signerOf = ({ dashboardUrl }: RecipientProofDeps, { recipient }: ProvablePayment): Signer => ({
  wallet: recipient,
  host: new URL(dashboardUrl).host,
});

export async function askRecipient(
  deps: RecipientProofDeps,
  { sessionId }: Member,
  address: string,
  {
    way,
    kind,
    draft,
  }: {
    readonly way: (typeof RECIPIENT_WAYS)[number];
    readonly kind: MerchantProofKind;
    readonly draft: (payment: ProvablePayment) => OfferedAgreement;
  },
): Promise<AskedProof> {
  const payment = await requireProvable(deps, address);
  if (!isPlainKey(payment.recipient))
    throw new ActionError(
      "signature_refused",
      "The recipient is a smart wallet, which signs no text. Confirm with a recent proof of identity instead.",
    );
  const act = { kind, agreement: draft(payment) };
  return askProof(deps, payment, { way, act, browserSecret: sessionId, signer: signerOf(deps, payment) });
}

export async function checkRecipient(
  deps: RecipientProofDeps,
  { sessionId }: Member,
  address: string,
  given: GivenProof,
  act: MerchantProofKind,
): Promise<RecipientProof> {
  const payment = await inStaffWords(requireProvable(deps, address));
  const signer = signerOf(deps, payment);
  const proof = await inStaffWords(checkProof(deps, payment, given, { act, browserSecret: sessionId, signer }));
  return { ...proof, payment, signer };
}

/** Answers a refusal of a proof as one of an action. */
export const inStaffWords = <Answer>(answer: Promise<Answer>): Promise<Answer> =>
  answer.catch((error: unknown) => {
    throw error instanceof BuyerError ? new ActionError("signature_refused", error.message) : error;
  });
