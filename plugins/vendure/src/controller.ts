import { setTimeout as sleep } from "node:timers/promises";
import { verifyWebhook, WebhookError } from "@holdfast/sdk/webhooks";
import { Controller, Get, Head, HttpCode, Inject, NotFoundException, Param, Post, Req, Res } from "@nestjs/common";
import { Logger } from "@vendure/core";
import type { NextFunction, Request, Response } from "express";
import { openCheckout, readIntentOf } from "./attempts";
import { connection } from "./connection";
import { storeEvent } from "./events";
import { bringUpToDate } from "./progress";
import { Shop } from "./shop";

export const HOOKS = "/holdfast/hooks";
const BODY_BYTES_MAX = 2_097_152;
const NO_SECRET = "HOLDFAST_WEBHOOK_SECRET is not set: no event can be verified here.";

/** The service waits for ten seconds. */
const WORK_MS_MAX = 5_000;

@Controller("holdfast")
export class HoldfastController {
  @Inject(Shop) private readonly shop!: Shop;

  /** Verifies an event over its bytes, stores it, brings its order up to date if that is soon done, and answers. */
  @Post("hooks")
  async receive(@Req() request: Request, @Res() response: Response): Promise<void> {
    const { webhookSecrets } = connection();
    if (webhookSecrets.length === 0) return void response.status(400).json({ message: NO_SECRET });
    let order: string | null;
    try {
      const event = await verifyWebhook(request.body as Buffer, request.headers, webhookSecrets);
      order = await storeEvent(this.shop, event);
    } catch (error) {
      if (!(error instanceof WebhookError)) throw error;
      return void response.status(400).json({ message: error.message });
    }
    // The feed finds the stored event, and does what fails or ends here.
    const work = order === null ? null : bringUpToDate(this.shop, order).catch((error: Error) => warn(order, error));
    await Promise.race([work, sleep(WORK_MS_MAX, null, { ref: false })]);
    response.sendStatus(204);
  }

  @Head("hooks")
  @HttpCode(204)
  exists(): void {}

  /** Leads a buyer to the checkout of an order that exists. A link in an email may lead here, too. */
  @Get("orders/:code/pay")
  async pay(@Param("code") code: string, @Res() response: Response): Promise<void> {
    const checkout = await openCheckout(this.shop, code).catch((error: Error) => error);
    if (checkout instanceof Error) {
      Logger.error(`${code} cannot be paid: ${checkout.message}`, "Holdfast");
      return void response.status(503).json({ message: "This order cannot be paid at the moment. Try again later." });
    }
    if (checkout?.state === "open") return response.redirect(303, checkout.checkoutUrl);
    const message = checkout === null ? "There is no such order." : `This order is ${checkout.state}.`;
    response.status(checkout === null ? 404 : 409).json({ message });
  }

  /** The state of an order for the page to which its buyer comes back. It reads; events decide. */
  @Get("orders/:code")
  async read(@Param("code") code: string): Promise<object> {
    const found = await readIntentOf(this.shop, code);
    if (found === null) throw new NotFoundException("There is no such order.");
    return { orderCode: code, ...found };
  }
}

export const warn = (code: string, { message }: Error): void =>
  Logger.warn(`${code} waits for the feed: ${message}`, "Holdfast");

/** Keeps the bytes as they arrived, before Vendure's parsers have them. */
export async function readBytes(request: Request, response: Response, next: NextFunction): Promise<void> {
  if (request.method !== "POST") return next();
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes > BODY_BYTES_MAX) return void response.sendStatus(413);
    chunks.push(chunk);
  }
  request.body = Buffer.concat(chunks);
  next();
}
