import type { MedusaContainer } from "@medusajs/framework/types";
import { ContainerRegistrationKeys, MedusaError } from "@medusajs/framework/utils";
import {
  addShippingMethodToCartWorkflow,
  completeCartWorkflow,
  createCartWorkflow,
  createPaymentCollectionForCartWorkflow,
  createPaymentSessionsWorkflow,
  listShippingOptionsForCartWorkflow,
} from "@medusajs/medusa/core-flows";
import { connect } from "../connection";
import { PROVIDER } from "./order";
import { readSettings } from "./settings";

const PRODUCTS_MAX = 20;
const BUYER = { first_name: "Test", last_name: "Buyer", address_1: "1 Test Street", city: "Testville" };

interface Region {
  readonly id: string;
  readonly currency_code: string;
  readonly countries: readonly { readonly iso_2: string }[];
  readonly payment_providers?: readonly { readonly id: string }[];
}

interface Product {
  readonly variants: readonly { readonly id: string }[];
  readonly sales_channels: readonly { readonly id: string }[];
}

/** Places an order of the shop's first product, as a buyer's storefront would. Returns its id. Only a test key may. */
export async function placeTestOrder(container: MedusaContainer): Promise<string> {
  if (connect().environment !== "test") throw refused("Test orders need a test key.");
  const region = await findRegion(container);
  const { sales_channels, variants } = await findProduct(container);
  const { result: cart } = await createCartWorkflow(container).run({
    input: {
      ...{ region_id: region.id, sales_channel_id: sales_channels[0]!.id, email: "test-buyer@example.com" },
      items: [{ variant_id: variants[0]!.id, quantity: 1 }],
      shipping_address: { ...BUYER, postal_code: "10000", country_code: region.countries[0]!.iso_2 },
    },
  });
  const cart_id = cart.id;
  const { result: options } = await listShippingOptionsForCartWorkflow(container).run({ input: { cart_id } });
  if (options.length === 0) throw refused("The region's first country has no shipping option.");
  await addShippingMethodToCartWorkflow(container).run({ input: { cart_id, options: [{ id: options[0].id }] } });
  const { result: collection } = await createPaymentCollectionForCartWorkflow(container).run({ input: { cart_id } });
  await createPaymentSessionsWorkflow(container).run({
    input: { payment_collection_id: collection.id, provider_id: providerOf(region)! },
  });
  return (await completeCartWorkflow(container).run({ input: { id: cart_id } })).result.id;
}

const refused = (message: string) => new MedusaError(MedusaError.Types.NOT_ALLOWED, message);

const providerOf = ({ payment_providers }: Region): string | undefined =>
  payment_providers?.find(({ id }) => PROVIDER.test(id))?.id;

async function findRegion(container: MedusaContainer): Promise<Region> {
  const { tokens } = await readSettings(container);
  const fields = ["id", "currency_code", "countries.iso_2", "payment_providers.id"];
  const { data } = await container.resolve(ContainerRegistrationKeys.QUERY).graph({ entity: "region", fields });
  const region = (data as unknown as Region[]).find((one) => providerOf(one) && tokens[one.currency_code]);
  if (region === undefined) throw refused("Enable Holdfast in a region whose currency has a token here.");
  return region;
}

async function findProduct(container: MedusaContainer): Promise<Product> {
  const { data } = await container.resolve(ContainerRegistrationKeys.QUERY).graph({
    ...{ entity: "product", fields: ["variants.id", "sales_channels.id"], filters: { status: "published" } },
    pagination: { take: PRODUCTS_MAX },
  });
  const isSold = ({ variants, sales_channels }: Product) => variants.length > 0 && sales_channels.length > 0;
  const product = (data as unknown as Product[]).find(isSold);
  if (product === undefined) throw refused("Publish a product in a sales channel first.");
  return product;
}
