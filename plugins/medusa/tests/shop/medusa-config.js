const { defineConfig } = require("@medusajs/framework/utils");

const { DATABASE_URL, SHOP_ADMIN, SHOP_URL } = process.env;

module.exports = defineConfig({
  projectConfig: {
    databaseUrl: DATABASE_URL,
    databaseDriverOptions: { connection: { ssl: false } },
    http: {
      ...{ storeCors: SHOP_URL, adminCors: SHOP_URL, authCors: SHOP_URL },
      ...{ jwtSecret: "of a throw-away shop", cookieSecret: "of a throw-away shop" },
    },
  },
  admin: { disable: SHOP_ADMIN !== "on" },
  plugins: [{ resolve: "@holdfast/medusa", options: {} }],
  modules: [
    {
      resolve: "@medusajs/medusa/payment",
      options: { providers: [{ resolve: "@holdfast/medusa/providers/holdfast", id: "holdfast" }] },
    },
  ],
});
