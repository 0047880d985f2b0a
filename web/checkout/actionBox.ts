import { otherWays, type WaysChoice } from "./actionWays.ts";
import { announce } from "./announce.ts";
import { element } from "./element.ts";

/** The contents of the box. Every text is ready to be shown. */
interface BoxContent {
  readonly title: string;
  readonly text: string;
  readonly isActing: boolean;
  /** The label of a field for the amount that is typed to confirm; null: none. */
  readonly typing: string | null;
  readonly needed: string;
  readonly wallets: readonly { readonly name: string; readonly icon: string; readonly label: string }[];
  readonly elsewhere: readonly string[];
  /** Said where no wallet was found. */
  readonly none: string;
}

interface BoxDeps {
  readonly onWallet: (name: string) => void;
  readonly onClose: () => void;
  readonly choice: () => WaysChoice;
}

/** The box `#action` below the button of an action. It lives on when the page's main part is replaced. */
export class ActionBox {
  readonly #root = element("section", { id: "action", className: "action" });
  readonly #title = element("h3", { id: "action-title", tabIndex: -1 });
  readonly #text = element("p", { className: "confirm" });
  readonly #typing = element("label", { className: "typing", hidden: true });
  readonly #typed = element("input", { id: "typed", autocomplete: "off", inputMode: "decimal", className: "num" });
  readonly #typingWords = element("span");
  readonly #needed = element("p", { className: "hint" });
  readonly #wallets = element("div", { className: "wallets" });
  readonly #progress = element("p", { id: "progress", className: "progress" });
  readonly #others = element("div", { className: "ways" });
  readonly #deps: BoxDeps;
  /** The button below which the box is. */
  #button: HTMLElement | null = null;
  #focused: Element | null = null;
  #drawn = "";

  constructor(texts: Readonly<Record<string, string>>, deps: BoxDeps) {
    this.#deps = deps;
    this.#typing.append(this.#typingWords, this.#typed);
    const cancel = element("button", { type: "button", id: "action-cancel", className: "quiet" });
    cancel.textContent = texts.cancel ?? "";
    cancel.addEventListener("click", () => deps.onClose());
    const parts = [this.#title, this.#text, this.#typing, this.#needed, this.#wallets, this.#progress, this.#others];
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
    this.#typed.value = "";
    this.progress("", "info");
    this.#others.replaceChildren(...otherWays(this.#deps.choice()));
    this.#place(button);
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
    const { title, text, isActing, typing, needed, wallets, elsewhere, none } = content;
    // A button that is made anew would lose the focus.
    const drawn = JSON.stringify(content);
    if (drawn === this.#drawn) return;
    this.#drawn = drawn;
    this.#title.textContent = title;
    this.#text.textContent = text;
    this.#typing.hidden = typing === null;
    this.#typingWords.textContent = typing ?? "";
    this.#needed.textContent = needed;
    const focused = (document.activeElement as HTMLElement | null)?.dataset?.wallet;
    this.#wallets.replaceChildren(
      ...wallets.map(({ name, icon, label }, at) => {
        const button = element("button", { type: "button", className: at === 0 ? "pay" : "" });
        button.dataset.wallet = name;
        button.ariaDisabled = String(isActing);
        button.append(iconOf(icon), label);
        return button;
      }),
      ...[...elsewhere, none].filter((words) => words !== "").map((words) => lineOf(words)),
    );
    const same = [...this.#wallets.children].find((one) => (one as HTMLElement).dataset.wallet === focused);
    if (focused !== undefined) (same as HTMLElement | undefined)?.focus();
  }

  /** Says that the amount is missing, and leads to its field. */
  askToType(words: string): void {
    this.progress(words, "bad");
    this.#typed.focus();
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

/** Only an image inside the wallet's own data is shown: the page loads none from elsewhere. */
function iconOf(icon: string): Node {
  if (!icon.startsWith("data:image/")) return new Text("");
  return element("img", { src: icon, alt: "", width: 20, height: 20 });
}

const lineOf = (words: string): HTMLElement => element("span", { textContent: words });
