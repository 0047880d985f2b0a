// `npm run build`: builds the pages once, so that a production start needs none of the packages that build them.
import { buildCheckoutScript } from "../server/process/checkoutScript.ts";
import { buildDashboard } from "../server/process/dashboardBuild.ts";

await Promise.all([buildCheckoutScript(), buildDashboard()]);
process.stdout.write("The pages are built, in build/.\n");
