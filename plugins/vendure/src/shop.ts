import type { OrderSummary } from "@holdfast/sdk";
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
import type { Token } from "./connection";

/** An order's progress, in the metadata of its payment. */
export interface HoldfastState {
  readonly channel: string;
  readonly progress: OrderSummary["progress"];
  /** Goods may leave. */
  readonly mayShip: boolean;
  /** Goods left the escrow's condition once: the shop may enter the payment. */
  readonly isPaid: boolean;
  readonly payment: string | null;
  /** The amount of the payment, and the part of it that went back, in the token's smallest unit. */
  readonly amount: string;
  readonly refundTotal: string;
  /** The payment's token; null before there is one. */
  readonly token: Token | null;
  readonly protectedUntil: string | null;
  readonly receiptUrl: string | null;
  /** The payment's page in Holdfast, for dispute and refund. */
  readonly page: string | null;
  /** Payments that do not pay the order and did not go back. */
  readonly owed: readonly { readonly payment: string; readonly reason: string; readonly page: string }[];
}

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

export const stateOf = (payment: Payment): HoldfastState | undefined => payment.metadata?.holdfast;

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
