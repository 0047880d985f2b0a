import { type ChainPayment, ChainUnavailableError, isPayment } from "../../chain/port.ts";
import { type PayoutSide, TransactionRefusedError, TransactionUnknownError } from "../../chain/tool.ts";
import { PART_UNITS, textKind } from "../../domain/values.ts";
import { type AdminAnswer, AdminError } from "../../edge/admin.ts";
import { type Command, describeSigned, signOrPrint } from "./command.ts";

/** The total that the sender has in the end. */
export const TOTAL = textKind({}, "digits in the token's smallest unit, all or none", (text): bigint | "all" | null =>
  text === "all" ? text : text === "none" ? 0n : PART_UNITS.parse(text) === null ? null : BigInt(text),
);

/** Sends the arbiter's decision on a disputed payment, alone; with a key, then each payout that is due. */
export async function resolve(command: Command, address: string, given: bigint | "all"): Promise<AdminAnswer> {
  const payment = await fetchDisputed(command, address);
  const amount = BigInt(payment.amount);
  const total = given === "all" ? amount : given;
  if (total > amount)
    throw new AdminError(`The total ${total} is more than the amount of the payment, ${payment.amount}.`);
  const signed = await signOrPrint(command, {
    kind: "resolve",
    signer: payment.arbiter,
    payment,
    total: total.toString(),
  });
  const toSender = max(total, BigInt(payment.refundTotal));
  const ruling = `Of ${amount}, the sender ${payment.sender} has ${toSender} in the end, and the recipient ${payment.recipient} has ${amount - toSender}.`;
  const base = { object: "ruling", payment: address, total: toSender.toString(), ...signed };
  if (!("signature" in signed))
    return { result: { ...base, parts: [] }, text: `${ruling}\n${describeSigned(signed, payment.arbiter)}` };
  const parts = [
    ...(toSender > BigInt(payment.amountRefunded) ? [await sendPart(command, payment, "sender")] : []),
    ...(toSender < amount ? [await sendPart(command, payment, "recipient")] : []),
  ];
  const lines = parts.map(({ side, signature, reason }) =>
    signature === null
      ? `The ${side}'s payout is due but was not sent: ${reason} The keeper or anyone else can send it later.`
      : `The ${side}'s payout was sent: ${signature}`,
  );
  return { result: { ...base, parts }, text: [ruling, describeSigned(signed, payment.arbiter), ...lines].join("\n") };
}

const max = (one: bigint, other: bigint): bigint => (one > other ? one : other);

/** Refuses a payment that the simulation would refuse, with a message that names the payment. */
async function fetchDisputed({ tool, signal }: Command, address: string): Promise<ChainPayment> {
  const { value } = await tool.reader.fetchPayments([address], { signal });
  const payment = value[0] ?? null;
  if (payment === null) throw new AdminError(`The operator ${tool.operator} has no payment at ${address}.`);
  if (!isPayment(payment)) throw new AdminError(`The payment ${address} is finished and closed.`);
  if (payment.outcome !== null)
    throw new AdminError(`The payment ${address} is already decided (${payment.outcome}). A decision is final.`);
  if (payment.disputedAt === null)
    throw new AdminError(`The payment ${address} is not disputed. Only disputed payments can be decided.`);
  return payment;
}

interface SentPart {
  readonly side: PayoutSide;
  readonly signature: string | null;
  /** The reason why it was not sent; null if it was. */
  readonly reason: string | null;
}

/** Sends one payout. The decision is final by now, so a payout that fails is reported and does not fail the command. */
async function sendPart({ tool, key, signal }: Command, payment: ChainPayment, side: PayoutSide): Promise<SentPart> {
  try {
    const signature = await tool.send({ kind: "pay_out", signer: payment.arbiter, payment, side }, key!, signal);
    return { side, signature, reason: null };
  } catch (error) {
    const expected = [TransactionRefusedError, TransactionUnknownError, ChainUnavailableError];
    if (!expected.some((known) => error instanceof known)) throw error;
    return { side, signature: null, reason: (error as Error).message };
  }
}
