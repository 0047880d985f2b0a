import { StateStream } from "@holdfast/sdk/checkout";
import type { LiveData } from "./data.ts";
import type { LiveState } from "./stateOrder.ts";

/** Follows the state. Phones cut streams of pages in the background, so it asks at once when the page is visible again. */
export function followState(
  data: LiveData,
  onState: (state: LiveState) => void,
  onLost: (isLost: boolean) => void,
  onRefused: () => void,
): Pick<StateStream<LiveState>, "poll"> {
  const stream = new StateStream<LiveState>({ url: data.livePath ?? data.path, onState, onLost, onRefused });
  document.addEventListener("visibilitychange", () => {
    if (document.visibilityState === "visible") stream.resume();
  });
  addEventListener("online", () => stream.resume());
  if (!data.final) stream.open();
  return stream;
}
