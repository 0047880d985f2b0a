import { inOne } from "@holdfast/ui/amount.ts";
import { endingOf } from "@holdfast/wallet/act.ts";
import type { ProofBody } from "@holdfast/wallet/signProof.ts";
import type { Wallet } from "@holdfast/wallet/wallet.ts";
import { findWallets } from "@holdfast/wallet/walletStandard.ts";
import { parseAmount, releasedBy, tokenText } from "./actionText.ts";
import { announce } from "./announce.ts";
import { keepAddress, openAddress } from "./caseAddress.ts";
import { keepFiles, openFiles } from "./caseFiles.ts";
import type { CaseData, ReceiptData } from "./data.ts";
import { DraftStore } from "./draft.ts";
import { element } from "./element.ts";
import { askMemo, proveBy, type WantedProof } from "./proof.ts";
import type { Posts } from "./schema.ts";
import { sendForm } from "./sendForm.ts";
import { type Place, RefusedError } from "./service.ts";
import { keep, kept } from "./storage.ts";
import { endText, fill } from "./walletText.ts";

/** Only the page of the proof has it. */
const PROOF = 'id="prove"';
const OFFER_MS = 7 * 86_400_000;
const CASE = "/pay/p/{payment}/case";
type Reason = Posts[`${typeof CASE}/opening`]["body"]["reason"];
/** Fields that keep what is typed while the rest of the page is replaced. */
const KEPT = ["text", "want", "offer-amount", "offer-text"] as const;

/** Runs the case of a payment: the proof first, then what the person writes, offers, accepts and signs. */
export function openCase(data: CaseData, deps: CasePageDeps): CasePage {
  return new CasePage(data, deps);
}

interface CasePageDeps {
  /** The page's own wallets, which load separately. */
  readonly loading: Promise<unknown>;
  /** Fetches the state at once. */
  readonly poll: () => Promise<void>;
}

class CasePage {
  #data: CaseData;
  #wallets: readonly Wallet[] = [];
  readonly #deps: CasePageDeps;
  readonly #draft: DraftStore;
  #isBusy = false;
  /** The next step once a wallet is chosen. */
  #choose: ((wallet: Wallet) => void) | null = null;
  #memoNonce: string | null = null;
  /** The wallet that proved itself in this tab. */
  #walletName: string | null = null;
  #focused: string | null = null;

  constructor(data: CaseData, deps: CasePageDeps) {
    this.#data = data;
    this.#deps = deps;
    openAddress(data);
    openFiles(data);
    this.#draft = new DraftStore(data.path);
    this.#walletName = kept("sessionStorage", this.#walletKey);
    findWallets(data.cluster, ({ here }) => {
      this.#wallets = here;
      this.#drawWallets();
    });
    void deps.loading.then(() => this.#drawWallets());
    document.addEventListener("click", ({ target }) => {
      const button = target instanceof Element ? target.closest<HTMLElement>("[data-case], [data-with]") : null;
      if (button !== null && !this.#isBusy) this.#press(button);
    });
    document.addEventListener("submit", (event) => {
      const form = event.target instanceof HTMLFormElement ? event.target : null;
      if (form?.dataset.form === undefined) return;
      event.preventDefault();
      if (!this.#isBusy) void this.#send(form.dataset.form);
    });
    document.addEventListener("input", ({ target }) => {
      if (target instanceof HTMLElement && target.closest("#case-forms") !== null) this.#keep();
    });
    this.#memoNonce = kept("localStorage", this.#memoKey);
    const memo = document.getElementById("memo");
    if (memo !== null && this.#memoNonce !== null) memo.hidden = false;
    this.#fill();
    this.#drawWallets();
    // What was written on this device is the next thing to send.
    if (document.getElementById("want") !== null && textOf("text") !== "")
      document.getElementById("text")?.scrollIntoView({ block: "center" });
    if (!data.isProven) void this.#findSession();
  }

  readonly #now = (): number => Date.now() + this.#data.aheadMs;

  get #memoKey(): string {
    return `holdfast memo ${this.#data.path}`;
  }

  get #walletKey(): string {
    return `holdfast wallet ${this.#data.path}`;
  }

  /** A link from another site brings no cookie, but a request of the page itself does. It goes there once in a tab. */
  async #findSession(): Promise<void> {
    const key = `holdfast case ${this.#data.path}`;
    if (kept("sessionStorage", key) !== null) return;
    const text = await fetch(location.pathname + location.search).then(
      (answer) => answer.text(),
      () => PROOF, // The network is down: the page stays as it is.
    );
    if (text.includes(PROOF)) return;
    keep("sessionStorage", key, "opened");
    location.assign(location.pathname + location.search);
  }

  moveInto(next: HTMLElement, fresh: ReceiptData): void {
    this.#data = fresh as CaseData;
    const focused = document.activeElement;
    const isInPart = [keepAddress(next), keepFiles(next)].includes(true);
    const [present, coming] = ["#case-forms", "#case-forms"].map((selector, at) =>
      (at === 0 ? document : next).querySelector<HTMLElement>(selector),
    ) as [HTMLElement | null, HTMLElement | null];
    const isInForm = isInPart || present?.contains(focused);
    this.#focused = isInForm ? (focused?.id ?? null) : null;
    if (present === null || coming === null) return;
    for (const id of KEPT) {
      const [from, to] = [present, coming].map((root) => root.querySelector<HTMLInputElement>(`#${id}`));
      if (from && to) to.value = from.value;
    }
    const chosen = present.querySelector<HTMLInputElement>("input[name=reason]:checked")?.value;
    const same = coming.querySelector<HTMLInputElement>(`input[name=reason][value="${CSS.escape(chosen ?? "")}"]`);
    if (same !== null) same.checked = true;
    for (const part of [".offering", ".asking"]) {
      const [was, is] = [present, coming].map((root) => root.querySelector<HTMLDetailsElement>(part));
      if (was && is) is.open = was.open;
    }
  }

  moved(): void {
    if (this.#focused) document.getElementById(this.#focused)?.focus();
    this.#focused = null;
    this.#drawWallets();
  }

  /** Fills the opening from the draft that the form of the dispute kept on this device. */
  #fill(): void {
    const kept = this.#draft.load();
    if (kept === null) return;
    const set = (id: string, value: string) => {
      const field = document.getElementById(id) as HTMLInputElement | null;
      if (field !== null) field.value = value;
    };
    set("text", kept.text);
    const isOpening = document.getElementById("want") !== null;
    if (!isOpening) return;
    set("want", kept.want === "part" ? kept.part : tokenText(this.#data, releasedBy(this.#data)).figure);
    const radio = document.querySelector<HTMLInputElement>(`input[name="reason"][value="${CSS.escape(kept.reason)}"]`);
    if (radio !== null) radio.checked = true;
  }

  #keep(): void {
    const part = textOf("want");
    this.#draft.save({
      reason: document.querySelector<HTMLInputElement>("input[name=reason]:checked")?.value ?? "",
      ...{ text: textOf("text"), want: part === "" ? "all" : "part", part },
    });
  }

  #say(text: string, tone: "info" | "bad" = "info"): void {
    const status = document.getElementById("case-status") ?? document.getElementById("prove-status");
    if (status !== null) {
      status.textContent = text;
      status.classList.toggle("bad", tone === "bad");
    }
    announce(text);
  }

  /** The wallets of this browser: for the proof, or below the button that needs one. */
  #drawWallets(): void {
    const root = document.getElementById("prove") ?? document.getElementById("case-wallets");
    if (root === null) return;
    const { texts } = this.#data;
    if (root.id === "case-wallets") root.hidden = this.#choose === null;
    if (root.id === "case-wallets" && this.#choose === null) return;
    const buttons = this.#wallets.map(({ name }, at) => {
      const button = element("button", { type: "button", className: at === 0 ? "pay" : "" });
      button.dataset.with = name;
      button.textContent = fill(texts.proveWith, { wallet: name });
      return button;
    });
    const status = root.querySelector("#prove-status") ?? element("p", { id: "prove-status", className: "progress" });
    const wallets = element("div", { className: "wallets" });
    wallets.append(...buttons);
    if (buttons.length === 0) wallets.append(element("span", { textContent: texts.noWallet ?? "" }));
    root.replaceChildren(...(root.id === "prove" ? [wallets, status] : [wallets]));
  }

  #press(button: HTMLElement): void {
    const { case: act, offer = "", session = "", with: name } = button.dataset;
    if (name !== undefined) {
      const wallet = this.#wallets.find((one) => one.name === name);
      if (wallet !== undefined) (this.#choose ?? ((one) => void this.#prove(one)))(wallet);
      return;
    }
    switch (act) {
      case "accept":
        this.#withWallet((wallet) => void this.#accept(wallet, offer));
        return;
      case "decline":
      case "withdraw":
        return void this.#post(`${CASE}/offers/{offer}/${act}`, { offer }, {});
      case "ask":
        return void this.#post(`${CASE}/ask-arbiter`, {}, {});
      case "end":
        return void this.#post(`${CASE}/sessions/{session}/end`, { session }, {}).then(
          (isDone) => isDone && location.reload(),
        );
      case "memo":
        return void this.#showMemo();
      case "landed":
        return void this.#openSession({ nonce: this.#memoNonce ?? "", landed: textOf("landed").trim() });
    }
  }

  /** Goes on with the only wallet, or with the one that proved itself here, or lets the person choose. */
  #withWallet(next: (wallet: Wallet) => void): void {
    const [first, ...others] = this.#wallets;
    const known =
      this.#wallets.find(({ name }) => name === this.#walletName) ?? (others.length === 0 ? first : undefined);
    if (known !== undefined) {
      next(known);
      return;
    }
    this.#choose = (wallet) => {
      this.#choose = null;
      this.#drawWallets();
      next(wallet);
    };
    this.#drawWallets();
    this.#say(this.#data.texts.chooseWallet ?? "");
  }

  /** Runs one step at a time, and says what the service or the wallet refused. */
  async #busy<Result>(work: () => Promise<Result>): Promise<Result | null> {
    this.#isBusy = true;
    try {
      return await work();
    } catch (error) {
      this.#say(endText(this.#data.texts, endingOf(error), ""), "bad");
      // The session has ended, and with it the page.
      if (error instanceof RefusedError && error.code === "proof_needed") void this.#deps.poll();
      return null;
    } finally {
      this.#isBusy = false;
    }
  }

  async #post<Route extends keyof Posts>(
    route: Route,
    names: Omit<Place<Route>, "path">,
    body: Posts[Route]["body"],
  ): Promise<boolean> {
    const isDone = await this.#busy(async () => {
      await sendForm(route, { path: this.#data.path, ...names } as Place<Route>, body);
      return true;
    });
    if (isDone !== null) this.#say(this.#data.texts.done ?? "");
    return isDone !== null;
  }

  /** Lets the wallet sign; null, with the text for it, if it did not. */
  async #signed(wallet: Wallet, wanted: WantedProof): Promise<ProofBody | null> {
    const { texts } = this.#data;
    const text = wanted.act === "open_session" ? texts.proving : texts.binding;
    this.#say(fill(text, { wallet: wallet.name }));
    const ending = await this.#busy(() => proveBy(this.#data, wallet, wanted));
    if (ending === null || ending.kind === "proven") return ending?.body ?? null;
    this.#say(endText(texts, ending, wallet.name), "bad");
    return null;
  }

  async #prove(wallet: Wallet): Promise<void> {
    this.#walletName = wallet.name;
    const body = await this.#signed(wallet, { act: "open_session" });
    if (body !== null) await this.#openSession(body);
  }

  async #openSession(body: ProofBody): Promise<void> {
    this.#say(this.#data.texts.checking ?? "");
    if (!(await this.#post(`${CASE}/session`, {}, body))) return;
    keep("sessionStorage", this.#walletKey, this.#walletName);
    location.reload();
  }

  async #showMemo(): Promise<void> {
    const memo = await this.#busy(() => askMemo(this.#data));
    if (memo === null) return;
    this.#memoNonce = memo.nonce;
    // Its signers may take days: the signature is entered in another visit.
    keep("localStorage", this.#memoKey, memo.nonce);
    const set = (id: string, value: string) => {
      (document.getElementById(id) as HTMLTextAreaElement).value = value;
    };
    set("memo-text", memo.text);
    set("memo-plain", JSON.stringify(memo.instructions, null, 2));
    document.getElementById("memo")!.hidden = false;
  }

  async #send(form: string): Promise<void> {
    const { texts } = this.#data;
    const text = textOf("text");
    if (form !== "offer" && text.trim() === "") return this.#say(texts.textMissing ?? "", "bad");
    if (form === "statement") {
      if (await this.#post(`${CASE}/statements`, {}, { text })) this.#clear("text");
      return;
    }
    const typed = parseAmount(textOf(form === "opening" ? "want" : "offer-amount"), this.#data);
    const { amount: all, refundTotal } = this.#data.payment;
    // The buyer asks for more than is bound already, and offers a total.
    const total = typed === null || form === "offer" ? typed : typed + BigInt(refundTotal);
    if (total === null || total > BigInt(all)) {
      const most = form === "offer" ? all : releasedBy(this.#data);
      const amount = inOne(tokenText(this.#data, most));
      return this.#say(fill(texts.amountWrong, { amount }), "bad");
    }
    if (form === "offer") return this.#withWallet((wallet) => void this.#offer(wallet, total.toString()));
    const reason = document.querySelector<HTMLInputElement>("input[name=reason]:checked")?.value as Reason | undefined;
    if (reason === undefined) return this.#say(texts.reasonMissing ?? "", "bad");
    const opening = { reason, requestedTotal: total.toString(), text };
    if (await this.#post(`${CASE}/opening`, {}, opening)) this.#clear("text", "want");
  }

  /** What was sent is no draft any more. */
  #clear(...ids: readonly string[]): void {
    this.#draft.remove();
    for (const id of ids) {
      const field = document.getElementById(id) as HTMLInputElement | null;
      if (field !== null) field.value = "";
    }
  }

  async #offer(wallet: Wallet, total: string): Promise<void> {
    // The text that is signed has whole seconds.
    const endsAt = Math.min(this.#now() + OFFER_MS, this.#data.resolveBy ?? Number.POSITIVE_INFINITY);
    const until = new Date(Math.floor(endsAt / 1_000) * 1_000).toISOString();
    const body = await this.#signed(wallet, { act: "offer", total, until });
    const text = textOf("offer-text");
    if (body === null || !(await this.#post(`${CASE}/offers`, {}, { ...body, total, until, text }))) return;
    this.#clear("offer-amount", "offer-text");
    const form = document.querySelector<HTMLDetailsElement>(".offering");
    if (form === null) return;
    form.open = false;
    form.querySelector("summary")?.focus();
  }

  async #accept(wallet: Wallet, id: string): Promise<void> {
    const offer = this.#data.offers.find((one) => one.id === id);
    if (offer === undefined) return;
    const body = await this.#signed(wallet, { act: "accept_offer", offer: id, total: offer.total, until: offer.until });
    if (body !== null) await this.#post(`${CASE}/offers/{offer}/accept`, { offer: id }, body);
  }
}

export type { CasePage };

const textOf = (id: string): string =>
  (document.getElementById(id) as HTMLInputElement | HTMLTextAreaElement | null)?.value ?? "";
