import { type ActionName, isActionName } from "@holdfast/decoder";
import { type ActState, type ActStep, attempt, isOpen, isOver } from "@holdfast/wallet/act.ts";
import type { Wallet } from "@holdfast/wallet/wallet.ts";
import { type ActionTransaction, actionAct, walletNeededFor } from "./action.ts";
import { ActionBox } from "./actionBox.ts";
import { type ButtonLabel, confirmationOf, parseAmount, releasedBy, tokenText, totalOf } from "./actionText.ts";
import type { CaseData, ReceiptData } from "./data.ts";
import { NO_WALLETS, searchWallets, type Wallets } from "./ownWallets.ts";
import { handOver } from "./service.ts";
import { type TabMessage, Tabs } from "./tabs.ts";
import { endText, fill, shortAddress, solText } from "./walletText.ts";

export interface ActionPanelDeps {
  readonly data: ReceiptData;
  /** Fetches the state at once: an action was sent, or may have been. */
  readonly poll: () => Promise<void>;
  /** The page's own wallets, which load separately; until they have, it does not say that there is none. */
  readonly loading: Promise<unknown>;
}

/** The service sends a transaction that it has until it lands; it may have been restarted since. */
const HAND_AGAIN_MS = 10_000;

const partOf = (button: HTMLElement, name: "b" | "span"): string => button.querySelector(name)?.textContent ?? "";

/** The buttons of actions: a box with the confirmation and the wallets below the pressed one. */
export class ActionPanel {
  readonly #deps: ActionPanelDeps;
  readonly #box: ActionBox;
  readonly #tabs: Tabs;
  #data: ReceiptData;
  #open: ActionName | null = null;
  #label: ButtonLabel = { title: "", text: "" };
  #wallets: Wallets = NO_WALLETS;
  #waiting: ReturnType<typeof setTimeout> | undefined;
  /** True once the box was opened for the step that is the buyer's by an agreement. */
  #isOffered = false;
  /** Silences the attempt: one that the person left says nothing any more in the box of the next. */
  #stop = () => {};

  constructor(deps: ActionPanelDeps) {
    this.#deps = deps;
    this.#data = deps.data;
    this.#box = new ActionBox(deps.data.texts, {
      onWallet: (name) => this.#press(name),
      onClose: () => this.#close(true),
      onTyped: () => this.#draw(),
      choice: () => this.#choice(),
    });
    this.#tabs = new Tabs(deps.data.path, (message) => this.#hear(message));
    document.addEventListener("click", ({ target }) => {
      const button = target instanceof Element ? target.closest<HTMLElement>("button[data-action]") : null;
      const action = button?.dataset.action;
      if (button !== null && isActionName(action)) this.#toggle(action, button);
    });
    this.#offerAgreed(document);
    searchWallets(deps.data.cluster, deps.loading, (wallets) => {
      this.#wallets = wallets;
      this.#draw();
    });
  }

  /** Moves the open box into the page's next main part; where its button is gone, the box goes with the present one. */
  moveInto(next: HTMLElement, fresh: ReceiptData): void {
    this.#data = fresh;
    this.#offerAgreed(next);
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

  #toggle(action: ActionName, button: HTMLElement): void {
    const isOpen = this.#open === action;
    this.#close(isOpen);
    if (isOpen) return;
    this.#openBelow(action, button);
    this.#box.focus();
  }

  #openBelow(action: ActionName, button: HTMLElement): void {
    this.#open = action;
    this.#label = { title: partOf(button, "b"), text: partOf(button, "span") };
    this.#draw();
    this.#box.openBelow(button);
  }

  /** Opens the box of an agreed release by itself, once: both sides have pressed for it before. */
  #offerAgreed(root: Document | HTMLElement): void {
    const button = root.querySelector<HTMLElement>('[data-action="release"]');
    if (this.#isOffered || this.#open !== null || !this.#isAgreed || button === null) return;
    this.#isOffered = true;
    this.#openBelow("release", button);
  }

  #close(givesFocus: boolean): void {
    // A wallet may never answer, and the person goes on without it.
    this.#leave();
    this.#tabs.end(false);
    this.#open = null;
    this.#box.close(givesFocus);
  }

  #leave(): void {
    clearTimeout(this.#waiting);
    this.#stop();
    this.#stop = () => {};
  }

  get #isDisputed(): boolean {
    return this.#data.state === "disputed";
  }

  #choice() {
    const action = this.#open!;
    return { data: this.#data, action, total: totalOf(action, this.#data) };
  }

  /** Draws the open action: its text, and a button for each wallet. */
  #draw(): void {
    if (this.#open === null) return;
    const { texts } = this.#data;
    const { title, text, sign } = confirmationOf(
      this.#open,
      this.#label,
      this.#data,
      this.#isDisputed && !this.#isAgreed,
    );
    const needed = walletNeededFor(this.#open, this.#data.payment);
    const { here, elsewhere, isSearching } = this.#wallets;
    const typed = this.#amountToType;
    this.#box.draw({
      ...{ title, text, isActing: this.#tabs.isActing },
      typing: typed === null ? null : fill(texts.typeAmount, { amount: typed }),
      needed: needed === null ? (texts.anyWallet ?? "") : fill(texts.neededWallet, { needed: shortAddress(needed) }),
      wallets: here.map((wallet) => ({ wallet, label: fill(sign, { wallet: wallet.name }) })),
      elsewhere: elsewhere.map(({ name }) => fill(texts.walletElsewhere, { wallet: name })),
      // Other ways lead past the wallets here, but not past the amount that is typed.
      hasOthers: this.#isConfirmed,
      none: isSearching || here.length > 0 ? "" : (texts.noWallet ?? ""),
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

  #press(name: string): void {
    const wallet = this.#wallets.here.find((one) => one.name === name);
    if (wallet === undefined || this.#open === null || this.#tabs.isActing) return;
    const { texts, cluster } = this.#data;
    if (!this.#isConfirmed) {
      this.#box.askToType(fill(texts.typeAmountWrong, { amount: this.#amountToType ?? "" }));
      return;
    }
    this.#leave();
    this.#tabs.begin();
    this.#draw();
    let signed: string | null = null;
    this.#stop = attempt(actionAct(this.#choice()), {
      ...{ wallet, cluster },
      onLeft: (seconds) => this.#box.sayLeft(seconds === null ? "" : fill(texts.left, { seconds: String(seconds) })),
      onState: (state) => {
        if (state.at === "sending") signed = state.signed;
        void this.#show(state, wallet, signed);
      },
    });
  }

  async #show(state: ActState<ActionTransaction>, wallet: Wallet, signed: string | null): Promise<void> {
    if (state.at !== "ended") return this.#box.progress(this.#stepText(state, wallet), "info");
    const { ending } = state;
    clearTimeout(this.#waiting);
    // A state that shows why it did nothing closes the box.
    const stop = this.#stop;
    if (isOver(ending)) await this.#deps.poll();
    if (stop !== this.#stop) return;
    this.#tabs.end(isOpen(ending));
    this.#draw();
    this.#box.progress(endText(this.#data.texts, ending, wallet.name), ending.kind === "sent" ? "info" : "bad");
    if (isOpen(ending)) this.#await(signed);
    // What it was refused for may have changed meanwhile: the state says what holds now.
    await this.#deps.poll();
  }

  /** Until the state shows it, or it can no longer land, hands in the signed transaction again. */
  #await(signed: string | null): void {
    this.#waiting = setTimeout(async () => {
      if (this.#open === null) return;
      if (signed !== null) await handOver("/pay/p/{payment}/submit", this.#data, { transaction: signed });
      await this.#deps.poll();
      if (this.#open !== null) this.#await(signed);
    }, HAND_AGAIN_MS);
  }

  #hear(message: TabMessage): void {
    const { otherTab = "" } = this.#data.texts;
    if (!this.#tabs.isActing) {
      if (message === "acting") this.#box.progress(otherTab, "info");
      else this.#box.endProgress(otherTab);
    }
    if (message === "sent") void this.#deps.poll();
  }

  #stepText(step: ActStep<ActionTransaction>, { name: wallet }: Wallet): string {
    const { texts, locale } = this.#data;
    if (step.at !== "confirming") return fill(texts[step.at], { wallet });
    const { fee, returns, sponsored } = step.built;
    const cost = solText(fee.totalLamports, locale);
    const parts = [fill(sponsored ? texts.confirmFree : texts.confirmIn, { wallet, cost })];
    if (fee.tokenAccountLamports !== "0")
      parts.push(fill(texts.makesAccount, { account: solText(fee.tokenAccountLamports, locale) }));
    if (returns !== null)
      parts.push(fill(texts.returns, { back: solText(returns.lamports, locale), to: shortAddress(returns.to) }));
    return parts.join(" ");
  }
}
