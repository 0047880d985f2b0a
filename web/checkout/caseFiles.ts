import { FileError, sendFile } from "@holdfast/ui/sendFile.ts";
import { announce as say } from "./announce.ts";
import type { CaseData } from "./data.ts";
import { element } from "./element.ts";
import { callService, RefusedError } from "./service.ts";
import { endText, fill } from "./walletText.ts";

/** Sends the files that the buyer chooses, one behind the other, and shows their progress. */
export function openFiles(data: CaseData): void {
  const { texts } = data;
  let isBusy = false;
  const refusals = {
    size: texts.fileSize ?? "",
    unread: texts.fileUnread ?? "",
    insecure: texts.fileInsecure ?? "",
    network: endText(texts, { kind: "no_answer" }, ""),
  };
  /** Announces the file and sends it; returns the text for the end. */
  const send = async (file: File): Promise<{ readonly isSent: boolean; readonly text: string }> => {
    try {
      showStatus(texts.fileSending ?? "", file.name);
      await sendFile(file, {
        texts: refusals,
        announce: (announced) => callService("/pay/p/{payment}/case/files", data, announced),
        onProgress: (share) => showProgress(share),
      });
      return { isSent: true, text: texts.fileSent ?? "" };
    } catch (error) {
      const isRefused = error instanceof RefusedError || error instanceof FileError;
      return { isSent: false, text: `{name}: ${isRefused ? error.message : refusals.network}` };
    }
  };
  const sendAll = async (files: readonly File[]): Promise<void> => {
    isBusy = true;
    for (const file of files) {
      const { isSent, text } = await send(file);
      showProgress(null);
      showStatus(text, file.name, !isSent);
      if (!isSent) break;
    }
    isBusy = false;
    // A refused file is chosen anew: the same one would be refused again.
    const input = document.getElementById("file") as HTMLInputElement | null;
    if (input !== null) input.value = "";
  };
  document.addEventListener("submit", (event) => {
    if (!(event.target instanceof HTMLFormElement) || event.target.id !== "file-form") return;
    event.preventDefault();
    const files = [...((document.getElementById("file") as HTMLInputElement).files ?? [])];
    if (isBusy) return;
    if (files.length === 0) showStatus(texts.fileMissing ?? "", "", true);
    else void sendAll(files);
  });
}

/** `{name}` in the text is the file's. A mark in it that turns the direction of a text ends with it. */
function showStatus(text: string, name = "", isBad = false): void {
  const status = document.getElementById("file-status");
  if (status === null) {
    say(fill(text, { name }));
    return;
  }
  const [before = "", after] = text.split("{name}");
  status.classList.toggle("bad", isBad);
  status.replaceChildren(before, ...(after === undefined ? [] : [element("bdi", { textContent: name }), after]));
}

/** Null: nothing is under way. */
function showProgress(share: number | null): void {
  const progress = document.getElementById("file-progress") as HTMLProgressElement | null;
  if (progress === null) return;
  progress.hidden = share === null;
  progress.value = share ?? 0;
}

/**
 * Keeps the chosen files, and pictures that are loaded, while the rest of the page is replaced. Returns true if the form
 * has the focus.
 */
export function keepFiles(next: HTMLElement): boolean {
  for (const picture of document.querySelectorAll<HTMLImageElement>(".files img"))
    next.querySelector(`#${picture.id}`)?.replaceWith(picture);
  const [form, coming] = [document, next].map((root) => root.querySelector("#file-form"));
  if (!form || !coming) return false;
  const hasFocus = form.contains(document.activeElement);
  coming.replaceWith(form);
  return hasFocus;
}
