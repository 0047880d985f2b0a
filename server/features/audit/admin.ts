import { adminVerb, BUSINESS } from "../../edge/admin.ts";
import { queryParser } from "../../edge/http/parameters.ts";
import { listAuditEntries } from "./queries.ts";
import { LIST_AUDIT } from "./schema.ts";

const SHOWN = 100;

export const auditVerbs = [
  adminVerb({
    words: "audit list",
    takes: { business: BUSINESS },
    does: `Shows the newest ${SHOWN} entries of a business's audit log.`,
    run: async ({ database, business }) => {
      const all = queryParser(LIST_AUDIT.query)(new URLSearchParams());
      const entries = await listAuditEntries(database, business, { ...all, limit: SHOWN });
      const data = entries!.slice(0, SHOWN).map((entry) => ({ ...entry, details: JSON.parse(entry.details) }));
      const lines = data.map(
        ({ recordedAt, action, target, actorName, details }) =>
          `${recordedAt.toISOString()}  ${action}  ${target ?? ""}  ${actorName}  ${JSON.stringify(details)}`,
      );
      return { result: { object: "list", data }, text: lines.length === 0 ? "No entries." : lines.join("\n") };
    },
  }),
];
