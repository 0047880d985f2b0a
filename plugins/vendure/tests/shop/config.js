const { DefaultLogger, LogLevel } = require("@vendure/core");
const { HoldfastPlugin } = require("@holdfast/vendure");
const { card, receive, sellers } = require("./others.js");

const { PORT, SHOP_DATABASE, SHOP_LOG, SHOP_STAFF } = process.env;

/** Ids of the API are others than those of the database, as in shops that hide theirs. */
const entityIdStrategy = {
  primaryKeyType: "increment",
  encodeId: (id) => `id-${id}`,
  decodeId: (id) => Number(/^(?:id-)?(\d+)$/.exec(id)?.[1] ?? -1),
};

exports.config = (synchronize) => ({
  apiOptions: {
    ...{ port: Number(PORT), adminApiPath: "admin-api", shopApiPath: "shop-api" },
    middleware: [{ route: "/card/hooks", handler: receive }],
  },
  authOptions: {
    tokenMethod: ["bearer"],
    superadminCredentials: JSON.parse(SHOP_STAFF),
  },
  dbConnectionOptions: { type: "postgres", ...JSON.parse(SHOP_DATABASE), synchronize, logging: false },
  entityOptions: { entityIdStrategy },
  logger: new DefaultLogger({ level: SHOP_LOG === "on" ? LogLevel.Info : LogLevel.Error }),
  orderOptions: { orderSellerStrategy: sellers },
  paymentOptions: { paymentMethodHandlers: [card] },
  plugins: [HoldfastPlugin.init()],
});
