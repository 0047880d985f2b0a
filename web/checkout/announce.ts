/** Lets screen readers say a text: in the page's one live region, which stays when the rest is replaced (§12.13). */
export function announce(text: string): void {
  const region = document.getElementById("live");
  if (region !== null && text !== "") region.textContent = text;
}

/** Returns "Paid and protected. The shop can see it."; empty while the order is unpaid. */
const stateText = (page: HTMLElement): string =>
  [...page.querySelectorAll(".state :is(h1, h2, p)")].map(({ textContent }) => textContent).join(". ");

/**
 * Replaces a part by the version that the server rendered now. If the focus was in it, it moves to the same control of the
 * new one.
 */
export function replacePart(current: HTMLElement, next: HTMLElement): void {
  const focused = current.contains(document.activeElement) ? document.activeElement : null;
  current.replaceWith(document.adoptNode(next));
  const text = stateText(next);
  if (text !== stateText(current)) announce(text);
  if (focused === null) return;
  const same = focused.id === "" ? null : document.getElementById(focused.id);
  same?.focus();
  // A control in a folded part cannot take the focus.
  if (same !== null && document.activeElement === same) return;
  const target = next.querySelector<HTMLElement>(".state h2") ?? next.querySelector<HTMLElement>("h1");
  if (target === null) return;
  target.tabIndex = -1;
  target.focus();
}
