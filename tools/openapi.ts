// Writes docs/openapi.json from the routes' own declarations: `npm run openapi`. Tests refuse one that is out of date.
import { writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { openApiText } from "../server/edge/merchant/reference.ts";
import { describeRoutes, type MerchantParts, merchantRoutes } from "../server/process/routes.ts";

/** To declare routes touches nothing that they will need when they run. */
const nothing = { batching: { itemsMax: 1, batchesMax: 1, waitingMax: 1 } } as unknown as MerchantParts;

const path = fileURLToPath(new URL("../docs/openapi.json", import.meta.url));
writeFileSync(path, openApiText(describeRoutes(merchantRoutes(nothing))));
console.log("Wrote docs/openapi.json.");
