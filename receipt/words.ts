import type { Difference } from "./receipt.ts";
import type { Verdict } from "./verify.ts";

/** A verdict in sentences. Only nodes can show that a payment is on chain, so no other verdict says so. */
export function describeVerdict(verdict: Verdict): string {
  switch (verdict.verdict) {
    case "consistent":
      return [
        `Consistent${endOf(verdict)}. Signed by ${verdict.issuer}.`,
        "The receipt agrees with itself and with the keys of its deployment. No node was asked, so this does not show that the payment is on chain. To ask nodes, add --rpc URL.",
      ].join("\n");
    case "confirmed":
      return [
        `Confirmed by ${count(verdict.nodes, "node")} at slot ${verdict.slot}${endOf(verdict)}. Signed by ${verdict.issuer}.`,
        ...(verdict.closed === null
          ? []
          : [
              "The nodes show the end and the amounts. The terms went with the record: they are the deployment's word.",
            ]),
        ...verdict.since.map(
          ({ field, receipt, found, where }) => `Today ${field} is ${found} by ${where}; the receipt has ${receipt}.`,
        ),
        ...verdict.silent.map((reason) => `No answer: ${reason}`),
      ].join("\n");
    case "differs":
      return ["Differs.", ...verdict.differences.map(describeDifference)].join("\n");
    case "not_asked":
      return ["Nobody could be asked.", ...verdict.reasons].join("\n");
  }
}

const endOf = ({ closed }: Extract<Verdict, { closed: unknown }>): string =>
  closed === null ? "" : `, closed, ended as ${closed.status}`;

const describeDifference = ({ field, receipt, found, where }: Difference): string =>
  `  ${field} is ${receipt} in the receipt, and ${found} by ${where}.`;

const count = (number: number, noun: string): string => `${number} ${noun}${number === 1 ? "" : "s"}`;
