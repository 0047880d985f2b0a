import { type AdminAnswer, type AdminCall, AdminError, type AdminVerb, FLAG, TEXT } from "../../../edge/admin.ts";
import { findDisputeOf } from "../buyerQueries.ts";
import { OFFER_TEXT_CHARACTERS_MAX } from "../dispute.ts";
import { parsePlainText } from "../statement.ts";
import { type ErasureAnswer, eraseOnRequest } from "./actions.ts";
import type { ErasedPart, WantedErasure } from "./erasure.ts";
import { listErasures } from "./queries.ts";

const SHOWN = 100;
const NOTE_BYTES_MAX = 2_000;

/** §17.6: erasure on request. */
export const erasureVerbs = (apiUrl: string): readonly AdminVerb[] => [
  {
    usage: "dispute erase <payment> --note <text> [--statement <number>] [--file <id>] [--reasons]",
    does: "Erases the texts and files of an ended dispute with their salts, or one statement or file of any dispute. It cannot be undone.",
    more: `Statements, questions, the sentences of offers, files with their names, and the buyer's email address go, and with each part the notes of arbiters. Hashes, the
decision, amounts and dates stay. --reasons erases the reasons of the decision instead: its hash stays, and no receipt shows
them any more. --note says why, for the list of erasures and the audit log of the business: write no names in it.
Backups keep what they hold until they are deleted.`,
    options: { note: TEXT, statement: TEXT, file: TEXT, reasons: FLAG },
    run: (call) => runErasure(call, apiUrl),
  },
  {
    usage: "dispute erasures list",
    does: `Lists the newest ${SHOWN} erasures, on request and at the end of the time for which texts are kept.`,
    run: list,
  },
];

function parseWanted({ options: { statement, file, reasons, note: given }, actor }: AdminCall): WantedErasure {
  const note = typeof given === "string" ? parsePlainText(given, OFFER_TEXT_CHARACTERS_MAX, NOTE_BYTES_MAX) : null;
  if (note === null)
    throw new AdminError(`Enter --note with 1 to ${OFFER_TEXT_CHARACTERS_MAX} characters of plain text.`);
  const parts = (
    [
      ["statement", statement],
      ["file", file],
      ["reasons", reasons],
    ] as const
  ).filter(([, given]) => given !== undefined && given !== false);
  if (parts.length > 1) throw new AdminError("Name one of --statement, --file and --reasons.");
  const [part, target] = parts[0] ?? (["dispute", null] as const);
  if (part === "statement" && !/^[1-9][0-9]?$/.test(String(target)))
    throw new AdminError("--statement takes the statement's number in the dispute.");
  const erasedBy = actor.kind === "cli" ? actor.name : actor.kind;
  return { part, target: typeof target === "string" ? target : null, cause: "request", note, erasedBy };
}

const NOTHING: Readonly<Record<ErasedPart, string>> = {
  dispute: "The texts of this dispute are erased already.",
  statement: "The dispute has no such statement, or it is erased already.",
  file: "The dispute has no such file, or it is erased already.",
  reasons: "The dispute has no decision with reasons, or they are erased already.",
};

async function runErasure(call: AdminCall, apiUrl: string): Promise<AdminAnswer> {
  const { database, actor, positionals } = call;
  const dispute = await findDisputeOf(database, positionals[0] ?? "");
  if (dispute === null) throw new AdminError("Name the payment of a dispute: dispute erase <payment> --note <text>.");
  const wanted = parseWanted(call);
  const { part, target } = wanted;
  requireErased(await eraseOnRequest(database, actor, dispute, wanted, apiUrl), part);
  const { id, payment } = dispute;
  return {
    result: { object: "dispute_erasure", dispute: id, payment, part, target },
    text: `Erased of the dispute ${id}: ${TEXTS[part](target)}. Backups keep what they hold until they are deleted.`,
  };
}

const TEXTS: Readonly<Record<ErasedPart, (target: string | null) => string>> = {
  dispute: () => "all texts and files",
  statement: (target) => `statement ${target}`,
  file: (target) => `the file ${target}`,
  reasons: () => "the reasons of the decision",
};

function requireErased(answer: ErasureAnswer, part: ErasedPart): void {
  if (answer === "open")
    throw new AdminError(
      "This dispute has not ended, and its texts are the evidence. Only one --statement or --file of it can be erased.",
    );
  if (answer === "gone") throw new AdminError(NOTHING[part]);
}

async function list({ database }: AdminCall): Promise<AdminAnswer> {
  const erasures = await listErasures(database, SHOWN);
  const lines = erasures.map(
    ({ erasedAt, payment, part, target, cause, erasedBy, note }) =>
      `${erasedAt.toISOString()}  ${payment}  ${TEXTS[part](target)}  ${cause} by ${erasedBy}${note === null ? "" : `: ${note}`}`,
  );
  const data = erasures.map(({ businessId: business, disputeId: dispute, ...one }) => ({
    object: "dispute_erasure",
    ...{ business, dispute },
    ...one,
  }));
  return { result: { object: "list", data }, text: lines.join("\n") || "Nothing was erased yet." };
}
