// The script of the buyer's page. The server has written the page; the script keeps it true and talks to wallets.
import { countDown, localizeTimes } from "./clock.ts";
import { readData } from "./data.ts";
import { StateFeed } from "./stateFeed.ts";
import { isNewer, type LiveState } from "./stateOrder.ts";

const data = readData(document);
let shown: Pick<LiveState, "state" | "final" | "version" | "at"> & { parts?: string | null } = data;

localizeTimes(document, data);
const feed = new StateFeed(data, take, () => undefined);
countDown(data, () => void feed.poll());

function take(arrived: LiveState): void {
  if (!isNewer(shown, arrived)) return;
  const isOther = arrived.state !== shown.state || arrived.version !== shown.version;
  shown = arrived;
  if (isOther) void replacePage();
}

/** The server writes the page again, and it takes the place of the one that was there. */
async function replacePage(): Promise<void> {
  const answer = await fetch(data.path, { signal: AbortSignal.timeout(10_000) }).catch(() => null);
  if (answer === null || !answer.ok) return;
  const fresh = new DOMParser().parseFromString(await answer.text(), "text/html");
  const arrived = readData(fresh);
  if (isNewer(arrived, shown) && arrived.version < shown.version) return;
  const [current, next] = [document.getElementById("checkout"), fresh.getElementById("checkout")];
  if (current === null || next === null) return;
  localizeTimes(next, data);
  current.replaceWith(document.adoptNode(next));
  document.title = fresh.title;
}
