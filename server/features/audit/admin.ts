import { type AdminAnswer, type AdminCall, AdminError, type AdminVerb } from "../../edge/admin.ts";
import { queryParser } from "../../edge/http/parameters.ts";
import { listAuditEntries } from "./queries.ts";
import { LIST_AUDIT } from "./schema.ts";

const SHOWN = 100;

export const auditVerbs: readonly AdminVerb[] = [
  {
    usage: "audit list <business id>",
    does: `Shows the newest ${SHOWN} entries of a business's audit log.`,
    run: listAudit,
  },
];

async function listAudit({ database, positionals: [businessId] }: AdminCall): Promise<AdminAnswer> {
  if (businessId === undefined) throw new AdminError("Name the business: audit list <business id>.");
  const all = queryParser(LIST_AUDIT.query)(new URLSearchParams());
  const entries = await listAuditEntries(database, businessId, { ...all, limit: SHOWN });
  const data = entries!.slice(0, SHOWN).map((entry) => ({ ...entry, details: JSON.parse(entry.details) }));
  const lines = data.map(
    ({ recordedAt, action, target, actorName, details }) =>
      `${recordedAt.toISOString()}  ${action}  ${target ?? ""}  ${actorName}  ${JSON.stringify(details)}`,
  );
  return { result: { object: "list", data }, text: lines.length === 0 ? "No entries." : lines.join("\n") };
}
