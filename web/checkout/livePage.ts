import { announce, replacePart } from "./announce.ts";
import { localizeTimes } from "./clock.ts";
import { countDown } from "./countDown.ts";
import { type LiveData, readData } from "./data.ts";
import { followState } from "./stateFeed.ts";
import { isNewer, type LiveState } from "./stateOrder.ts";

interface LivePageOptions<Data> {
  readonly data: Data;
  /** Called before the page's new main part takes the place of the present one. */
  readonly onReplace?: (next: HTMLElement, fresh: Data) => void;
  readonly onReplaced: () => void;
  /** Called with each state that arrives, once the page shows it. */
  readonly onState?: (state: LiveState) => void;
}

export interface LivePage {
  /** Fetches the state now. */
  readonly poll: () => Promise<void>;
  /** Fetches the page again and replaces the present one. */
  readonly reload: () => Promise<void>;
}

/** Keeps the page up to date: times in the reader's zone, the countdown, and a new main part for each new state. */
export function followPage<Data extends LiveData>(options: LivePageOptions<Data>): LivePage {
  const { data, onReplace, onReplaced, onState } = options;
  let isEnded = false;
  let shown: Pick<LiveState, "state" | "final" | "version" | "at" | "parts"> = data;

  async function reload(): Promise<void> {
    const fresh = await fetchPage();
    await pressEnded();
    if (isEnded) return;
    const arrived = readData<Data>(fresh);
    // The older of two requests for the page may be answered last.
    if (arrived.version < shown.version || (shown.final && !arrived.final && arrived.version === shown.version)) return;
    const [current, next] = [document.getElementById("checkout"), fresh.getElementById("checkout")];
    if (current === null || next === null) return;
    localizeTimes(next, data);
    onReplace?.(next, arrived);
    replacePart(current, next);
    document.title = fresh.title;
    startClock();
    onReplaced();
  }

  /** Nothing on the page is current any more: it says how to come back, and shows nothing else. */
  function showEnded(): void {
    const [current, template] = [document.getElementById("checkout"), document.getElementById("ended")];
    const next = template instanceof HTMLTemplateElement ? template.content.firstElementChild : null;
    if (current === null || next === null) return;
    isEnded = true;
    showLost(false, "");
    document.title = next.querySelector("h1")?.textContent ?? "";
    announce([...next.querySelectorAll("h1, .text")].map(({ textContent }) => textContent).join(". "));
    replacePart(current, next as HTMLElement);
  }

  function take(arrived: LiveState): void {
    // Somebody signed in again in another tab.
    if (isEnded) {
      location.reload();
      return;
    }
    if (!isNewer(shown, arrived)) return;
    const isOther = (["state", "version", "final", "parts"] as const).some((name) => arrived[name] !== shown[name]);
    shown = arrived;
    // A page that arrives late must not report an outdated state.
    const report = () => shown === arrived && onState?.(arrived);
    if (isOther) void reload().then(report);
    else report();
  }

  localizeTimes(document, data);
  const feed = followState(data, take, (isLost) => showLost(isLost, data.texts.lost ?? ""), showEnded);
  const poll = () => feed.poll();
  const startClock = countDown(
    data,
    () => document.getElementById("left"),
    () => void poll(),
  );
  startClock();
  return { poll, reload };
}

/** A pointer that left the window is released unheard. */
const PRESS_MS_MAX = 2_000;
let endOfPress = Promise.resolve();
document.addEventListener("pointerdown", () => {
  endOfPress = new Promise((resolve) => {
    // The click follows the release.
    const end = () => setTimeout(resolve);
    for (const name of ["pointerup", "pointercancel"]) document.addEventListener(name, end, { once: true });
    setTimeout(resolve, PRESS_MS_MAX);
  });
});
/** Waits for the end of a press: a click is lost if its target is replaced between press and release. */
const pressEnded = (): Promise<void> => endOfPress;

function showLost(isLost: boolean, text: string): void {
  const wasLost = document.body.classList.contains("offline");
  document.body.classList.toggle("offline", isLost);
  if (isLost && !wasLost) announce(text);
}

const FETCH_AGAIN_MS = 2_000;
const FETCH_AGAIN_MS_MAX = 30_000;

/**
 * Fetches the page in its present form, with the key that its address may have. It retries until it succeeds: no later
 * state reports this change again.
 */
async function fetchPage(): Promise<Document> {
  const address = location.pathname + location.search;
  for (let waitMs = FETCH_AGAIN_MS; ; waitMs = Math.min(waitMs * 2, FETCH_AGAIN_MS_MAX)) {
    const answer = await fetch(address, { signal: AbortSignal.timeout(10_000) }).catch(() => null);
    const text = answer?.ok ? await answer.text().catch(() => null) : null;
    if (text !== null) return new DOMParser().parseFromString(text, "text/html");
    await new Promise((resolve) => setTimeout(resolve, waitMs));
  }
}
