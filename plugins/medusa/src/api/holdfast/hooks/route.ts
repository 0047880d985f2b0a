import { setTimeout as sleep } from "node:timers/promises";
import { verifyWebhook, WebhookError } from "@holdfast/sdk/webhooks";
import type { MedusaRequest, MedusaResponse } from "@medusajs/framework/http";
import { ContainerRegistrationKeys } from "@medusajs/framework/utils";
import { connect } from "../../../connection";
import { storeEvent } from "../../../orders/events";
import { bringUpToDate } from "../../../orders/progress";

const BODY_BYTES_MAX = 2_097_152;
const NO_SECRET = "HOLDFAST_WEBHOOK_SECRET is not set: no event can be verified here.";

/** The service waits for ten seconds. */
const WORK_MS_MAX = 5_000;

/** Verifies an event over its bytes, stores it, brings its order up to date if that is soon done, and answers. */
export async function POST(request: MedusaRequest, response: MedusaResponse): Promise<void> {
  const { scope } = request;
  const { webhookSecrets } = connect();
  if (webhookSecrets.length === 0) return void response.status(400).json({ type: "not_allowed", message: NO_SECRET });
  const body = await readBytes(request);
  if (body === null) return void response.sendStatus(413);
  let order: string | null;
  try {
    const event = await verifyWebhook(body, request.headers, webhookSecrets);
    order = await storeEvent(scope, event);
  } catch (error) {
    if (!(error instanceof WebhookError)) throw error;
    return void response.status(400).json({ type: "invalid_data", message: error.message });
  }
  // The job finds the stored event, and does what fails or ends here.
  const work =
    order === null
      ? null
      : bringUpToDate(scope, order).catch((error: Error) =>
          scope
            .resolve(ContainerRegistrationKeys.LOGGER)
            .warn(`Holdfast: ${order} waits for the job: ${error.message}`),
        );
  await Promise.race([work, sleep(WORK_MS_MAX, null, { ref: false })]);
  response.sendStatus(204);
}

export const HEAD = (_request: MedusaRequest, response: MedusaResponse): void => void response.sendStatus(204);

/** The bytes as they arrived: the parsers of Medusa are off here. Null if there are too many. */
async function readBytes(request: MedusaRequest): Promise<Buffer | null> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes > BODY_BYTES_MAX) return null;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}
