import { describeEvidence } from "./evidence.ts";
import type { Difference } from "./receipt.ts";
import type { Verdict } from "./verify.ts";

/** A verdict in sentences. Only nodes can show that a payment is on chain, so no other verdict says so. */
export const describeVerdict = (verdict: Verdict): string => sentencesOf(verdict).map(plain).join("\n");

const LINE_CHARACTERS_MAX = 2_500;
const DIFFERENCES_MAX = 200;
/** Characters that end a line, move a terminal's cursor, or are not seen. */
const UNSEEN = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu;
/** Writes a value in one line: whoever made the file could otherwise write lines of this answer, or move the cursor. */
export const plain = (line: string): string => {
  const text = line.replaceAll(UNSEEN, "\uFFFD");
  return text.length > LINE_CHARACTERS_MAX ? `${text.slice(0, LINE_CHARACTERS_MAX)} (cut)` : text;
};

/** A verdict as one line of JSON. Such characters are escaped: JSON itself allows some of them in a text. */
export const showVerdict = (verdict: Verdict): string =>
  JSON.stringify(verdict).replaceAll(UNSEEN, (character) =>
    [...Array(character.length).keys()]
      .map((at) => `\\u${character.charCodeAt(at).toString(16).padStart(4, "0")}`)
      .join(""),
  );

function sentencesOf(verdict: Verdict): string[] {
  switch (verdict.verdict) {
    case "consistent":
      return [
        `Consistent${endOf(verdict)}. Signed by ${verdict.issuer}.`,
        ...describeRecord(verdict.decision),
        ...(verdict.evidence === undefined ? [] : describeEvidence(verdict.evidence)),
        "The receipt agrees with itself and with the keys of its deployment. No node was asked, so this does not show that the payment is on chain. To ask nodes, add --rpc URL.",
      ];
    case "confirmed":
      return [
        `Confirmed by ${count(verdict.nodes, "node")} at slot ${verdict.slot}${endOf(verdict)}. Signed by ${verdict.issuer}.`,
        ...(verdict.closed === null
          ? []
          : [
              "The nodes show the end and the amounts. The terms went with the record: they are the deployment's word.",
            ]),
        ...describeRecord(verdict.decision),
        ...describeRuling(verdict.decision),
        ...(verdict.evidence === undefined ? [] : describeEvidence(verdict.evidence)),
        ...verdict.since.map(
          ({ field, receipt, found, where }) => `Today ${field} is ${found} by ${where}; the receipt has ${receipt}.`,
        ),
        ...verdict.silent.map((reason) => `No answer: ${reason}`),
      ];
    case "differs":
      return ["Differs.", ...verdict.differences.slice(0, DIFFERENCES_MAX).map(describeDifference)];
    case "not_asked":
      return ["Nobody could be asked.", ...verdict.reasons];
  }
}

type Decision = Extract<Verdict, { readonly decision: unknown }>["decision"];

function describeRecord(decision: Decision): string[] {
  if (decision === null) return [];
  switch (decision.record) {
    case "agrees":
      return ["The record of the decision has the fingerprint that its memo names."];
    case "absent":
      return [
        "The file has no record of the decision, so its reasons are not checked. A file that is fetched with the receipt's key has the record.",
      ];
    case null:
      return [`The decision was made outside the deployment, without reasons (memo: ${decision.memo}).`];
  }
}

function describeRuling(decision: Decision): string[] {
  if (decision === null) return [];
  return decision.nodes === 0
    ? ["No node that answered has the transaction of the ruling, so its memo and total are not confirmed."]
    : [`The ruling with this memo and total is confirmed by ${count(decision.nodes, "node")}.`];
}

const endOf = ({ closed }: Extract<Verdict, { closed: unknown }>): string =>
  closed === null ? "" : `, closed, ended as ${closed.status}`;

const describeDifference = ({ field, receipt, found, where }: Difference): string =>
  `  ${field} is ${receipt} in the ${field.startsWith("evidence") ? "evidence" : "receipt"}, and ${found} by ${where}.`;

const count = (number: number, noun: string): string => `${number} ${noun}${number === 1 ? "" : "s"}`;
