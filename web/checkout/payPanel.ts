import { worthOf } from "@holdfast/ui/worth.ts";
import { type ActEnding, type ActStep, attempt, isOpen, isOver } from "@holdfast/wallet/act.ts";
import { followLife } from "@holdfast/wallet/life.ts";
import type { Wallet } from "@holdfast/wallet/wallet.ts";
import { announce } from "./announce.ts";
import type { PageData } from "./data.ts";
import { Doubt, type Watched } from "./doubt.ts";
import { element } from "./element.ts";
import { iconOf, NO_WALLETS, searchWallets, type Wallets, walletButton } from "./ownWallets.ts";
import { ARBITER_CHANGED, type CheckoutTransaction, paymentAct } from "./payment.ts";
import { callService } from "./service.ts";
import { type TabMessage, Tabs } from "./tabs.ts";
import { endText, fill, solText } from "./walletText.ts";

export interface PayPanelDeps {
  readonly data: PageData;
  /** Fetches the state at once: a payment was sent, or may have been. */
  readonly poll: () => Promise<void>;
  /** Fetches the page again: its contents have changed. */
  readonly reload: () => Promise<void>;
  /** The page's own wallets, which load separately; until they have, it does not say that there is none. */
  readonly loading: Promise<unknown>;
}

/** The buttons of the waiting page: one wallet first, the others folded, and one payment at a time in all tabs. */
export class PayPanel {
  readonly #deps: PayPanelDeps;
  readonly #tabs: Tabs;
  readonly #doubt: Doubt;
  #wallets: Wallets = NO_WALLETS;
  #arbiter: string | null;
  /** Counts attempts: what the wallet of an earlier one says is late. */
  #attempts = 0;
  /** A payment by another tab or person is on its way, or is reported to be. */
  #inFlight: "reported" | "sent" | null = null;
  /** Ends the following of a transaction. */
  #unfollow = () => {};
  /** The last attempt of this tab ended for certain, with this text; null: it did not, or another began. */
  #ended: string | null = null;
  /** This tab has sent a payment that can still land: nothing stands beside "do not pay again". */
  #isSent = false;
  /** The buyer has read that a payment may be on its way, and may press again. */
  #isWarned = false;
  /** True if the wallet of an earlier attempt has sent during this one. */
  #isSentLate = false;

  constructor(deps: PayPanelDeps) {
    this.#deps = deps;
    this.#arbiter = deps.data.terms.arbiter;
    this.#doubt = new Doubt(deps.data.path);
    this.#tabs = new Tabs(deps.data.path, (message) => this.#hear(message));
    document.addEventListener("click", ({ target }) => {
      const button = target instanceof Element ? target.closest<HTMLElement>("[data-wallet]") : null;
      const wallet = this.#wallets.here.find(({ name }) => name === button?.dataset.wallet);
      if (wallet !== undefined) this.#press(wallet);
    });
    searchWallets(deps.data.cluster, deps.loading, (wallets) => {
      this.#wallets = wallets;
      this.draw();
    });
    this.#followDoubt();
    this.draw();
  }

  /** Draws the buttons, also into a replaced page. */
  draw(): void {
    const { texts } = this.#deps.data;
    const [button, list] = [document.getElementById("pay"), document.getElementById("wallets")];
    const shown = document.getElementById("checkout")?.dataset.state;
    // The server has the payment, and every page shows its state.
    if (shown !== "waiting" && shown !== "held" && shown !== "in_flight") {
      this.#doubt.end();
      this.#unfollow();
    }
    const isSent = this.#isSent && this.#doubt.isOpen;
    // The button that is hidden had the focus: it stays where the page says what became of the press.
    if (isSent && document.activeElement?.matches("[data-wallet]")) document.getElementById("progress")?.focus();
    document.body.classList.toggle("sent", isSent);
    if (this.#ended !== null) progress(this.#ended, "bad");
    if (button === null || list === null) return; // the page shows another state
    const { here, elsewhere, isSearching } = this.#wallets;
    const [first, ...others] = here;
    if (first !== undefined) {
      button.dataset.wallet = first.name;
      button.replaceChildren(iconOf(first.icon), fill(texts[this.#label], { wallet: first.name }));
      if (this.#deps.data.demo && first.name === texts.demo) say("hint", texts.demoHint ?? "");
      document.querySelector(".injected")?.classList.add("found");
    } else if (!isSearching) {
      const [wrong] = elsewhere;
      button.textContent = fill(wrong ? texts.walletElsewhere : texts.noWallet, { wallet: wrong?.name ?? "" });
      say("hint", (wrong ? texts.walletElsewhereHint : texts.noWalletHint) ?? "");
    }
    button.classList.toggle("quiet", this.#doubt.isOpen && !this.#isPaying);
    button.ariaDisabled = String((first === undefined && !isSearching) || this.#isPaying);
    const wrong = elsewhere.map(({ name }) => fill(texts.walletElsewhere, { wallet: name }));
    list.replaceChildren(
      ...others.map((wallet) => walletButton(wallet, wallet.name)),
      ...wrong.map((textContent) => element("span", { textContent })),
    );
    if (list.childElementCount === 0) list.textContent = texts.noOther ?? "";
  }

  /** Shows the service's knowledge of a payment: from this tab, another, or another device. */
  hint(kind: "built" | "reported" | "sent" | "ended" | null): void {
    const before = this.#inFlight;
    this.#inFlight = kind === "reported" || kind === "sent" ? kind : null;
    if (this.#inFlight !== before) this.draw();
    // A message of this tab about its own attempt comes first.
    const { reported, otherTab } = this.#deps.data.texts;
    const said = document.getElementById("progress")?.textContent ?? "";
    if (this.#isPaying || (said !== "" && said !== reported && said !== otherTab)) return;
    if (kind === "reported") progress(reported ?? "", "info");
    else if (kind === "built") this.#sayOther();
    else if (said === reported) progress("", "info");
  }

  get #isPaying(): boolean {
    return this.#tabs.isActing;
  }

  #sayOther(): void {
    progress(this.#deps.data.texts.otherTab ?? "", "info");
  }

  /** A report is no reason to doubt what this tab knows of its own attempt. */
  get #mayBePaid(): boolean {
    return this.#doubt.isOpen || this.#inFlight === "sent" || (this.#inFlight === "reported" && this.#ended === null);
  }

  get #label(): "notSent" | "payAnyway" | "payAgain" | "payWith" {
    // The attempt itself begins the doubt. Until it ends, its button invites to nothing else.
    if (!this.#isPaying && this.#doubt.isOpen) return "notSent";
    if (!this.#isPaying && this.#mayBePaid) return "payAnyway";
    return this.#ended === null ? "payWith" : "payAgain";
  }

  /** While a payment may be on its way, the first press only warns of it. */
  #press(wallet: Wallet): void {
    if (this.#isPaying) return;
    const needsWarning = this.#mayBePaid && !this.#isWarned;
    this.#isWarned = needsWarning;
    if (!needsWarning) {
      this.#pay(wallet);
      return;
    }
    this.draw();
    progress(this.#deps.data.texts.mayBePaid ?? "", "bad");
  }

  #pay(wallet: Wallet): void {
    const { data } = this.#deps;
    this.#ended = null;
    this.#isSent = false;
    this.#isSentLate = false;
    this.#unfollow();
    this.#tabs.begin();
    this.draw();
    const wasInDoubt = this.#doubt.isOpen;
    const number = ++this.#attempts;
    const isPresent = () => number === this.#attempts && this.#isPaying;
    let watched: Watched | null = null;
    const onArbiter = (arbiter: string) => {
      this.#arbiter = arbiter;
    };
    const stop = attempt(paymentAct(data, { arbiter: this.#arbiter, onArbiter }), {
      ...{ wallet, cluster: data.cluster },
      onLeft: (seconds) => number === this.#attempts && this.#sayLeft("left", seconds),
      onState: (state) => {
        if ("built" in state) watched = watchedBy(state);
        if (!isPresent()) {
          // The wallet of an attempt that was over has sent after all: the doubt follows it from here.
          if (watched !== null && state.at === "sending") this.#followLate(watched);
          stop();
        } else if (state.at === "ended") {
          if (isOpen(state.ending)) {
            stop();
            this.#doubt.begin(watched!);
          } else if (!this.#isSentLate && (isOver(state.ending) || !wasInDoubt)) this.#doubt.end();
          void this.#end(state.ending, wallet);
        } else {
          if (state.at === "confirming" && state.walletSends) this.#doubt.begin(watched!);
          progress(this.#stepText(state, wallet), "info");
        }
      },
    });
  }

  async #end(ending: ActEnding, { name }: Wallet): Promise<void> {
    const { data, poll, reload } = this.#deps;
    const text = endText(data.texts, ending, name);
    if (isOver(ending)) this.#ended = text;
    this.#isSent = ending.kind === "sent";
    this.#followDoubt();
    this.#tabs.end(this.#isSent);
    this.draw();
    if (ending.kind === "refused" && ending.code === ARBITER_CHANGED) await reload();
    else await poll();
    // Meanwhile it may have become certain that nothing was paid.
    if (isOpen(ending) && this.#ended !== null) return;
    // "Nothing was paid" is true only for this attempt.
    const earlier = this.#doubt.isOpen && !isOpen(ending) ? ` ${data.texts.earlierTry}` : "";
    progress(`${text}${earlier}`, this.#isSent ? "info" : "bad");
  }

  /** The wallet of an attempt that was over has sent after all. */
  #followLate(watched: Watched): void {
    this.#isSentLate = true;
    this.#isSent = true;
    this.#ended = null;
    this.#doubt.begin(watched);
    if (this.#isPaying) return;
    this.#followDoubt();
    this.draw();
    progress(this.#deps.data.texts.sent ?? "", "info");
  }

  /** Follows what may have been sent, until it is certain that it was not. */
  #followDoubt(): void {
    this.#unfollow();
    const { watched } = this.#doubt;
    if (watched === null) return;
    const { texts } = this.#deps.data;
    const stop = followLife({
      ask: () => callService("/pay/i/{id}/life", this.#deps.data, watched),
      onLeft: (seconds) => this.#sayLeft("leftInDoubt", seconds),
      onEnd: (status) => {
        this.#sayLeft("leftInDoubt", null);
        this.#doubt.end();
        this.#ended = status === "ended" ? (texts.notArrived ?? "") : endText(texts, { kind: status }, "");
        this.draw();
      },
    });
    this.#unfollow = () => {
      stop();
      this.#sayLeft("leftInDoubt", null);
    };
  }

  #sayLeft(text: "left" | "leftInDoubt", seconds: number | null): void {
    say("life", seconds === null ? "" : fill(this.#deps.data.texts[text], { seconds: String(seconds) }));
  }

  #hear(message: TabMessage): void {
    if (!this.#isPaying) {
      if (message === "acting") {
        this.#ended = null;
        this.#sayOther();
      } else if (document.getElementById("progress")?.textContent === this.#deps.data.texts.otherTab)
        progress("", "info");
    }
    // All tabs share the doubt.
    if (!this.#isPaying) this.#followDoubt();
    this.draw();
    if (message === "sent") void this.#deps.poll();
  }

  #stepText(step: ActStep<CheckoutTransaction>, { name: wallet }: Wallet): string {
    const { texts, amount, locale, solRate } = this.#deps.data;
    if (step.at !== "confirming") return fill(texts[step.at], { wallet });
    const { fee, sponsored } = step.built;
    const later = BigInt(fee.recordLamports) - BigInt(fee.tombstoneLamports);
    const costs = { cost: fee.totalLamports, back: fee.vaultLamports, later: String(later) };
    const inWords = Object.entries(costs).map(([name, lamports]) => [name, solText(lamports, locale)]);
    const value = solRate === null ? null : worthOf({ locale }, solRate, BigInt(fee.totalLamports));
    const words = { ...Object.fromEntries(inWords), worth: value === null ? "" : fill(texts.costWorth, { value }) };
    say("cost", sponsored ? (texts.sponsored ?? "") : fill(texts.cost, words));
    say("cost-more", fill(texts.costMore, words));
    document.getElementById("why")?.toggleAttribute("hidden", sponsored);
    if (sponsored) return fill(texts.confirmFree, { wallet, amount });
    return fill(texts.confirmIn, { wallet, amount, cost: solText(fee.totalLamports, locale) });
  }
}

/** What the wallet signed, if the page has it, else what it got. */
const watchedBy = (
  step: Exclude<ActStep<CheckoutTransaction>, { readonly at: "connecting" | "preparing" }>,
): Watched => ({
  transaction: (step.at === "sending" ? step.signed : null) ?? step.built.transaction,
  payment: step.built.payment,
});

function say(id: string, text: string): void {
  const element = document.getElementById(id);
  if (element !== null) element.textContent = text;
}

function progress(text: string, tone: "info" | "bad"): void {
  const line = document.getElementById("progress");
  // If the button is gone, the buyer need not wait or go on.
  if (line === null || line.textContent === text) return;
  line.textContent = text;
  line.classList.toggle("bad", tone === "bad");
  announce(text);
}
