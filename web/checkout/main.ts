// The script of the buyer's pages. The server renders them; the script keeps them up to date and talks to wallets.
import { type LiveData, type PageData, type ReceiptData, readData } from "./data.ts";
import type { FindData } from "./findPage.ts";
import { followPage } from "./livePage.ts";
import { loadWallets } from "./ownWallets.ts";
import { PayPanel } from "./payPanel.ts";
import { post } from "./service.ts";

const data = readData<LiveData & { readonly page?: ReceiptData["page"] | FindData["page"] }>(document);
if (data.page === undefined) openCheckout(data as PageData);
else if (data.page === "find")
  void import("./findPage.ts").then(({ openFinder }) => openFinder(data as unknown as FindData));
else void import("./receiptPage.ts").then(({ openReceipt }) => openReceipt(data as ReceiptData));

function openCheckout(checkout: PageData): void {
  const fund = (account: string) => post(`${checkout.path}/demo-funds`, { account });
  const loading = loadWallets(checkout, checkout.state === "waiting" ? fund : null);
  const page = followPage({
    data: checkout,
    onReplaced: () => panel.draw(),
    onState: ({ inFlight }) => panel.hint(inFlight?.kind ?? null),
  });
  const panel = new PayPanel({ data: checkout, ...page, loading });
}
