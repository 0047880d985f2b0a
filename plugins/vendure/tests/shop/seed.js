// Fills an empty shop: a product for 24.50 dollars that is sold in the United States, shipped for nothing, and paid by
// Holdfast.
const { writeFileSync } = require("node:fs");
const { join } = require("node:path");
const { bootstrap, LanguageCode } = require("@vendure/core");
const { populate } = require("@vendure/core/cli");
const { config } = require("./config.js");

const PRODUCTS = join(__dirname, "products.csv");
const ROWS = [
  "name,slug,description,assets,facets,optionGroups,optionValues,sku,price,taxCategory,stockOnHand,trackInventory,variantAssets,variantFacets",
  "Yirgacheffe,yirgacheffe,Coffee,,,size,1 kg,YIRG-1,24.50,standard,100000,true,,",
];

const initialData = {
  ...{ defaultLanguage: LanguageCode.en, defaultZone: "Americas", collections: [] },
  countries: [{ name: "United States", code: "US", zone: "Americas" }],
  taxRates: [{ name: "Standard Tax", percentage: 0 }],
  shippingMethods: [{ name: "Post", price: 0 }],
  paymentMethods: [
    {
      name: "Holdfast",
      handler: { code: "holdfast", arguments: JSON.parse(process.env.SHOP_METHOD) },
    },
    { name: "Card", handler: { code: "card", arguments: [] } },
  ],
};

async function seed() {
  writeFileSync(PRODUCTS, ROWS.join("\n"));
  const app = await populate(() => bootstrap(config(true)), initialData, PRODUCTS);
  await app.close();
}

seed().then(
  () => process.exit(0),
  (error) => {
    console.error(error);
    process.exit(1);
  },
);
