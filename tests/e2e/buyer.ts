import type { Page } from "playwright-core";
import type { Merchant, Wire } from "../harness/merchant.ts";
import type { RunningService } from "../harness/service.ts";
import type { Tab, TabOptions, TestBrowser } from "./browser.ts";
import { TestWallet, type TestWalletOptions } from "./wallet.ts";

export const AMOUNT = "24500000";

export interface Buyer extends Tab {
  readonly intent: Wire;
  readonly wallet: TestWallet;
}

interface BuyerOptions extends TestWalletOptions, TabOptions {
  readonly intent?: Wire;
  readonly funds?: string;
  readonly lamports?: number;
}

interface World {
  readonly service: RunningService;
  readonly shop: Merchant;
  readonly browser: TestBrowser;
}

/** Buyers of a file's shop, in its one browser; both are there once its tests run. */
export function openBuyers(world: () => World) {
  /** A buyer with a funded wallet in front of an order's page. */
  const aBuyer = async (options: BuyerOptions = {}): Promise<Buyer> => {
    const { service, shop, browser } = world();
    const {
      viewport,
      userAgent,
      intent = await shop.create({ amount: AMOUNT }),
      funds = AMOUNT,
      lamports,
      ...rest
    } = options;
    const tab = await browser.open({ ...(viewport && { viewport }), ...(userAgent && { userAgent }) });
    const wallet = await TestWallet.attach(tab.context, service, rest);
    await wallet.fund(intent.asset, funds, lamports);
    await tab.page.goto(intent.checkoutUrl);
    return { ...tab, intent, wallet };
  };
  /** Lists the payments that reached the escrow, as the shop's server does. */
  const paymentsOf = (intent: Wire): Promise<Wire[]> => world().shop.walk(`/payments?intent=${intent.id}`, 100);
  return { aBuyer, paymentsOf };
}

/**
 * The complaints of a page's own: not the browser's line on a 503. On a busy machine the service may find its database away for
 * a moment; the page asks again by itself, as a test of §12.5 holds.
 */
export const complaintsOf = ({ complaints }: Pick<Tab, "complaints">): string[] =>
  complaints.filter((line) => !/status of 503/.test(line));

export const payButton = (page: Page) => page.getByRole("button", { name: "Pay with Test wallet" });
/** The same while a payment may be on its way. */
export const payAnyway = (page: Page) => page.getByRole("button", { name: "Pay anyway with Test wallet" });
/** The same once it is certain that the last try paid nothing. */
export const payAgain = (page: Page) => page.getByRole("button", { name: "Pay again with Test wallet" });
export const heading = (page: Page, name: string) => page.getByRole("heading", { name }).waitFor();
export const says = (page: Page, text: string | RegExp) =>
  page.locator("#progress").filter({ hasText: text }).waitFor();

/** A wallet whose person thinks until the test decides. */
export function slowPerson() {
  const { promise, resolve } = Promise.withResolvers<void>();
  const { promise: asked, resolve: wasAsked } = Promise.withResolvers<void>();
  const handle = async (bytes: Uint8Array) => {
    wasAsked();
    await promise;
    return bytes;
  };
  return { handle, asked, decide: resolve };
}
