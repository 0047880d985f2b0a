// Runs a shop's plugin in a real shop (`npm run shop -- medusa --orders 100 --days 30 --seed 1`), or adds it to a shop of yours.
import { dirname, join } from "node:path";
import { parseArgs } from "node:util";
import { installMedusa, packMedusa } from "../plugins/medusa/tests/install.ts";
import { startMedusa } from "../plugins/medusa/tests/medusaShop.ts";
import { installVendure, packVendure } from "../plugins/vendure/tests/install.ts";
import { startVendure } from "../plugins/vendure/tests/vendureShop.ts";
import { copyPlugin, installWordPress, packWooCommerce } from "../plugins/woocommerce/tests/install.ts";
import { startWooCommerce } from "../plugins/woocommerce/tests/wooShop.ts";
import { addToShop, addToWordPress } from "./shops/addTo.ts";
import { playShop } from "./shops/play.ts";

const ROOT = dirname(import.meta.dirname);
const DATA = join(ROOT, ".data");

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    orders: { type: "string", default: "20" },
    days: { type: "string", default: "10" },
    seed: { type: "string", default: "1" },
    "pack-only": { type: "boolean", default: false },
    into: { type: "string" },
    "trade-only": { type: "boolean", default: false },
    wordpress: { type: "string", default: "" },
    woocommerce: { type: "string", default: "" },
  },
});
const addPacked = (pack: () => Promise<string>) => (folder: string) => addToShop(DATA, pack, folder);
const SHOPS = {
  medusa: { install: installMedusa, start: startMedusa, pack: packMedusa, add: addPacked(packMedusa) },
  vendure: { install: installVendure, start: startVendure, pack: packVendure, add: addPacked(packVendure) },
  woocommerce: {
    ...{ install: () => installWordPress(values), start: startWooCommerce, pack: packWooCommerce },
    add: (folder: string) => addToWordPress(DATA, copyPlugin, folder),
  },
};
const [name = ""] = positionals;
if (!Object.hasOwn(SHOPS, name)) throw new Error(`There is no shop ${name}: ${Object.keys(SHOPS).join(", ")}.`);
const { install, start, pack, add } = SHOPS[name as keyof typeof SHOPS];
if (values.into !== undefined) console.log(await add(values.into));
else if (values["pack-only"]) console.log(await pack(ROOT));
else {
  await install();
  const [orders, days, seed] = [Number(values.orders), Number(values.days), Number(values.seed)];
  const options = { orders, days, seed, isTradeOnly: values["trade-only"] };
  process.exitCode = (await playShop(ROOT, options, start)) ? 0 : 1;
}
