import { ActionPanel } from "./actionPanel.ts";
import { copyBy } from "./actionWays.ts";
import type { CaseData, ReceiptData } from "./data.ts";
import { DraftStore } from "./draft.ts";
import { followPage } from "./livePage.ts";
import { loadWallets } from "./ownWallets.ts";

/** The buttons that need no wallet: to print the receipt, and to copy its link or an address on it. */
function followTools({ texts }: ReceiptData): void {
  document.addEventListener("click", ({ target }) => {
    const button = target instanceof Element ? target.closest<HTMLElement>("[data-print], [data-copy]") : null;
    if (button?.dataset.print !== undefined) print();
    if (button?.dataset.copy !== undefined) void copyBy(button, button.dataset.copy || location.href, texts);
  });
}

/** Shows the note of a receipt or a case that what this device keeps was not sent. */
function showUnsent(path: string): void {
  const note = document.getElementById("unsent");
  if (note !== null) note.hidden = (new DraftStore(path).load()?.text ?? "").trim() === "";
}

/** The part of a page beside the actions: the form of a dispute, or the case. */
async function openPart(data: ReceiptData, loading: Promise<unknown>, poll: () => Promise<void>) {
  if (data.page === "dispute") return (await import("./disputePage.ts")).openForm(data);
  return data.page === "case" ? (await import("./casePage.ts")).openCase(data as CaseData, { loading, poll }) : null;
}

/** Runs a receipt: it follows the payment, and its buttons act on it. */
export async function openReceipt(data: ReceiptData): Promise<void> {
  followTools(data);
  // The demo wallet has its play money since it paid.
  const loading = loadWallets(data, async () => undefined);
  const form = await openPart(data, loading, () => page.poll());
  const page = followPage({
    data,
    onReplace: (next, fresh) => {
      form?.moveInto(next, fresh);
      panel.moveInto(next, fresh);
    },
    onReplaced: () => {
      showUnsent(data.path);
      panel.moved();
      form?.moved();
    },
  });
  showUnsent(data.path);
  const panel = new ActionPanel({ data, poll: page.poll, loading });
  document.documentElement.classList.add("ready");
}
