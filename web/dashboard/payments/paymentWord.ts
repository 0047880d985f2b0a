import type { Tone } from "@holdfast/ui/badge.tsx";
import type { ListedPayment } from "../api/schema.ts";
import * as texts from "../catalogue/index.ts";

const state = (tone: Tone, word: keyof typeof texts.paymentLists.payments.states) =>
  ({ tone, word: texts.paymentLists.payments.states[word] }) as const;

type State = Pick<ListedPayment, "status" | "outcome" | "amountRefunded" | "role" | "lateReason" | "overLimit">;

/** A payment's state in a word of a list. Only a state in which somebody should do something is amber or red. */
export function paymentWord({ status, outcome, amountRefunded, role, lateReason, overLimit }: State) {
  const isInParts = amountRefunded !== "0";
  if (status === "refunded") return state("neutral", "refunded");
  if (status === "released") return isInParts ? state("neutral", "partlyRefunded") : state("good", "released");
  if (outcome !== null) return state("info", "decided");
  if (status === "disputed") return state("wait", "disputed");
  if (role === "duplicate") return state("bad", "duplicate");
  if (overLimit) return state("bad", "overLimit");
  if (lateReason !== null) return state("wait", "late");
  return state("info", isInParts ? "protectedInPart" : "protected");
}

interface PaymentState {
  readonly tone: Tone;
  readonly word: string;
  /** Protected as a whole: no part of it was decided yet. */
  readonly isPlain: boolean;
}

const stateWith = (tone: Tone, word: keyof typeof texts.payments.states): PaymentState => ({
  tone,
  word: texts.payments.states[word],
  isPlain: word === "protected",
});

/** Returns a payment's state in a word and in the colour of the list, including payments that ended in parts, or are decided with a part left to send. */
export function stateOf({
  status,
  outcome,
  amountRefunded,
}: Pick<State, "status" | "outcome" | "amountRefunded">): PaymentState {
  if (status === "refunded") return stateWith("neutral", "refunded");
  const isInParts = amountRefunded !== "0";
  if (status === "released") return isInParts ? stateWith("neutral", "partlyRefunded") : stateWith("good", "released");
  if (outcome !== null) return stateWith("info", "decided");
  if (status === "disputed") return stateWith("wait", "disputed");
  return stateWith("info", isInParts ? "protectedInPart" : "protected");
}
