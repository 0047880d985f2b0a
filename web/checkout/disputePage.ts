import { inOne } from "@holdfast/ui/amount.ts";
import { parseAmount, tokenText } from "./actionText.ts";
import { copyBy } from "./actionWays.ts";
import { announce } from "./announce.ts";
import type { ReceiptData } from "./data.ts";
import { type Draft, DraftStore, EMPTY_DRAFT } from "./draft.ts";
import { fill } from "./walletText.ts";

const SAVE_MS = 400;

/** The form of a dispute: keeps the buyer's text on this device, and copies it. Opening is an action like any other. */
export function openForm(data: ReceiptData): DisputeForm {
  return new DisputeForm(data);
}

class DisputeForm {
  #data: ReceiptData;
  readonly #store: DraftStore;
  #timer: ReturnType<typeof setTimeout> | undefined;
  /** True if the box in which a wallet signs was open when the state changed. */
  #isOpening = false;
  #focused: { readonly element: HTMLElement; readonly selection: readonly [number, number] | null } | null = null;

  constructor(data: ReceiptData) {
    this.#data = data;
    this.#store = new DraftStore(data.path);
    document.addEventListener("input", ({ target }) => {
      if (formOf(document)?.contains(target as Node)) this.#changed();
    });
    document.addEventListener("click", ({ target }) => {
      const button = target instanceof Element ? target.closest<HTMLElement>("[data-draft]") : null;
      if (button?.dataset.draft === "copy") void copyBy(button, this.#compose(), data.texts);
      if (button?.dataset.draft === "delete") this.#delete();
    });
    // A draft that another tab of this browser changed.
    addEventListener("storage", ({ key }) => {
      if (key !== this.#store.name) return;
      const kept = this.#store.load();
      if (kept === null) this.#clear();
      else this.#show(kept);
    });
    addEventListener("pagehide", () => this.#flush());
    this.#show(this.#store.load() ?? EMPTY_DRAFT);
  }

  /** Takes the form along into the page's next main part, so that nobody is interrupted while writing. */
  moveInto(next: HTMLElement, fresh: ReceiptData): void {
    this.#flush();
    this.#data = fresh;
    this.#isOpening = document.getElementById("action") !== null;
    const [present, coming] = [formOf(document), formOf(next)];
    if (present === null || coming === null) return;
    const active = document.activeElement;
    if (active instanceof HTMLElement && present.contains(active)) {
      const isText =
        active instanceof HTMLTextAreaElement || (active instanceof HTMLInputElement && active.type === "text");
      this.#focused = {
        element: active,
        selection: isText ? [active.selectionStart ?? 0, active.selectionEnd ?? 0] : null,
      };
    }
    // The amounts may be others, and the time to open a dispute over.
    present.querySelector(ALL)!.textContent = coming.querySelector(ALL)!.textContent;
    present.className = coming.className;
    coming.replaceWith(present);
  }

  moved(): void {
    // This tab opened the dispute, and the chain shows it: its words can be sent now, and nobody has read them.
    const toCase = this.#isOpening ? document.querySelector<HTMLAnchorElement>("#to-case") : null;
    if (toCase !== null) {
      location.assign(toCase.href);
      return;
    }
    const focused = this.#focused;
    this.#focused = null;
    focused?.element.focus();
    if (focused?.selection)
      (focused.element as HTMLTextAreaElement).setSelectionRange(focused.selection[0], focused.selection[1]);
    // The text around the form may be new.
    this.#describe(this.#read());
  }

  #changed(): void {
    this.#describe(this.#read());
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#flush(), SAVE_MS);
  }

  /** Saves what was typed since the last time. */
  #flush(): void {
    if (this.#timer === undefined) return;
    clearTimeout(this.#timer);
    this.#timer = undefined;
    if (formOf(document) === null) return;
    const { texts, locale } = this.#data;
    const isSaved = this.#store.save(this.#read());
    const time = new Intl.DateTimeFormat(locale, { hour: "2-digit", minute: "2-digit" }).format(new Date());
    write("draft-status", isSaved ? fill(texts.saved, { time }) : (texts.notSaved ?? ""));
    document.body.classList.toggle("has-draft", true);
  }

  #read(): Draft {
    const value = (id: string) =>
      (document.getElementById(id) as HTMLTextAreaElement | HTMLInputElement | null)?.value ?? "";
    const chosen = (name: string) =>
      document.querySelector<HTMLInputElement>(`input[name="${name}"]:checked`)?.value ?? "";
    return {
      reason: chosen("reason"),
      text: value("text"),
      want: chosen("want") === "part" ? "part" : "all",
      part: value("part"),
    };
  }

  /** Shows a draft in the form, but leaves alone the field that somebody writes in, unless the draft was deleted. */
  #show(draft: Draft, isDeleted = false): void {
    for (const id of ["text", "part"] as const) {
      const field = document.getElementById(id) as HTMLTextAreaElement | HTMLInputElement | null;
      const isFree = field !== document.activeElement || isDeleted;
      if (field !== null && isFree && field.value !== draft[id]) field.value = draft[id];
    }
    for (const name of ["reason", "want"] as const)
      for (const radio of document.querySelectorAll<HTMLInputElement>(`input[name="${name}"]`))
        radio.checked = radio.value === draft[name];
    this.#describe(draft);
  }

  /** Says how long the text is, and what the wish means in amounts. */
  #describe({ text, want, part, reason }: Draft): void {
    const { texts, locale, payment } = this.#data;
    write("text-count", fill(texts.count, { count: new Intl.NumberFormat(locale).format(text.length) }));
    document.body.classList.toggle("has-draft", text !== "" || reason !== "" || part !== "");
    const amount = parseAmount(part, this.#data);
    const left = BigInt(payment.amount) - BigInt(payment.refundTotal);
    const isFit = amount !== null && amount > 0n && amount <= left;
    const inWords = (value: bigint) => inOne(tokenText(this.#data, value.toString()));
    const hint =
      want === "all" || part.trim() === ""
        ? ""
        : isFit
          ? fill(texts.partHint, { part: inWords(amount), rest: inWords(left - amount) })
          : fill(texts.partWrong, { amount: inWords(left) });
    write("part-hint", hint);
    document
      .getElementById("part")
      ?.setAttribute("aria-invalid", String(want === "part" && part.trim() !== "" && !isFit));
  }

  /** The draft as a text that the shop understands without this page. */
  #compose(): string {
    const { texts, amount, payment } = this.#data;
    const { reason, text, want, part } = this.#read();
    const label = document.querySelector(`input[name="reason"][value="${CSS.escape(reason)}"]`)?.parentElement;
    const left = BigInt(payment.amount) - BigInt(payment.refundTotal);
    const parsed = want === "all" ? left : parseAmount(part, this.#data);
    const wanted = parsed === null ? part : inOne(tokenText(this.#data, parsed.toString()));
    return [
      fill(texts.copyPayment, { amount, payment: payment.address }),
      ...(label ? [fill(texts.copyReason, { reason: label.querySelector("b")?.textContent ?? "" })] : []),
      fill(texts.copyWanted, { wanted }),
      ...(text === "" ? [] : ["", text]),
    ].join("\n");
  }

  /** Empties the form: what is deleted stays in no tab, and is not saved again. */
  #clear(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#show(EMPTY_DRAFT, true);
  }

  #delete(): void {
    this.#store.remove();
    this.#clear();
    write("draft-status", this.#data.texts.deleted ?? "");
    announce(this.#data.texts.deleted ?? "");
    document.getElementById("text")?.focus();
  }
}

export type { DisputeForm };

/** The label of the wish for everything, which names the amount. */
const ALL = 'input[value="all"] + b';

const formOf = (root: Document | HTMLElement): HTMLElement | null => root.querySelector<HTMLElement>("#draft");

function write(id: string, text: string): void {
  const element = document.getElementById(id);
  if (element !== null && element.textContent !== text) element.textContent = text;
}
