/** An order as the shop's own books have it. */
export interface ShopOrder {
  readonly state: "open" | "paid" | "held" | "refunded" | "canceled";
  /** The number of times its goods left. */
  readonly shipments: number;
  /** The order's total, and the part that went back, in the smallest unit of the shop's currency. */
  readonly total: string;
  readonly refunded: string;
}

/** A shop with a plugin, as its buyers, its merchant and its network reach it. */
export interface TradingShop {
  /** The handler of the plugin, and the secret by which it verifies. */
  readonly webhookUrl: string;
  readonly secret: string;
  /** A buyer orders and is sent to the checkout. */
  order(): Promise<{ readonly reference: string; readonly intent: string }>;
  /** The buyer asks for the checkout again; null if the order cannot be paid any more. */
  payAgain(reference: string): Promise<string | null>;
  /** The buyer comes back from the checkout. */
  comeBack(reference: string): Promise<void>;
  /** The buyer never comes: a shop may let its timer give the order up. */
  walkAway?(reference: string): void;
  /** The merchant gives an order up. Returns false if the shop refuses. */
  giveUp(reference: string): Promise<boolean>;
  /** The merchant asks the shop for a refund, of a half or all. Returns the total that waits for the wallet's signature. */
  askRefund(reference: string, part: "half" | "all"): Promise<string>;
  /** Goods leave for every order of which the shop says that they may. */
  shipAll(): Promise<void>;
  show(reference: string): Promise<ShopOrder>;
  /** Kills the shop at once and starts it again. */
  restart(): Promise<void>;
}
