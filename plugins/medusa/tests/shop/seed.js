// Fills an empty shop: a product for 24.50 dollars that is sold in the United States, shipped for nothing, and paid by
// Holdfast. Writes what a buyer's storefront would know into SHOP_FACTS.
const { writeFileSync } = require("node:fs");
const flows = require("@medusajs/medusa/core-flows");
const { ContainerRegistrationKeys, Modules } = require("@medusajs/framework/utils");

const PROVIDER = "pp_holdfast_holdfast";
const MANUAL = "manual_manual";

module.exports.default = async ({ container }) => {
  const run = async (workflow, input) => (await workflow(container).run({ input })).result;
  const link = container.resolve(ContainerRegistrationKeys.LINK);
  const [channel] = await run(flows.createSalesChannelsWorkflow, { salesChannelsData: [{ name: "Shop" }] });
  const [key] = await run(flows.createApiKeysWorkflow, {
    api_keys: [{ title: "Storefront", type: "publishable", created_by: "" }],
  });
  await run(flows.linkSalesChannelsToApiKeyWorkflow, { id: key.id, add: [channel.id] });
  const [region] = await run(flows.createRegionsWorkflow, {
    regions: [{ name: "United States", currency_code: "usd", countries: ["us"], payment_providers: [PROVIDER] }],
  });
  const [location] = await run(flows.createStockLocationsWorkflow, {
    locations: [{ name: "Warehouse", address: { city: "New York", country_code: "US", address_1: "1 Bean St" } }],
  });
  await link.create({
    [Modules.STOCK_LOCATION]: { stock_location_id: location.id },
    [Modules.FULFILLMENT]: { fulfillment_provider_id: MANUAL },
  });
  await run(flows.linkSalesChannelsToStockLocationWorkflow, { id: location.id, add: [channel.id] });
  const [profile] = await run(flows.createShippingProfilesWorkflow, { data: [{ name: "Default", type: "default" }] });
  const set = await container.resolve(Modules.FULFILLMENT).createFulfillmentSets({
    ...{ name: "Post", type: "shipping" },
    service_zones: [{ name: "United States", geo_zones: [{ country_code: "us", type: "country" }] }],
  });
  await link.create({
    [Modules.STOCK_LOCATION]: { stock_location_id: location.id },
    [Modules.FULFILLMENT]: { fulfillment_set_id: set.id },
  });
  const [option] = await run(flows.createShippingOptionsWorkflow, [
    {
      ...{ name: "Post", price_type: "flat", provider_id: MANUAL },
      ...{ service_zone_id: set.service_zones[0].id, shipping_profile_id: profile.id },
      type: { label: "Post", description: "In some days", code: "post" },
      prices: [{ currency_code: "usd", amount: 0 }],
      rules: [
        { attribute: "enabled_in_store", value: "true", operator: "eq" },
        { attribute: "is_return", value: "false", operator: "eq" },
      ],
    },
  ]);
  const [product] = await run(flows.createProductsWorkflow, {
    products: [
      {
        ...{ title: "Yirgacheffe", status: "published", shipping_profile_id: profile.id },
        options: [{ title: "Size", values: ["1 kg"] }],
        variants: [
          {
            ...{ title: "1 kg", sku: "YIRG-1", manage_inventory: false, options: { Size: "1 kg" } },
            prices: [{ currency_code: "usd", amount: 24.5 }],
          },
        ],
        sales_channels: [{ id: channel.id }],
      },
    ],
  });
  writeFileSync(
    process.env.SHOP_FACTS,
    JSON.stringify({
      ...{ publishableKey: key.token, region: region.id, option: option.id },
      ...{ variant: product.variants[0].id, location: location.id, provider: PROVIDER },
    }),
  );
};
