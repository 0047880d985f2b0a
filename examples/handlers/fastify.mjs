// A handler in Fastify. The parser hands the body on as it arrived; register it in a plugin if other routes take JSON.
import { verifyWebhook, WebhookError } from "@holdfast/sdk/webhooks";
import fastify from "fastify";
import { handle } from "./orders.mjs";

const secrets = process.env.HOLDFAST_WEBHOOK_SECRET.split(" ");
const app = fastify();

app.addContentTypeParser("application/json", { parseAs: "buffer" }, (_request, body, done) => done(null, body));
app.post("/hooks", async (request, reply) => {
  handle(await verifyWebhook(request.body ?? "", request.headers, secrets));
  return reply.code(204).send();
});
app.setErrorHandler((error, _request, reply) => reply.code(error instanceof WebhookError ? 400 : 500).send());
await app.listen({ port: Number(process.env.PORT), host: "127.0.0.1" });
