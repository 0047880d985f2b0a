// `node program/tests/costs/run.ts`: compute units and bytes of each transaction, and the rent of a payment, as Markdown. With a
// folder: the costs of version 1 as well, measured in a checkout from before the change (commit b7af054 has it) with its packages installed.
import { atPrice, type Bound, type Cost, measureRent, measureTransactions } from "./measure.ts";
import { measureVersion1 } from "./version1.ts";

const BYTES_MAX = 1_232;
const PRICES = [6_960n, 5_080n] as const;
const folder = process.argv[2];
const before = folder === undefined ? null : await measureVersion1(folder);
const now = await measureTransactions();

const show = (cost: Cost | undefined): string =>
  cost === undefined ? "–" : `${cost.units === 0 ? "–" : cost.units.toLocaleString("en")}, ${cost.bytes}`;
const row = (...cells: readonly string[]) => console.log(`| ${cells.join(" | ")} |`);

row("Transaction", "compute units, bytes", "bytes left", "version 1");
row("---", "---", "---", "---");
for (const [name, cost] of Object.entries(now)) {
  row(name, show(cost), String(BYTES_MAX - cost.bytes), show(before?.transactions[name]));
}
console.log();
row("Lamports a byte", "for ever", "for 90 days more", "until the payout", "version 1");
row("---", "---", "---", "---", "---");
const rent = await measureRent();
const lamports = ({ forEver, for90Days, untilThePayout }: Bound): string[] =>
  [forEver, for90Days, untilThePayout].map((sum) => sum.toLocaleString("en"));
for (const price of PRICES) {
  const old = before === null ? "–" : lamports(atPrice(before.rent, price)).join(", ");
  row(price.toLocaleString("en"), ...lamports(atPrice(rent, price)), old);
}
