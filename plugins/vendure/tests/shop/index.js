const { bootstrap } = require("@vendure/core");
const { config } = require("./config.js");
const others = require("./others.js");

bootstrap(config(false)).then(
  (app) => {
    others.app = app;
  },
  (error) => {
    console.error(error);
    process.exit(1);
  },
);
