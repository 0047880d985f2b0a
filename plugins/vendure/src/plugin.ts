import { APP_INTERCEPTOR } from "@nestjs/core";
import { type CustomFieldConfig, LanguageCode, PluginCommonModule, type Type, VendurePlugin } from "@vendure/core";
import { CancelFirst } from "./cancelFirst";
import { connect, type HoldfastPluginOptions } from "./connection";
import { HOOKS, HoldfastController, readBytes } from "./controller";
import { HoldfastAttempt, HoldfastEvent } from "./entities";
import { CURSOR } from "./events";
import { Feed } from "./feed";
import { holdfastHandler } from "./handler";
import { OWN } from "./holdfastPayment";
import { Shop } from "./shop";
import {
  allocateWhenAwaiting,
  fulfillmentProcess,
  orderProcess,
  paymentProcess,
  placeWhenAwaiting,
  refundProcess,
} from "./states";
import { TrySettings } from "./trySettings";

const field = (name: string, type: "string" | "boolean" | "datetime", label: string) =>
  ({
    ...{ name, type, nullable: true, readonly: true, public: false },
    label: [{ languageCode: LanguageCode.en, value: label }],
  }) as CustomFieldConfig;

@VendurePlugin({
  imports: [PluginCommonModule],
  entities: [HoldfastAttempt, HoldfastEvent],
  controllers: [HoldfastController],
  providers: [Shop, Feed, ...[CancelFirst, TrySettings].map((useClass) => ({ provide: APP_INTERCEPTOR, useClass }))],
  compatibility: "^3.7.0",
  configuration: (config) => {
    const { orderOptions, paymentOptions, shippingOptions } = config;
    paymentOptions.paymentMethodHandlers.push(holdfastHandler);
    paymentOptions.process = [...(paymentOptions.process ?? []), paymentProcess];
    paymentOptions.refundProcess = [...(paymentOptions.refundProcess ?? []), refundProcess];
    shippingOptions.process = [...(shippingOptions.process ?? []), fulfillmentProcess];
    orderOptions.process = [...(orderOptions.process ?? []), orderProcess];
    orderOptions.orderPlacedStrategy = placeWhenAwaiting(orderOptions.orderPlacedStrategy);
    orderOptions.stockAllocationStrategy = allocateWhenAwaiting(orderOptions.stockAllocationStrategy);
    config.customFields.Order.push(
      field("buyerProtection", "string", "Buyer protection"),
      field("mayShip", "boolean", "Goods may leave"),
      field("protectedUntil", "datetime", "The buyer may dispute until"),
      field("holdfastPage", "string", "Payment, dispute and refund in Holdfast"),
    );
    for (const name of Object.keys(OWN))
      config.customFields.Payment.push({ name, type: "boolean", internal: true, nullable: true });
    config.settingsStoreFields = { ...config.settingsStoreFields, [CURSOR.namespace]: [{ name: CURSOR.name }] };
    config.apiOptions.middleware.push({ route: HOOKS, handler: readBytes, beforeListen: true });
    return config;
  },
})
// biome-ignore lint/complexity/noStaticOnlyClass: Vendure makes plugins from classes.
export class HoldfastPlugin {
  static init(options: HoldfastPluginOptions = {}): Type<HoldfastPlugin> {
    connect(options);
    return HoldfastPlugin;
  }
}
