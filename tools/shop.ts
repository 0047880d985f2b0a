// Runs a shop's plugin in a real shop (`npm run shop -- medusa --orders 100 --days 30 --seed 1`).
import { dirname } from "node:path";
import { parseArgs } from "node:util";
import { packPlugin } from "../plugins/medusa/tests/install.ts";
import { runMedusa } from "../plugins/medusa/tests/run.ts";

const ROOT = dirname(import.meta.dirname);
const SHOPS = { medusa: { run: runMedusa, pack: packPlugin } };

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    orders: { type: "string", default: "20" },
    days: { type: "string", default: "10" },
    seed: { type: "string", default: "1" },
    "pack-only": { type: "boolean", default: false },
    "trade-only": { type: "boolean", default: false },
  },
});
const [name = ""] = positionals;
if (!Object.hasOwn(SHOPS, name)) throw new Error(`There is no shop ${name}: ${Object.keys(SHOPS).join(", ")}.`);
const { run, pack } = SHOPS[name as keyof typeof SHOPS];
if (values["pack-only"]) console.log(await pack(ROOT));
else {
  const [orders, days, seed] = [Number(values.orders), Number(values.days), Number(values.seed)];
  process.exitCode = (await run(ROOT, { orders, days, seed, isTradeOnly: values["trade-only"] })) ? 0 : 1;
}
