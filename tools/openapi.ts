// Writes what is generated from declarations (`npm run openapi`): docs/openapi.json, docs/openapi-checkout.json, the types of the clients of the
// dashboard, of buyers' pages and of the SDK, the marked parts of docs/errors.md and docs/events.md, the diagrams of docs/states.md, and the tables of docs/settings.md. With
// `--check`, and perhaps a path instead of docs/openapi.json, it writes nothing and refuses a file that is out of date;
// `npm run check` does that.
import { readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { buyerRoutes, describeBuyerRoutes } from "../server/app/buyerRoutes.ts";
import { describeRoutes, merchantRoutes } from "../server/app/merchantRoutes.ts";
import { describeStaffRoutes, staffRoutes } from "../server/app/staffRoutes.ts";
import { ACTIVE_KEYS_MAX, ENDPOINTS_MAX } from "../server/domain/limits.ts";
import { openApiText } from "../server/edge/http/openapi.ts";
import { MERCHANT_ERROR_DOCS } from "../server/edge/merchant/errorDocs.ts";
import { LOGO_BYTES_MAX, REFUND_POLICY_CHARACTERS_MAX } from "../server/features/businesses/business.ts";
import { HOLD_HOURS } from "../server/features/recipients/recipient.ts";
import { REQUESTS_KEPT_DAYS } from "../server/features/requests/upkeep.ts";
import { INVITATION_SECONDS } from "../server/features/staff/members/queries.ts";
import { PROOF_SECONDS } from "../server/features/staff/signIn/admission.ts";
import { PASSWORD_CHARACTERS_MAX, PASSWORD_CHARACTERS_MIN } from "../server/features/staff/user.ts";
import { ATTEMPTS_SHOWN_MAX } from "../server/features/webhooks/delivery/list.ts";
import { RESENDS_OF_OBJECT_MAX } from "../server/features/webhooks/delivery/queueQueries.ts";
import { REPLAYED_MAX, RESENT_MAX } from "../server/features/webhooks/delivery/resends/actions.ts";
import { TABLES } from "../server/process/config.ts";
import { buyerClientText } from "./buyerClient.ts";
import { drawSettings } from "./checks/settings.ts";
import { ERROR_PARTS, EVENT_PARTS, fillPage } from "./generatedPages.ts";
import { sdkTypesText } from "./sdkTypes.ts";
import { staffClientText } from "./staffClient.ts";
import { STATE_PARTS } from "./stateDiagrams.ts";

/** Stand-ins for the dependencies of routes: declaring them calls none. */
const nothing = {
  batching: { itemsMax: 1, batchesMax: 1, waitingMax: 1 },
  checkoutUrl: "https://pay.example.com",
  x402: {},
} as never;

/** Limits of the service that the staff's pages name. */
const limits = {
  activeKeysMax: ACTIVE_KEYS_MAX,
  attemptsShownMax: ATTEMPTS_SHOWN_MAX,
  endpointsMax: ENDPOINTS_MAX,
  invitationDays: INVITATION_SECONDS / 86_400,
  logoBytesMax: LOGO_BYTES_MAX,
  passwordCharactersMax: PASSWORD_CHARACTERS_MAX,
  passwordCharactersMin: PASSWORD_CHARACTERS_MIN,
  proofMinutes: PROOF_SECONDS / 60,
  recipientHoldHours: HOLD_HOURS,
  refundPolicyCharactersMax: REFUND_POLICY_CHARACTERS_MAX,
  replayedMax: REPLAYED_MAX,
  requestsKeptDays: REQUESTS_KEPT_DAYS,
  resentMax: RESENT_MAX,
  resentOfObjectMax: RESENDS_OF_OBJECT_MAX,
};
const staff = staffRoutes(nothing, nothing);
const [flag, given] = process.argv.slice(2);
const merchant = describeRoutes(merchantRoutes(nothing, nothing));
const buyer = describeBuyerRoutes(buyerRoutes(nothing, nothing));
const files: readonly (readonly [name: string, text: string])[] = [
  [given ?? pathOf("docs/openapi.json"), openApiText(merchant)],
  [pathOf("docs/openapi-checkout.json"), openApiText(buyer)],
  [pathOf("web/checkout/schema.ts"), buyerClientText(buyer)],
  [pathOf("sdk/schema.ts"), sdkTypesText(merchant, Object.keys(MERCHANT_ERROR_DOCS))],
  [pathOf("web/dashboard/api/schema.ts"), staffClientText(describeStaffRoutes(staff), staff, limits)],
  [pathOf("docs/errors.md"), fillPage(readFileSync(pathOf("docs/errors.md"), "utf8"), ERROR_PARTS)],
  [pathOf("docs/events.md"), fillPage(readFileSync(pathOf("docs/events.md"), "utf8"), EVENT_PARTS)],
  [pathOf("docs/states.md"), fillPage(readFileSync(pathOf("docs/states.md"), "utf8"), STATE_PARTS)],
  [pathOf("docs/settings.md"), drawSettings(readFileSync(pathOf("docs/settings.md"), "utf8"), TABLES)],
];
for (const [path, text] of files) {
  const name = path.replace(pathOf(""), "");
  if (flag !== "--check") {
    writeFileSync(path, text);
    console.log(`Wrote ${name}.`);
  } else if (readFileSync(path, "utf8") !== text) {
    console.error(`${name} is not what the declarations make. Write it again: npm run openapi`);
    process.exitCode = 1;
  }
}

function pathOf(name: string): string {
  return fileURLToPath(new URL(`../${name}`, import.meta.url));
}
