import { focusManager } from "@tanstack/react-query";

/** After this time without input the page counts as left, and the session may become idle. */
const UNATTENDED_MS = 600_000;
const INPUTS = ["pointerdown", "keydown", "wheel", "touchstart"] as const;

/** Lets queries repeat by themselves only while the page is visible and was used in the last minutes. */
export function followAttention(): void {
  let isAttended = true;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const update = () => focusManager.setFocused(isAttended && document.visibilityState === "visible");
  const attend = () => {
    clearTimeout(timer);
    timer = setTimeout(() => {
      isAttended = false;
      update();
    }, UNATTENDED_MS);
    if (isAttended) return;
    isAttended = true;
    update();
  };
  for (const name of INPUTS) addEventListener(name, attend, { capture: true, passive: true });
  document.addEventListener("visibilitychange", update);
  attend();
}
