import { TEXT, whole } from "../../../domain/values.ts";
import { AdminError, adminVerb, flag, maybe, option } from "../../../edge/admin.ts";
import { PAYMENT, requireDisputeOf } from "../admin.ts";
import { OFFER_TEXT_CHARACTERS_MAX } from "../dispute.ts";
import { plainText } from "../statement.ts";
import { type ErasureAnswer, eraseOnRequest } from "./actions.ts";
import type { ErasedPart } from "./erasure.ts";
import { listErasures } from "./queries.ts";

const SHOWN = 100;
const NOTE_BYTES_MAX = 2_000;

/** §17.6: erasure on request. */
export const erasureVerbs = (apiUrl: string) => [
  adminVerb({
    words: "dispute erase",
    takes: {
      payment: PAYMENT,
      note: option(plainText(OFFER_TEXT_CHARACTERS_MAX, NOTE_BYTES_MAX), "text"),
      statement: maybe(option(whole(1, 99, "the statement's number in the dispute"), "number")),
      file: maybe(option(TEXT, "id")),
      reasons: flag,
    },
    does: "Erases the texts and files of an ended dispute with their salts, or one statement or file of any dispute. It cannot be undone.",
    more: `Statements, questions, the sentences of offers, files with their names, and the buyer's email address go, and with each part the notes of arbiters. Hashes, the
decision, amounts and dates stay. --reasons erases the reasons of the decision instead: its hash stays, and no receipt shows
them any more. --note says why, for the list of erasures and the audit log of the business: write no names in it.
Backups keep what they hold until they are deleted.`,
    run: async ({ database, actor, payment: address, note, statement, file, reasons }) => {
      if ([statement !== null, file !== null, reasons].filter(Boolean).length > 1)
        throw new AdminError("Name one of --statement, --file and --reasons.");
      const part = statement !== null ? "statement" : file !== null ? "file" : reasons ? "reasons" : "dispute";
      const target = statement === null ? file : String(statement);
      const dispute = await requireDisputeOf(database, address);
      const erasedBy = actor.kind === "cli" ? actor.name : actor.kind;
      const wanted = { part, target, cause: "request", note, erasedBy } as const;
      requireErased(await eraseOnRequest(database, actor, dispute, wanted, apiUrl), part);
      const { id, payment } = dispute;
      return {
        result: { object: "dispute_erasure", dispute: id, payment, part, target },
        text: `Erased of the dispute ${id}: ${TEXTS[part](target)}. Backups keep what they hold until they are deleted.`,
      };
    },
  }),
  adminVerb({
    words: "dispute erasures list",
    does: `Lists the newest ${SHOWN} erasures, on request and at the end of the time for which texts are kept.`,
    run: async ({ database }) => {
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
    },
  }),
];

const NOTHING: Readonly<Record<ErasedPart, string>> = {
  dispute: "The texts of this dispute are erased already.",
  statement: "The dispute has no such statement, or it is erased already.",
  file: "The dispute has no such file, or it is erased already.",
  reasons: "The dispute has no decision with reasons, or they are erased already.",
};

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
