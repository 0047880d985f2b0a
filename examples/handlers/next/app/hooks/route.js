// A handler in Next: a route of the app router, at /hooks.
import { verifyWebhook, WebhookError } from "@holdfast/sdk/webhooks";
import { handle } from "../../../orders.mjs";

export async function POST(request) {
  try {
    handle(await verifyWebhook(await request.arrayBuffer(), request, process.env.HOLDFAST_WEBHOOK_SECRET.split(" ")));
    return new Response(null, { status: 204 });
  } catch (error) {
    return new Response(null, { status: error instanceof WebhookError ? 400 : 500 });
  }
}
