import { worthOf } from "@holdfast/ui/worth.ts";
import { followLife, type TransactionLife } from "@holdfast/wallet/life.ts";
import type { Wallet } from "@holdfast/wallet/wallet.ts";
import { findWallets } from "@holdfast/wallet/walletStandard.ts";
import { announce } from "./announce.ts";
import type { PageData } from "./data.ts";
import { Doubt, type Watched } from "./doubt.ts";
import { type Ending, payBy, type Step } from "./payment.ts";
import { callService } from "./service.ts";
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

/** A message to other tabs of this browser that show the same payment. */
type TabMessage = "paying" | "sent" | "stopped";
/** The page waits this long for the announcement of a wallet before it says that there is none. */
const SEARCH_MS = 800;

/** The buttons of the waiting page: one wallet first, the others folded, and one payment at a time in all tabs. */
export class PayPanel {
  readonly #deps: PayPanelDeps;
  readonly #tabs: BroadcastChannel;
  readonly #doubt: Doubt;
  #wallets: readonly Wallet[] = [];
  #elsewhere: readonly Wallet[] = [];
  #arbiter: string | null;
  #isPaying = false;
  #isSearching = true;
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
    this.#tabs = new BroadcastChannel(`holdfast ${deps.data.path}`);
    this.#tabs.onmessage = ({ data }: MessageEvent<TabMessage>) => this.#hear(data);
    addEventListener("pagehide", () => {
      if (this.#isPaying) this.#tabs.postMessage("stopped" satisfies TabMessage);
    });
    document.addEventListener("click", ({ target }) => {
      const button = target instanceof Element ? target.closest<HTMLElement>("[data-wallet]") : null;
      const wallet = this.#wallets.find(({ name }) => name === button?.dataset.wallet);
      if (wallet !== undefined) void this.#press(wallet);
    });
    findWallets(deps.data.cluster, ({ here, elsewhere }) => {
      this.#wallets = here;
      this.#elsewhere = elsewhere;
      this.draw();
    });
    const searched = new Promise((resolve) => setTimeout(resolve, SEARCH_MS));
    void Promise.allSettled([searched, deps.loading]).then(() => {
      this.#isSearching = false;
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
    const [first, ...others] = this.#wallets;
    if (first !== undefined) {
      button.dataset.wallet = first.name;
      button.replaceChildren(iconOf(first), fill(texts[this.#label], { wallet: first.name }));
      if (this.#deps.data.demo && first.name === texts.demo) say("hint", texts.demoHint ?? "");
      document.querySelector(".injected")?.classList.add("found");
    } else if (!this.#isSearching) {
      const [wrong] = this.#elsewhere;
      button.textContent = fill(wrong ? texts.walletElsewhere : texts.noWallet, { wallet: wrong?.name ?? "" });
      say("hint", (wrong ? texts.walletElsewhereHint : texts.noWalletHint) ?? "");
    }
    button.classList.toggle("quiet", this.#doubt.isOpen && !this.#isPaying);
    button.ariaDisabled = String((first === undefined && !this.#isSearching) || this.#isPaying);
    const wrong = this.#elsewhere.map(({ name }) => fill(texts.walletElsewhere, { wallet: name }));
    list.replaceChildren(...others.map((wallet) => rowOf(wallet)), ...wrong.map((text) => lineOf(text)));
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
  async #press(wallet: Wallet): Promise<void> {
    if (this.#isPaying) return;
    const needsWarning = this.#mayBePaid && !this.#isWarned;
    this.#isWarned = needsWarning;
    if (!needsWarning) return this.#pay(wallet);
    this.draw();
    progress(this.#deps.data.texts.mayBePaid ?? "", "bad");
  }

  async #pay(wallet: Wallet): Promise<void> {
    const { data, poll, reload } = this.#deps;
    this.#ended = null;
    this.#isSent = false;
    this.#isSentLate = false;
    this.#setPaying(true);
    const wasInDoubt = this.#doubt.isOpen;
    let watched: Watched | null = null;
    let end: (ending: { readonly kind: "too_late" }) => void = () => {};
    const tooLate = new Promise<{ readonly kind: "too_late" }>((resolve) => {
      end = resolve;
    });
    const ending = await payBy({
      data,
      wallet,
      arbiter: this.#arbiter,
      tooLate,
      onStep: (step) => {
        if ("watched" in step) watched = step.watched;
        if (step.at === "confirming" && step.walletSends) this.#doubt.begin(step.watched);
        if (step.at === "confirming") this.#follow(step.watched, "left", () => end({ kind: "too_late" }));
        else this.#unfollow();
        progress(this.#stepText(step, wallet), "info");
      },
      onArbiter: (arbiter) => {
        this.#arbiter = arbiter;
      },
      onLate: (late) => this.#followLate(late),
    });
    const isOpen = ending.kind === "sent" || ending.kind === "unknown";
    if (isOpen) this.#doubt.begin(watched!);
    else if (!this.#isSentLate && (ending.kind === "too_late" || !wasInDoubt)) this.#doubt.end();
    if (ending.kind === "too_late") this.#ended = data.texts.tooLate ?? "";
    this.#isSent = ending.kind === "sent";
    this.#followDoubt();
    this.#setPaying(false, ending);
    if (ending.kind === "arbiter_changed") await reload();
    else await poll();
    const isGood = ending.kind === "sent";
    // "Nothing was paid" is true only for this attempt.
    const isOfThisTry = this.#doubt.isOpen && !isOpen;
    const earlier = isOfThisTry ? ` ${data.texts.earlierTry}` : "";
    progress(`${this.#endText(ending, wallet)}${earlier}`, isGood ? "info" : "bad");
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
    this.#follow(watched, "leftInDoubt", (status) => {
      const { texts } = this.#deps.data;
      this.#doubt.end();
      this.#ended = (status === "ended" ? texts.notArrived : texts.failed) ?? "";
      this.draw();
    });
  }

  #follow(watched: Watched, text: "left" | "leftInDoubt", onEnd: (status: "failed" | "ended") => void): void {
    const { texts, path } = this.#deps.data;
    const sayLeft = (seconds: number | null) =>
      say("life", seconds === null ? "" : fill(texts[text], { seconds: String(seconds) }));
    const stop = followLife({
      ask: () => callService<TransactionLife>(`${path}/life`, watched),
      onLeft: sayLeft,
      onEnd: (status) => {
        sayLeft(null);
        onEnd(status);
      },
    });
    this.#unfollow = () => {
      stop();
      sayLeft(null);
    };
  }

  #setPaying(isPaying: boolean, ending?: Ending): void {
    this.#isPaying = isPaying;
    this.#tabs.postMessage((isPaying ? "paying" : ending?.kind === "sent" ? "sent" : "stopped") satisfies TabMessage);
    this.draw();
  }

  #hear(message: TabMessage): void {
    if (!this.#isPaying) {
      if (message === "paying") {
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

  #stepText(step: Step, { name: wallet }: Wallet): string {
    const { texts, amount, locale, solRate } = this.#deps.data;
    if (step.at !== "confirming") return fill(texts[step.at], { wallet });
    const { fee, sponsored } = step;
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

  #endText(ending: Ending, { name: wallet }: Wallet): string {
    const { texts } = this.#deps.data;
    switch (ending.kind) {
      case "sent":
        return texts.sent ?? "";
      case "arbiter_changed":
        return texts.arbiterChanged ?? "";
      default:
        return endText(texts, ending, wallet);
    }
  }
}

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

/** Only an image inside the wallet's own data is shown: the page loads none from elsewhere. */
function iconOf({ icon }: Wallet): Node {
  if (!icon.startsWith("data:image/")) return new Text("");
  const image = new Image(20, 20);
  image.src = icon;
  image.alt = "";
  return image;
}

function lineOf(text: string): HTMLElement {
  const line = document.createElement("span");
  line.textContent = text;
  return line;
}

function rowOf(wallet: Wallet): HTMLElement {
  const row = document.createElement("button");
  row.type = "button";
  row.dataset.wallet = wallet.name;
  row.replaceChildren(iconOf(wallet), wallet.name);
  return row;
}
