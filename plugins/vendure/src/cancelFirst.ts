import { type CallHandler, type ExecutionContext, Inject, Injectable, type NestInterceptor } from "@nestjs/common";
import { type ID, Order, UserInputError } from "@vendure/core";
import { from, type Observable, switchMap } from "rxjs";
import { cancelCheckout } from "./attempts";
import { findOrder, Shop } from "./shop";

interface CancelArgs {
  readonly id?: ID;
  readonly state?: string;
  readonly input?: { readonly orderId?: ID };
}

/**
 * Cancels the intent of an order before the staff cancel the order, or lines of it. Vendure asks nobody before it has canceled
 * the lines, and keeps that if the order then is refused the state.
 */
@Injectable()
export class CancelFirst implements NestInterceptor {
  @Inject(Shop) private readonly shop!: Shop;

  intercept(context: ExecutionContext, next: CallHandler): Observable<unknown> {
    if (context.getType<string>() !== "graphql") return next.handle();
    const [, args, , info] = context.getArgs<[unknown, CancelArgs, unknown, { readonly fieldName: string }]>();
    const isCancel = info.fieldName === "transitionOrderToState" && args.state === "Cancelled";
    const id = info.fieldName === "cancelOrder" ? args.input?.orderId : isCancel ? args.id : undefined;
    return id === undefined ? next.handle() : from(this.cancel(id)).pipe(switchMap(() => next.handle()));
  }

  private async cancel(id: ID): Promise<void> {
    const order = await this.shop.connection.rawConnection.getRepository(Order).findOne({ where: { id } });
    const found = order && (await findOrder(this.shop, order.code));
    if (found && !(await cancelCheckout(this.shop, found)))
      throw new UserInputError("This order was paid a moment ago. Refund it instead.");
  }
}
