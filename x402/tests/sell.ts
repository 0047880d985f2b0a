import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { HTTPFacilitatorClient, x402ResourceServer } from "@x402/core/server";
import { paymentMiddleware } from "@x402/express";
import express from "express";
import type { Merchant } from "../../tests/harness/merchant.ts";
import type { RunningService } from "../../tests/harness/service.ts";
import { ProtectedServer, type ProtectedServerOptions } from "../server.ts";

/**
 * A server that sells by the call, for 5 tokens: the stock middleware of x402 for Express, and our class alone. `known`: the
 * origin under which agents know it, if it has started again.
 */
export async function sell(
  service: RunningService,
  shop: Merchant,
  options: Partial<ProtectedServerOptions> = {},
  known: string | null = null,
) {
  const { network } = (await shop.get("/x402/supported")).json.kinds[0];
  const count = { served: 0, settles: 0, failures: 0 };
  const apiUrl = service.apiUrl;
  const scheme = new ProtectedServer({ apiKey: shop.key, apiUrl, protectionPeriod: "sevenDays", ...options });
  class Counted extends HTTPFacilitatorClient {
    override settle(...asked: Parameters<HTTPFacilitatorClient["settle"]>) {
      count.settles += 1;
      return super.settle(...asked);
    }
  }
  const resources = new x402ResourceServer(new Counted(scheme.facilitator)).register(network, scheme);
  const price = { asset: service.asset, amount: "5000000" };
  const accepts = { scheme: "protected", network, payTo: service.recipient, price, maxTimeoutSeconds: 20 };
  const app = express();
  const server = createServer(app).listen(0, "localhost");
  await once(server, "listening");
  const origin = `http://localhost:${(server.address() as AddressInfo).port}`;
  const route = (path: string, description: string) => ({
    ...{ accepts, description, mimeType: "application/json", resource: `${known ?? origin}${path}` },
  });
  const routes = {
    "GET /weather": route("/weather", "The weather of Bern, in words"),
    "GET /tides": route("/tides", "The tides of Brest"),
  };
  app.use(paymentMiddleware(routes, resources));
  app.get("/weather", (_, response) => {
    if (count.failures > 0) {
      count.failures -= 1;
      response.statusCode = 500;
      response.end();
      return;
    }
    count.served += 1;
    response.json({ weather: "sun" });
  });
  app.get("/tides", (_, response) => response.json({ high: "never" }));
  return {
    scheme,
    count,
    origin,
    weather: `${origin}/weather`,
    tides: `${origin}/tides`,
    stop: () => void server.close(),
  };
}
