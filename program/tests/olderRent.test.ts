// Clusters have rent in one of two forms, and the program reads both: what else runs with a price a byte runs here with a price
// a year and a factor of 2. The compiler puts that question into several places, so every instruction is asked it: by the
// table, and in the long form by all that move lamports.
import { inForm } from "../../tests/harness/form.ts";

process.env.RENT_FORM = "older";
await import("./table.test.ts");
if (inForm({ short: false, long: true })) {
  await import("./lamports.test.ts");
  await import("./model.test.ts");
}
