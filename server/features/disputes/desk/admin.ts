import { oneOf } from "../../../domain/values.ts";
import {
  type AdminAnswer,
  AdminError,
  adminVerb,
  BUSINESS,
  clearable,
  option,
  positional,
} from "../../../edge/admin.ts";
import { recordAudit } from "../../audit/fragments.ts";
import { DISPUTE_REASONS, STATEMENT_BYTES_MAX } from "../dispute.ts";
import { plainText } from "../statement.ts";
import { dropOutcome, listOutcomes, saveOutcome, saveOwnArbiter } from "./queries.ts";

/** §13.22.7, §13.22.8. */
export const deskVerbs = [
  adminVerb({
    words: "dispute outcomes list",
    does: "Lists the usual outcomes of disputes, by reason.",
    run: async ({ database }) => answerOutcomes(await listOutcomes(database)),
  }),
  adminVerb({
    words: "dispute outcomes set",
    takes: {
      reason: positional(oneOf(DISPUTE_REASONS), "reason"),
      text: clearable(option(plainText(500, STATEMENT_BYTES_MAX), "text")),
    },
    does: 'Says what a dispute with a reason leads to as a rule; buyers read it before they open one. The text "" clears it.',
    run: async ({ database, reason, text }) => {
      await (text === null ? dropOutcome(database, reason) : saveOutcome(database, reason, text));
      return answerOutcomes(await listOutcomes(database));
    },
  }),
  adminVerb({
    words: "business own-arbiter",
    takes: { business: BUSINESS, choice: positional(oneOf(["on", "off"])) },
    does: "Says that a business decides its disputes itself, or no longer does; checkout, receipt and dispute show it. It holds for intents created after.",
    run: async ({ database, actor, business: businessId, choice: ownArbiter }) => {
      const isOwn = ownArbiter === "on";
      const isSaved = await database.transaction(async (db) => {
        if (!(await saveOwnArbiter(db, businessId, isOwn))) return false;
        const entry = { businessId, environment: null, target: businessId, details: { ownArbiter } };
        await db.rows(recordAudit(actor, { ...entry, action: "business.changed" }));
        return true;
      });
      if (!isSaved) throw new AdminError(`There is no business ${businessId}.`);
      return {
        result: { object: "business", id: businessId, ownArbiter: isOwn },
        text: `${businessId}: ${isOwn ? "the shop itself decides disputes" : "the arbiter decides disputes"} of intents created from now on.`,
      };
    },
  }),
];

const answerOutcomes = (data: Awaited<ReturnType<typeof listOutcomes>>): AdminAnswer => ({
  result: { object: "list", data },
  text: data.map(({ reason, text }) => `${reason}  ${text}`).join("\n") || "No usual outcomes are set.",
});
