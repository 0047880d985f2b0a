import { type ChainPayment, ChainUnavailableError, isPayment } from "../../chain/port.ts";
import { type PayoutSide, TransactionRefusedError, TransactionUnknownError } from "../../chain/tool.ts";
import { isAddress } from "../../domain/addresses.ts";
import { type AdminAnswer, AdminError } from "../../edge/admin.ts";
import { type Command, describeSigned, signOrPrint } from "./command.ts";

/** The arbiter's ruling on a disputed payment, sent alone; with a key, each part that is due by itself behind it. */
export async function resolve(command: Command, address: string, totalText: string): Promise<AdminAnswer> {
  const payment = await fetchDisputed(command, address);
  const total = parseTotal(totalText, payment);
  const signed = await signOrPrint(command, {
    kind: "resolve",
    signer: payment.arbiter,
    payment,
    total: total.toString(),
  });
  const amount = BigInt(payment.amount);
  const toSender = max(total, BigInt(payment.refundTotal));
  const ruling = `Of ${amount} the sender ${payment.sender} has ${toSender} in the end, the recipient ${payment.recipient} ${amount - toSender}.`;
  const base = { object: "ruling", payment: address, total: toSender.toString(), ...signed };
  if (!("signature" in signed))
    return { result: { ...base, parts: [] }, text: `${ruling}\n${describeSigned(signed, payment.arbiter)}` };
  const parts = [
    ...(toSender > BigInt(payment.amountRefunded) ? [await sendPart(command, payment, "sender")] : []),
    ...(toSender < amount ? [await sendPart(command, payment, "recipient")] : []),
  ];
  const lines = parts.map(({ side, signature, reason }) =>
    signature === null
      ? `The ${side}'s part is due and has not left: ${reason} The keeper, or anybody, may send it later.`
      : `The ${side}'s part has left: ${signature}`,
  );
  return { result: { ...base, parts }, text: [ruling, describeSigned(signed, payment.arbiter), ...lines].join("\n") };
}

const max = (one: bigint, other: bigint): bigint => (one > other ? one : other);

/** What the simulation would refuse in the program's words is refused here in words about this payment. */
async function fetchDisputed({ tool, signal }: Command, address: string): Promise<ChainPayment> {
  if (!isAddress(address)) throw new AdminError(`A payment's id is its address on chain, not "${address}".`);
  const { value } = await tool.reader.fetchPayments([address], { signal });
  const payment = value[0] ?? null;
  if (payment === null) throw new AdminError(`There is no payment of the operator ${tool.operator} at ${address}.`);
  if (!isPayment(payment)) throw new AdminError(`The payment ${address} is finished and closed.`);
  if (payment.outcome !== null)
    throw new AdminError(
      `The payment ${address} is decided already (${payment.outcome}); a ruling cannot change that.`,
    );
  if (payment.disputedAt === null)
    throw new AdminError(`The payment ${address} is not disputed; only disputed payments are ruled on.`);
  return payment;
}

function parseTotal(given: string, payment: ChainPayment): bigint {
  if (given === "all") return BigInt(payment.amount);
  if (given === "none") return 0n;
  if (!/^(0|[1-9]\d{0,19})$/.test(given))
    throw new AdminError(`What the sender gets is digits in the token's smallest unit, all or none, not "${given}".`);
  if (BigInt(given) > BigInt(payment.amount))
    throw new AdminError(`The payment is of ${payment.amount}; the sender cannot get ${given}.`);
  return BigInt(given);
}

interface SentPart {
  readonly side: PayoutSide;
  readonly signature: string | null;
  /** Why it has not left; null: it has. */
  readonly reason: string | null;
}

/** The ruling is bound by now: a part that fails is named, and does not make the command fail. */
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
