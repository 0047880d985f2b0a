import type { Wallet } from "@holdfast/wallet/wallet.ts";
import type { ShownChoice } from "./action.ts";
import { otherWays } from "./actionWays.ts";
import { announce } from "./announce.ts";
import { element } from "./element.ts";
import { walletButton } from "./ownWallets.ts";

/** The contents of the box. Every text is ready to be shown. */
interface BoxContent {
  readonly title: string;
  readonly text: string;
  readonly isActing: boolean;
  /** The label of a field for the amount that is typed to confirm; null: none. */
  readonly typing: string | null;
  readonly needed: string;
  readonly wallets: readonly { readonly wallet: Wallet; readonly label: string }[];
  readonly elsewhere: readonly string[];
  /** False: the ways without a wallet of this browser are not offered yet. */
  readonly hasOthers: boolean;
  /** Said where no wallet was found. */
  readonly none: string;
}

interface BoxDeps {
  readonly onWallet: (name: string) => void;
  readonly onClose: () => void;
  /** The amount that confirms was changed. */
  readonly onTyped: () => void;
  readonly choice: () => ShownChoice;
}

/** The box `#action` below the button of an action. It lives on when the page's main part is replaced. */
export class ActionBox {
  readonly #root = element("section", { id: "action", className: "action" });
  readonly #title = element("h3", { id: "action-title", tabIndex: -1 });
  readonly #text = element("p", { className: "confirm" });
  readonly #typing = element("label", { className: "typing", hidden: true });
  readonly #typed = element("input", { id: "typed", autocomplete: "off", inputMode: "decimal", className: "num" });
  readonly #typingText = element("span");
  readonly #needed = element("p", { className: "hint" });
  readonly #wallets = element("div", { className: "wallets" });
  readonly #progress = element("p", { id: "progress", className: "progress" });
  readonly #left = element("p", { className: "hint num" });
  readonly #others = element("div", { className: "ways" });
  readonly #deps: BoxDeps;
  /** The button below which the box is. */
  #button: HTMLElement | null = null;
  #focused: Element | null = null;
  #listed = "";

  constructor(texts: Readonly<Record<string, string>>, deps: BoxDeps) {
    this.#deps = deps;
    this.#typing.append(this.#typingText, this.#typed);
    this.#typed.addEventListener("input", () => deps.onTyped());
    const cancel = element("button", { type: "button", id: "action-cancel", className: "quiet" });
    cancel.textContent = texts.cancel ?? "";
    cancel.addEventListener("click", () => deps.onClose());
    const parts = [
      this.#title,
      this.#text,
      this.#typing,
      this.#needed,
      this.#wallets,
      this.#progress,
      this.#left,
      this.#others,
    ];
    this.#root.append(...parts, cancel);
    this.#root.setAttribute("aria-labelledby", this.#title.id);
    this.#root.addEventListener("keydown", ({ key }) => {
      if (key === "Escape") deps.onClose();
    });
    this.#wallets.addEventListener("click", ({ target }) => {
      const button = target instanceof Element ? target.closest<HTMLElement>("[data-wallet]") : null;
      if (button !== null && button.ariaDisabled !== "true") deps.onWallet(button.dataset.wallet!);
    });
  }

  /** The text in the field for the amount. */
  get typed(): string {
    return this.#typed.value;
  }

  openBelow(button: HTMLElement): void {
    this.progress("", "info");
    this.#others.replaceChildren(...otherWays(this.#deps.choice));
    this.#place(button);
  }

  focus(): void {
    this.#title.focus();
  }

  /** Goes below the same button of another version of the page. */
  moveBelow(button: HTMLElement): void {
    this.#focused = this.#root.contains(document.activeElement) ? document.activeElement : null;
    this.#place(button);
  }

  refocus(): void {
    if (this.#focused instanceof HTMLElement && this.#root.isConnected) this.#focused.focus();
    this.#focused = null;
  }

  close(givesFocus: boolean): void {
    const button = this.#button;
    button?.setAttribute("aria-expanded", "false");
    this.#button = null;
    this.#typed.value = "";
    // The heading of the new state takes the focus from a box that ends with the old one.
    if (givesFocus || !this.#root.contains(document.activeElement)) this.#root.remove();
    if (givesFocus) button?.focus();
  }

  #place(button: HTMLElement): void {
    this.#button = button;
    button.setAttribute("aria-expanded", "true");
    button.setAttribute("aria-controls", this.#root.id);
    // The page keeps a place for readers without a script.
    for (const other of button.closest("main")?.querySelectorAll(`#${this.#root.id}`) ?? [])
      if (other !== this.#root) other.remove();
    button.after(this.#root);
  }

  draw(content: BoxContent): void {
    const { title, text, isActing, typing, needed, wallets, elsewhere, hasOthers, none } = content;
    this.#title.textContent = title;
    this.#text.textContent = text;
    this.#typing.hidden = typing === null;
    this.#typingText.textContent = typing ?? "";
    this.#needed.textContent = needed;
    this.#others.hidden = !hasOthers;
    // A button that is made anew loses the focus, so it is made only where another wallet came.
    const listed = JSON.stringify([wallets.map(({ wallet, label }) => [wallet.name, label]), elsewhere, none]);
    if (listed !== this.#listed) this.#list(content);
    this.#listed = listed;
    for (const button of this.#wallets.querySelectorAll("button")) button.ariaDisabled = String(isActing);
  }

  #list({ wallets, elsewhere, none }: BoxContent): void {
    const focused = this.#focused ?? document.activeElement;
    const name = focused instanceof HTMLElement ? focused.dataset.wallet : undefined;
    const buttons = wallets.map(({ wallet, label }) => walletButton(wallet, label));
    buttons[0]?.classList.add("pay");
    const texts = [...elsewhere, none].filter((text) => text !== "");
    const lines = texts.map((textContent) => element("span", { textContent }));
    this.#wallets.replaceChildren(...buttons, ...lines);
    const same = buttons.find(({ dataset }) => dataset.wallet === name);
    if (name === undefined || same === undefined) return;
    if (this.#focused === null) same.focus();
    else this.#focused = same;
  }

  /** Says that the amount is missing, and leads to its field. */
  askToType(text: string): void {
    this.progress(text, "bad");
    this.#typed.focus();
  }

  /** Says how long the network takes what the wallet is asked for. */
  sayLeft(text: string): void {
    this.#left.textContent = text;
  }

  progress(text: string, tone: "info" | "bad"): void {
    if (this.#progress.textContent === text) return;
    this.#progress.textContent = text;
    this.#progress.classList.toggle("bad", tone === "bad");
    if (this.#root.isConnected) announce(text);
  }

  /** Takes a text away, if it is still the one shown. */
  endProgress(text: string): void {
    if (this.#progress.textContent === text) this.progress("", "info");
  }
}
