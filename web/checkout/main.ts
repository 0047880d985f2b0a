// The script of the buyer's page. The server has written the page; the script keeps it true and talks to wallets.
import { announce, replacePart } from "./announce.ts";
import { countDown, localizeTimes } from "./clock.ts";
import { readData } from "./data.ts";
import { PayPanel } from "./payPanel.ts";
import { StateFeed } from "./stateFeed.ts";
import { isNewer, type LiveState } from "./stateOrder.ts";

const data = readData(document);
let shown: Pick<LiveState, "state" | "final" | "version" | "at"> = data;

localizeTimes(document, data);
const feed = new StateFeed(data, take, showLost);
const panel = new PayPanel({ data, poll: () => feed.poll(), reload: replacePage, loading: loadWallets() });
countDown(data, () => void feed.poll());

/** Wallets that only some pages have, each in a file of its own. */
async function loadWallets(): Promise<void> {
  if (data.demo && data.state === "waiting")
    await import("./demoWallet.ts").then(({ registerDemoWallet }) => registerDemoWallet(data));
  if (data.mobile !== null)
    await import("./mobileWallet.ts").then(({ registerMobileWallet }) => registerMobileWallet(data));
}

function showLost(isLost: boolean): void {
  const wasLost = document.body.classList.contains("offline");
  document.body.classList.toggle("offline", isLost);
  if (isLost && !wasLost) announce(data.texts.lost ?? "");
}

function take(arrived: LiveState): void {
  if (!isNewer(shown, arrived)) return;
  const isOther = arrived.state !== shown.state || arrived.version !== shown.version || arrived.final !== shown.final;
  shown = arrived;
  const hint = () => panel.hint(arrived.inFlight?.kind ?? null);
  if (isOther) void replacePage().then(hint);
  else hint();
}

/** The server writes the page again, and it takes the place of the one that was there. */
async function replacePage(): Promise<void> {
  const answer = await fetch(data.path, { signal: AbortSignal.timeout(10_000) }).catch(() => null);
  if (answer === null || !answer.ok) return void setTimeout(() => void feed.poll(), 2_000);
  const fresh = new DOMParser().parseFromString(await answer.text(), "text/html");
  const arrived = readData(fresh);
  // Of two pages that were asked for at once, the older may come last.
  if (arrived.version < shown.version || (shown.final && !arrived.final && arrived.version === shown.version)) return;
  const [current, next] = [document.getElementById("checkout"), fresh.getElementById("checkout")];
  if (current === null || next === null) return;
  localizeTimes(next, data);
  replacePart(current, next);
  document.title = fresh.title;
  panel.draw();
}
