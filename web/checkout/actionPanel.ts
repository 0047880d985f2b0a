import { followLife, type TransactionLife } from "@holdfast/wallet/life.ts";
import type { Wallet } from "@holdfast/wallet/wallet.ts";
import { findWallets } from "@holdfast/wallet/walletStandard.ts";
import { type ActionEnding, type ActionStep, actBy, handAgain, walletNeededFor } from "./action.ts";
import { ActionBox } from "./actionBox.ts";
import {
  type BuyerAction,
  confirmationOf,
  isBuyerAction,
  parseAmount,
  releasedBy,
  shortAddress,
  tokenText,
  totalOf,
} from "./actionText.ts";
import type { CaseData, ReceiptData } from "./data.ts";
import { callService } from "./service.ts";
import { endText, fill, solText } from "./walletText.ts";

export interface ActionPanelDeps {
  readonly data: ReceiptData;
  /** Fetches the state at once: an action was sent, or may have been. */
  readonly poll: () => Promise<void>;
  /** The page's own wallets, which load separately; until they have, it does not say that there is none. */
  readonly loading: Promise<unknown>;
}

/** A message to other tabs of this browser that show the same payment. */
type TabMessage = "acting" | "sent" | "stopped";
const SEARCH_MS = 800;
/** The service sends a transaction that it has until it lands; it may have been restarted since. */
const HAND_AGAIN_MS = 10_000;

/** The buttons of actions: a box with the confirmation and the wallets below the pressed one. */
export class ActionPanel {
  readonly #deps: ActionPanelDeps;
  readonly #box: ActionBox;
  readonly #tabs: BroadcastChannel;
  #data: ReceiptData;
  #open: BuyerAction | null = null;
  #wallets: readonly Wallet[] = [];
  #elsewhere: readonly Wallet[] = [];
  #isSearching = true;
  #isActing = false;
  /** Counts attempts: one that the person left says nothing any more in the box of the next. */
  #attempts = 0;
  #waiting: ReturnType<typeof setTimeout> | undefined;
  /** Ends the following of a transaction. */
  #unfollow = () => {};

  constructor(deps: ActionPanelDeps) {
    this.#deps = deps;
    this.#data = deps.data;
    this.#box = new ActionBox(deps.data.texts, {
      onWallet: (name) => this.#press(name),
      onClose: () => this.#close(true),
      onTyped: () => this.#draw(),
      choice: () => this.#choice(),
    });
    this.#tabs = new BroadcastChannel(`holdfast ${deps.data.path}`);
    this.#tabs.onmessage = ({ data }: MessageEvent<TabMessage>) => this.#hear(data);
    addEventListener("pagehide", () => {
      if (this.#isActing) this.#tell("stopped");
    });
    document.addEventListener("click", ({ target }) => {
      const button = target instanceof Element ? target.closest<HTMLElement>("button[data-action]") : null;
      const action = button?.dataset.action;
      if (button !== null && isBuyerAction(action)) this.#toggle(action, button);
    });
    findWallets(deps.data.cluster, ({ here, elsewhere }) => {
      this.#wallets = here;
      this.#elsewhere = elsewhere;
      this.#draw();
    });
    const searched = new Promise((resolve) => setTimeout(resolve, SEARCH_MS));
    void Promise.allSettled([searched, deps.loading]).then(() => {
      this.#isSearching = false;
      this.#draw();
    });
  }

  /** Moves the open box into the page's next main part; where its button is gone, the box goes with the present one. */
  moveInto(next: HTMLElement, fresh: ReceiptData): void {
    this.#data = fresh;
    if (this.#open === null) return;
    const button = next.querySelector<HTMLElement>(`[data-action="${this.#open}"]`);
    if (button === null) this.#close(false);
    else this.#box.moveBelow(button);
    // State and amounts may be others: the person confirms what holds now.
    this.#draw();
  }

  /** Gives the focus back to the box if it had it. */
  moved(): void {
    this.#box.refocus();
  }

  #toggle(action: BuyerAction, button: HTMLElement): void {
    const isOpen = this.#open === action;
    this.#close(isOpen);
    if (isOpen) return;
    this.#open = action;
    this.#draw();
    this.#box.openBelow(button);
  }

  #close(givesFocus: boolean): void {
    clearTimeout(this.#waiting);
    this.#unfollow();
    // A wallet may never answer, and the person goes on without it.
    this.#attempts++;
    if (this.#isActing) this.#tell("stopped");
    this.#isActing = false;
    this.#open = null;
    this.#box.close(givesFocus);
  }

  get #isDisputed(): boolean {
    return this.#data.state === "disputed";
  }

  #choice() {
    const action = this.#open!;
    return {
      ...{ data: this.#data, action, total: totalOf(action, this.#data) },
      needed: walletNeededFor(action, this.#data.payment),
    };
  }

  /** Draws the open action: its text, and a button for each wallet. */
  #draw(): void {
    if (this.#open === null) return;
    const { texts } = this.#data;
    const { title, text, sign } = confirmationOf(this.#open, this.#data, this.#isDisputed && !this.#isAgreed);
    const { needed } = this.#choice();
    const typed = this.#amountToType;
    this.#box.draw({
      ...{ title, text, isActing: this.#isActing },
      typing: typed === null ? null : fill(texts.typeAmount, { amount: typed }),
      needed: needed === null ? (texts.anyWallet ?? "") : fill(texts.neededWallet, { needed: shortAddress(needed) }),
      wallets: this.#wallets.map((wallet) => ({
        ...{ name: wallet.name, icon: wallet.icon },
        label: fill(sign, { wallet: wallet.name }),
      })),
      elsewhere: this.#elsewhere.map(({ name }) => fill(texts.walletElsewhere, { wallet: name })),
      // Other ways lead past the wallets here, but not past the amount that is typed.
      hasOthers: this.#isConfirmed,
      none: this.#isSearching || this.#wallets.length > 0 ? "" : (texts.noWallet ?? ""),
    });
  }

  /** The figure that the person types before the shop gets money in spite of a dispute; null: none. */
  get #amountToType(): string | null {
    if (this.#open !== "release" || !this.#isDisputed || this.#isAgreed) return null;
    return tokenText(this.#data, releasedBy(this.#data)).figure;
  }

  /** True if the release is the rest of an agreement whose refund is bound: both sides signed these very amounts. */
  get #isAgreed(): boolean {
    const { agreed = null, payment } = this.#data as Partial<CaseData> & ReceiptData;
    return agreed?.isRefunded === true && agreed.total === payment.refundTotal;
  }

  get #isConfirmed(): boolean {
    const amount = BigInt(releasedBy(this.#data));
    return this.#amountToType === null || parseAmount(this.#box.typed, this.#data) === amount;
  }

  async #press(name: string): Promise<void> {
    const wallet = this.#wallets.find((one) => one.name === name);
    if (wallet === undefined || this.#open === null || this.#isActing) return;
    if (!this.#isConfirmed)
      return this.#box.askToType(fill(this.#data.texts.typeAmountWrong, { amount: this.#amountToType ?? "" }));
    clearTimeout(this.#waiting);
    this.#setActing(true);
    const attempt = ++this.#attempts;
    const isLeft = () => attempt !== this.#attempts;
    const onStep = (step: ActionStep) => {
      if (isLeft()) return;
      this.#box.progress(this.#stepText(step, wallet), "info");
      if (step.at === "confirming") this.#follow(step.transaction);
    };
    const ending = await actBy({ ...this.#choice(), wallet, onStep });
    if (isLeft()) return this.#deps.poll();
    this.#setActing(false, ending);
    const isGood = ending.kind === "sent";
    this.#box.progress(this.#endText(ending, wallet), isGood ? "info" : "bad");
    if (ending.kind === "sent" && ending.transaction !== null) this.#follow(ending.transaction);
    if (ending.kind === "sent" || ending.kind === "unknown") this.#await(ending);
    else this.#unfollow();
    // What it was refused for may have changed meanwhile: the state says what holds now.
    await this.#deps.poll();
  }

  /** Says how long the network takes a transaction, and when it no longer does. A state that shows it closes the box. */
  #follow(transaction: string): void {
    this.#unfollow();
    this.#unfollow = followLife({
      ask: () => callService<TransactionLife>(`${this.#data.path}/life`, { transaction }),
      onLeft: (seconds) =>
        this.#isActing && this.#box.sayLeft(fill(this.#data.texts.left, { seconds: String(seconds) })),
      onEnd: async (status) => {
        const attempt = ++this.#attempts;
        clearTimeout(this.#waiting);
        await this.#deps.poll();
        if (attempt !== this.#attempts || this.#open === null) return;
        this.#setActing(false);
        this.#box.progress(this.#data.texts[status === "ended" ? "tooLate" : "failed"] ?? "", "bad");
      },
    });
  }

  /** Until the state shows it, or it can no longer land, hands in the transaction again. */
  #await(ending: ActionEnding): void {
    this.#waiting = setTimeout(async () => {
      if (this.#open === null) return;
      if (ending.kind === "sent" && ending.transaction !== null)
        await handAgain(this.#data.path, ending.transaction).catch(() => undefined); // the next turn tries again
      await this.#deps.poll();
      if (this.#open !== null) this.#await(ending);
    }, HAND_AGAIN_MS);
  }

  #setActing(isActing: boolean, ending?: ActionEnding): void {
    this.#isActing = isActing;
    if (!isActing) this.#box.sayLeft("");
    this.#tell(isActing ? "acting" : ending?.kind === "sent" ? "sent" : "stopped");
    this.#draw();
  }

  readonly #tell = (message: TabMessage): void => this.#tabs.postMessage(message);

  #hear(message: TabMessage): void {
    const { otherTab = "" } = this.#data.texts;
    if (!this.#isActing) {
      if (message === "acting") this.#box.progress(otherTab, "info");
      else this.#box.endProgress(otherTab);
    }
    if (message === "sent") void this.#deps.poll();
  }

  #stepText(step: ActionStep, { name: wallet }: Wallet): string {
    const { texts, locale } = this.#data;
    if (step.at !== "confirming") return fill(texts[step.at], { wallet });
    const { fee, returns, sponsored } = step;
    const cost = solText(fee.totalLamports, locale);
    const parts = [fill(sponsored ? texts.confirmFree : texts.confirmIn, { wallet, cost })];
    if (fee.tokenAccountLamports !== "0")
      parts.push(fill(texts.makesAccount, { account: solText(fee.tokenAccountLamports, locale) }));
    if (returns !== null)
      parts.push(fill(texts.returns, { back: solText(returns.lamports, locale), to: shortAddress(returns.to) }));
    return parts.join(" ");
  }

  #endText(ending: ActionEnding, { name: wallet }: Wallet): string {
    const { texts } = this.#data;
    switch (ending.kind) {
      case "sent":
        return (ending.isCertain ? texts.sent : texts.unknownSent) ?? "";
      case "other_wallet": {
        const needed = shortAddress(this.#choice().needed ?? "");
        return fill(texts.otherWallet, { needed, wallet, given: shortAddress(ending.given) });
      }
      default:
        return endText(texts, ending, wallet);
    }
  }
}
