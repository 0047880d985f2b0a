// Writes docs/openapi.json from the routes' own declarations: `npm run openapi`. With `--check` and perhaps a path it
// writes nothing and refuses a file that is out of date; `npm run check` does that.
import { readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { openApiText } from "../server/edge/http/openapi.ts";
import { describeRoutes, type MerchantDeps, merchantRoutes } from "../server/process/routes.ts";

/** To declare routes touches nothing that they will need when they run. */
const nothing = { batching: { itemsMax: 1, batchesMax: 1, waitingMax: 1 } } as unknown as MerchantDeps;

const [flag, given] = process.argv.slice(2);
const path = given ?? fileURLToPath(new URL("../docs/openapi.json", import.meta.url));
const text = openApiText(describeRoutes(merchantRoutes(nothing)));
if (flag !== "--check") {
  writeFileSync(path, text);
  console.log("Wrote docs/openapi.json.");
} else if (readFileSync(path, "utf8") !== text) {
  console.error("docs/openapi.json is not what the routes declare. Write it again: npm run openapi");
  process.exitCode = 1;
}
