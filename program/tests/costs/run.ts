// `node program/tests/costs/run.ts`: compute units and bytes of each transaction, and the rent of a payment, as Markdown.
import { atPrice, type Cost, measureRent, measureTransactions } from "./measure.ts";

const BYTES_MAX = 1_232;
const PRICES = [6_960n, 5_080n] as const;

const show = ({ units, bytes }: Cost): string => `${units === 0 ? "–" : units.toLocaleString("en")}, ${bytes}`;
const row = (...cells: readonly string[]) => console.log(`| ${cells.join(" | ")} |`);

row("Transaction", "compute units, bytes", "bytes left");
row("---", "---", "---");
for (const [name, cost] of Object.entries(await measureTransactions()))
  row(name, show(cost), String(BYTES_MAX - cost.bytes));
console.log();
row("Lamports a byte", "for ever", "for 90 days more", "until the payout");
row("---", "---", "---", "---");
const rent = await measureRent();
for (const price of PRICES) {
  const { forEver, for90Days, untilThePayout } = atPrice(rent, price);
  row(...[price, forEver, for90Days, untilThePayout].map((sum) => sum.toLocaleString("en")));
}
