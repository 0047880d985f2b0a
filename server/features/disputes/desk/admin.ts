import { type AdminAnswer, type AdminCall, AdminError, type AdminVerb, TEXT } from "../../../edge/admin.ts";
import { recordAudit } from "../../audit/fragments.ts";
import { DISPUTE_REASONS, STATEMENT_BYTES_MAX } from "../dispute.ts";
import { parsePlainText } from "../statement.ts";
import { dropOutcome, listOutcomes, saveOutcome, saveOwnArbiter } from "./queries.ts";

const OUTCOME_CHARACTERS_MAX = 500;

/** §13.22.7, §13.22.8. */
export const deskVerbs: readonly AdminVerb[] = [
  {
    usage: "dispute outcomes list",
    does: "Lists the usual outcomes of disputes, by reason.",
    run: async ({ database }) => answerOutcomes(await listOutcomes(database)),
  },
  {
    usage: "dispute outcomes set <reason> --text <text>",
    does: 'Says what a dispute with a reason leads to as a rule; buyers read it before they open one. The text "" clears it.',
    options: { text: TEXT },
    run: setOutcome,
  },
  {
    usage: "business own-arbiter <business id> <on|off>",
    does: "Says that a business decides its disputes itself, or no longer does; checkout, receipt and dispute show it. It holds for intents created after.",
    run: setOwnArbiter,
  },
];

async function setOutcome({
  database,
  positionals: [named],
  options: { text: given },
}: AdminCall): Promise<AdminAnswer> {
  const reason = DISPUTE_REASONS.find((one) => one === named);
  if (reason === undefined) throw new AdminError(`Name a reason: one of ${DISPUTE_REASONS.join(", ")}.`);
  const isGiven = typeof given === "string" && given !== "";
  const text = isGiven ? parsePlainText(given, OUTCOME_CHARACTERS_MAX, STATEMENT_BYTES_MAX) : given;
  if (typeof text !== "string")
    throw new AdminError(`Enter --text with 1 to ${OUTCOME_CHARACTERS_MAX} characters of plain text.`);
  await (text === "" ? dropOutcome(database, reason) : saveOutcome(database, reason, text));
  return answerOutcomes(await listOutcomes(database));
}

const answerOutcomes = (data: Awaited<ReturnType<typeof listOutcomes>>): AdminAnswer => ({
  result: { object: "list", data },
  text: data.map(({ reason, text }) => `${reason}  ${text}`).join("\n") || "No usual outcomes are set.",
});

async function setOwnArbiter({ database, actor, positionals: [businessId, given] }: AdminCall): Promise<AdminAnswer> {
  if (businessId === undefined || (given !== "on" && given !== "off"))
    throw new AdminError("Name the business, and on or off: business own-arbiter <business id> <on|off>.");
  const isOwn = given === "on";
  const isSaved = await database.transaction(async (db) => {
    if (!(await saveOwnArbiter(db, businessId, isOwn))) return false;
    const entry = { businessId, environment: null, target: businessId, details: { ownArbiter: given } };
    await db.rows(recordAudit(actor, { ...entry, action: "business.changed" }));
    return true;
  });
  if (!isSaved) throw new AdminError(`There is no business ${businessId}.`);
  return {
    result: { object: "business", id: businessId, ownArbiter: isOwn },
    text: `${businessId}: ${isOwn ? "the shop itself decides disputes" : "the arbiter decides disputes"} of intents created from now on.`,
  };
}
