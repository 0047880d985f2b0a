import { type Components, declarations } from "../../../edge/http/declaration.ts";
import { shownObject } from "../../../edge/http/objects.ts";
import { answer } from "../../../edge/http/schemas.ts";
import { DONE } from "../../../edge/staff/answers.ts";
import { tenantPath } from "../../../edge/staff/paths.ts";
import { text } from "../../../lib/columns.ts";

export const CALENDAR = shownObject(
  "calendar",
  {
    url: text({
      says: "The link, for a calendar program. Who has it reads the calendar. Shown this once.",
      example: "https://dashboard.example/staff/v1/calendars/XQ3…k8.ics",
    }),
  },
  "The member's calendar of releases.",
);
export const calendarComponents: Components = { Calendar: CALENDAR.schema };

const declare = declarations({ tag: "Home", path: tenantPath, errors: ["not_found"] });
const changes = ["getOverview"];

export const MAKE_CALENDAR = declare({
  operationId: "makeCalendar",
  changes,
  summary: "Create a calendar link",
  description:
    "Creates a secret link to a calendar of the releases of this environment, with days, amounts and numbers of payments alone. A link that the member had before ends.",
  success: answer(201, "The calendar.", "Calendar", CALENDAR.example),
  errors: ["forbidden", "proof_required", "not_found"],
});

export const REVOKE_CALENDAR = declare({
  operationId: "revokeCalendar",
  changes,
  summary: "Revoke the calendar link",
  description: "Ends the member's calendar link. Nothing happens if there is none.",
  success: DONE,
});
