import { Inject, Injectable } from "@nestjs/common";
import {
  ConfigService,
  isGraphQlErrorResult,
  Order,
  OrderService,
  type Payment,
  PaymentMethodService,
  PaymentService,
  type RequestContext,
  RequestContextService,
  SettingsStoreService,
  TransactionalConnection,
} from "@vendure/core";
import { type HoldfastState, stateOf } from "./holdfastPayment";

/** The parts of Vendure that the work on orders needs. */
@Injectable()
export class Shop {
  @Inject(TransactionalConnection) readonly connection!: TransactionalConnection;
  @Inject(OrderService) readonly orders!: OrderService;
  @Inject(PaymentService) readonly payments!: PaymentService;
  @Inject(PaymentMethodService) readonly methods!: PaymentMethodService;
  @Inject(SettingsStoreService) readonly settings!: SettingsStoreService;
  @Inject(RequestContextService) readonly contexts!: RequestContextService;
  @Inject(ConfigService) readonly config!: ConfigService;
}

/** An order and its payment by Holdfast, with the refunds of it. */
export interface HoldfastOrder {
  readonly order: Order;
  readonly payment: Payment;
  readonly state: HoldfastState;
}

/** Returns null if there is no such order, or another method is to pay it. */
export async function findOrder(shop: Shop, code: string, ctx?: RequestContext): Promise<HoldfastOrder | null> {
  const orders = ctx ? shop.connection.getRepository(ctx, Order) : shop.connection.rawConnection.getRepository(Order);
  const order = await orders.findOne({ where: { code }, relations: ["payments", "payments.refunds"] });
  const payment = order?.payments.find((one) => stateOf(one) !== undefined);
  return order && payment ? { order, payment, state: stateOf(payment)! } : null;
}

/** The context of work that no request asks for. */
export const contextOf = (shop: Shop, { state, order }: HoldfastOrder): Promise<RequestContext> =>
  shop.contexts.create({ apiType: "admin", channelOrToken: state.channel, currencyCode: order.currencyCode });

/** Vendure returns its refusals. */
export function check(result: object): void {
  if (isGraphQlErrorResult(result as never)) throw new Error((result as Error).message);
}
