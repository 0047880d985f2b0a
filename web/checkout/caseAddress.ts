import { announce } from "./announce.ts";
import type { CaseData } from "./data.ts";
import { sendForm } from "./sendForm.ts";
import { RefusedError } from "./service.ts";
import { keep, kept } from "./storage.ts";

const ADDRESS = "/pay/p/{payment}/case/address";

/** The buyer's address for emails about the case: entered, confirmed by the link of an email, and removed. */
export function openAddress(data: CaseData): void {
  const { path, texts, isProven } = data;
  const key = `holdfast confirm ${path}`;
  const secret = /^#confirm=([\w-]+)$/.exec(location.hash)?.[1];
  if (secret !== undefined) {
    // A link from a mail program brings no session: the page is opened once more, or the wallet proves itself first.
    // Where a browser blocks storage, the link confirms only in a browser with a session.
    keep("sessionStorage", key, secret);
    history.replaceState(null, "", location.pathname + location.search);
  }
  const say = (text: string) => {
    const status = document.getElementById("address-status");
    if (status !== null) status.textContent = text;
    announce(text);
  };
  const isDone = async (sending: Promise<void>): Promise<boolean> => {
    try {
      await sending;
      return true;
    } catch (error) {
      if (!(error instanceof RefusedError)) throw error;
      say(error.message);
      return false;
    }
  };
  const reload = (isChanged: boolean) => isChanged && location.reload();
  document.addEventListener("submit", (event) => {
    if (!(event.target instanceof HTMLFormElement) || event.target.id !== "address-form") return;
    event.preventDefault();
    const email = (document.getElementById("email") as HTMLInputElement).value;
    void isDone(sendForm(ADDRESS, data, { email })).then(reload);
  });
  document.addEventListener("click", ({ target }) => {
    if (target instanceof Element && target.closest("[data-address]") !== null)
      void isDone(sendForm(`${ADDRESS}/remove`, data, {})).then(reload);
  });
  const code = kept("sessionStorage", key);
  if (!isProven || code === null) return;
  keep("sessionStorage", key, null);
  void isDone(sendForm(`${ADDRESS}/confirm`, data, { code })).then((isConfirmed) => {
    if (!isConfirmed) return;
    const text = document.querySelector("#emails p + p");
    document.getElementById("nobody-writes")?.remove();
    if (text?.firstChild) text.firstChild.textContent = `${texts.emailConfirmed} `;
    say(texts.emailConfirmed ?? "");
  });
}

/** Keeps what is typed while the rest of the page is replaced. Returns true if it is being typed. */
export function keepAddress(next: HTMLElement): boolean {
  const [from, to] = [document, next].map((root) => root.querySelector<HTMLInputElement>("#email"));
  if (!from || !to) return false;
  to.value = from.value;
  const [was, is] = [from, to].map((field) => field.closest("details"));
  if (was && is) is.open = was.open;
  return from === document.activeElement;
}
