import { setTimeout as sleep } from "node:timers/promises";
import { Inject, Injectable, type OnApplicationBootstrap, type OnModuleDestroy } from "@nestjs/common";
import { EventBus, Logger, OrderStateTransitionEvent, ProcessContext } from "@vendure/core";
import { cancelCheckout } from "./attempts";
import { warn } from "./controller";
import { catchUp } from "./events";
import { check, contextOf, findOrder, Shop } from "./shop";
import { AWAITING_ORDER, AWAITING_PAYMENT } from "./states";

const INTERVAL_MS = 10_000;

/** The work of the server's process that no request asks for. */
@Injectable()
export class Feed implements OnApplicationBootstrap, OnModuleDestroy {
  @Inject(Shop) private readonly shop!: Shop;
  @Inject(EventBus) private readonly bus!: EventBus;
  @Inject(ProcessContext) private readonly process!: ProcessContext;
  private readonly ending = new AbortController();

  onApplicationBootstrap(): void {
    if (!this.process.isServer) return;
    void this.run();
    // An order that was canceled without the admin API, or paid by another method.
    this.bus.ofType(OrderStateTransitionEvent).subscribe(({ fromState, order }) => {
      if (fromState === AWAITING_ORDER) this.cancel(order.code).catch((error: Error) => warn(order.code, error));
    });
  }

  onModuleDestroy(): void {
    this.ending.abort();
  }

  private async cancel(code: string): Promise<void> {
    const found = await findOrder(this.shop, code);
    if (found === null || !(await cancelCheckout(this.shop, found))) return;
    const { id, state } = found.payment;
    if (state === AWAITING_PAYMENT) check(await this.shop.orders.cancelPayment(await contextOf(this.shop, found), id));
  }

  private async run(): Promise<void> {
    const { signal } = this.ending;
    while (!signal.aborted) {
      await catchUp(this.shop, warn).catch((error: Error) =>
        Logger.warn(`The feed waits: ${error.message}`, "Holdfast"),
      );
      await sleep(INTERVAL_MS, null, { signal }).catch(() => null);
    }
  }
}
