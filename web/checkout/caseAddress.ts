import { announce } from "./announce.ts";
import type { CaseData } from "./data.ts";
import { sendForm } from "./sendForm.ts";
import { RefusedError } from "./service.ts";
import { keep, kept } from "./storage.ts";

/** The buyer's address for emails about the case: entered, confirmed by the link of an email, and removed. */
export function openAddress({ path, texts, isProven }: CaseData): void {
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
  const post = async (route: string, body: object): Promise<boolean> => {
    try {
      await sendForm(`${path}/case/address${route}`, body);
      return true;
    } catch (error) {
      if (!(error instanceof RefusedError)) throw error;
      say(error.message);
      return false;
    }
  };
  document.addEventListener("submit", (event) => {
    if (!(event.target instanceof HTMLFormElement) || event.target.id !== "address-form") return;
    event.preventDefault();
    const email = (document.getElementById("email") as HTMLInputElement).value;
    void post("", { email }).then((isDone) => isDone && location.reload());
  });
  document.addEventListener("click", ({ target }) => {
    if (target instanceof Element && target.closest("[data-address]") !== null)
      void post("/remove", {}).then((isDone) => isDone && location.reload());
  });
  const code = kept("sessionStorage", key);
  if (!isProven || code === null) return;
  keep("sessionStorage", key, null);
  void post("/confirm", { code }).then((isDone) => {
    if (!isDone) return;
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
