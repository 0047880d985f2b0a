// The script of the buyer's page. The server renders the page; the script keeps it up to date and talks to wallets.
import { announce, replacePart } from "./announce.ts";
import { countDown, localizeTimes } from "./clock.ts";
import { readData } from "./data.ts";
import { PayPanel } from "./payPanel.ts";
import { callService } from "./service.ts";
import { StateFeed } from "./stateFeed.ts";
import { isNewer, type LiveState } from "./stateOrder.ts";

const data = readData(document);
let shown: Pick<LiveState, "state" | "final" | "version" | "at" | "parts"> = data;

localizeTimes(document, data);
const feed = new StateFeed(data, take, showLost);
const panel = new PayPanel({ data, poll: () => feed.poll(), reload: replacePage, loading: loadWallets() });
countDown(data, () => void feed.poll());

/** Loads wallets that only some pages have, each in a separate file. */
async function loadWallets(): Promise<void> {
  if (data.demo && data.state === "waiting")
    await import("@holdfast/wallet/demoWallet.ts").then(({ registerDemoWallet }) =>
      registerDemoWallet({
        name: data.texts.demo ?? "Demo wallet",
        cluster: data.cluster,
        fund: (account) => callService(`${data.path}/demo-funds`, { account }),
      }),
    );
  if (data.mobile !== null)
    await import("@holdfast/wallet/mobileWallet.ts").then(({ registerMobileWallet }) => registerMobileWallet(data));
}

function showLost(isLost: boolean): void {
  const wasLost = document.body.classList.contains("offline");
  document.body.classList.toggle("offline", isLost);
  if (isLost && !wasLost) announce(data.texts.lost ?? "");
}

function take(arrived: LiveState): void {
  if (!isNewer(shown, arrived)) return;
  const isOther = (["state", "version", "final", "parts"] as const).some((name) => arrived[name] !== shown[name]);
  shown = arrived;
  // A page that arrives late must not hint at an outdated state.
  const hint = () => shown === arrived && panel.hint(arrived.inFlight?.kind ?? null);
  if (isOther) void replacePage().then(hint);
  else hint();
}

const FETCH_AGAIN_MS = 2_000;
const FETCH_AGAIN_MS_MAX = 30_000;

/** Fetches the page in its present form. It retries until it succeeds: no later state reports this change again. */
async function fetchPage(): Promise<Document> {
  for (let waitMs = FETCH_AGAIN_MS; ; waitMs = Math.min(waitMs * 2, FETCH_AGAIN_MS_MAX)) {
    const answer = await fetch(data.path, { signal: AbortSignal.timeout(10_000) }).catch(() => null);
    const text = answer?.ok ? await answer.text().catch(() => null) : null;
    if (text !== null) return new DOMParser().parseFromString(text, "text/html");
    await new Promise((resolve) => setTimeout(resolve, waitMs));
  }
}

/** Fetches the page again and replaces the present one. */
async function replacePage(): Promise<void> {
  const fresh = await fetchPage();
  const arrived = readData(fresh);
  // The older of two requests for the page may be answered last.
  if (arrived.version < shown.version || (shown.final && !arrived.final && arrived.version === shown.version)) return;
  const [current, next] = [document.getElementById("checkout"), fresh.getElementById("checkout")];
  if (current === null || next === null) return;
  localizeTimes(next, data);
  replacePart(current, next);
  document.title = fresh.title;
  panel.draw();
}
