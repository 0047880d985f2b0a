/** Has screen readers say a text: in the page's one live region, which stays when the rest is replaced (§12.13). */
export function announce(text: string): void {
  const region = document.getElementById("live");
  if (region !== null && text !== "") region.textContent = text;
}

/** "Paid and protected. The shop knows."; empty while there is something to pay. */
const stateWords = (page: HTMLElement): string =>
  [...page.querySelectorAll(".state h2, .state p")].map(({ textContent }) => textContent).join(". ");

/** Puts a part that the server wrote again in the place of the current one. Where the focus was in it, it goes on in the new one. */
export function replacePart(current: HTMLElement, next: HTMLElement): void {
  const focused = current.contains(document.activeElement) ? document.activeElement : null;
  current.replaceWith(document.adoptNode(next));
  const words = stateWords(next);
  if (words !== stateWords(current)) announce(words);
  if (focused === null) return;
  const same = focused.id === "" ? null : document.getElementById(focused.id);
  same?.focus();
  // A control that is folded away takes none.
  if (same !== null && document.activeElement === same) return;
  const target = next.querySelector<HTMLElement>(".state h2") ?? next.querySelector<HTMLElement>("h1");
  if (target === null) return;
  target.tabIndex = -1;
  target.focus();
}
