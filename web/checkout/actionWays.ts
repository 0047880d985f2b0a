import { prepare } from "@holdfast/wallet/act.ts";
import { actionAct, type ShownChoice } from "./action.ts";
import { announce } from "./announce.ts";
import type { ReceiptData } from "./data.ts";
import { element } from "./element.ts";
import { endText, fill, shortAddress } from "./walletText.ts";

/** The link of each wallet that opens a page in its own browser. */
const BROWSERS = [
  ["Phantom", "https://phantom.app/ul/browse/"],
  ["Solflare", "https://solflare.com/ul/v1/browse/"],
  ["Backpack", "https://backpack.app/ul/v1/browse/"],
] as const;

/** The other ways to sign: the browsers of wallets, a phone, and a wallet of several signers. */
export function otherWays(choiceNow: () => ShownChoice): Node[] {
  const choice = choiceNow();
  const { signer } = actionAct(choice);
  return [
    ...(isPhone() ? appLinks(choice.data) : []),
    phoneWay(choice),
    ...(signer === null ? [] : [multisigWay(choiceNow, signer)]),
  ];
}

/** A phone without a wallet in its browser, by the user agent. */
const isPhone = (): boolean =>
  /Android|iPhone|iPad|iPod/.test(navigator.userAgent) && !/Phantom|Solflare|Backpack/i.test(navigator.userAgent);

function appLinks({ texts }: ReceiptData): Node[] {
  // Without the receipt's key: the link leads through the wallet's own site, and no action needs the key.
  const [target, origin] = [location.origin + location.pathname, location.origin].map(encodeURIComponent);
  const links = BROWSERS.map(([wallet, address]) =>
    element("a", {
      ...{ className: "way", href: `${address}${target}?ref=${origin}`, rel: "noopener noreferrer" },
      textContent: fill(texts.openIn, { wallet }),
    }),
  );
  return [...links, element("p", { className: "hint", textContent: texts.openAppText ?? "" })];
}

function folded(title: string, ...parts: readonly Node[]): HTMLDetailsElement {
  const way = element("details", { className: "way" });
  way.append(element("summary", { textContent: title }), ...parts);
  return way;
}

const paragraph = (textContent = ""): HTMLElement => element("p", { textContent });

/** The Solana Pay request of the action, as a link on a phone and as a code to scan elsewhere. */
function phoneWay({ data: { path, texts }, action }: ShownChoice): Node {
  if (location.protocol !== "https:") return folded(texts.phone ?? "", paragraph(texts.phoneNeedsHttps));
  const link = `solana:${location.origin}${path}/request/${action}`;
  if (isPhone()) return element("a", { className: "way", href: link, textContent: texts.solanaPay ?? "" });
  const code = element("div", { className: "code" });
  const way = folded(texts.phone ?? "", paragraph(texts.phoneText), code);
  way.addEventListener("toggle", async () => {
    if (!way.open || code.hasChildNodes()) return;
    const { drawCode } = await import("./requestCode.ts");
    code.replaceChildren(drawCode(link));
  });
  return way;
}

/**
 * The instructions for an account of several signers, whose wallet is not in this browser. No transaction: its blockhash
 * would end before they have met.
 */
function multisigWay(choiceNow: () => ShownChoice, needed: string): Node {
  const { texts } = choiceNow().data;
  const made = element("div");
  const make = element("button", { type: "button", className: "plain", textContent: texts.multisigMake ?? "" });
  const status = element("p", { className: "progress" });
  make.addEventListener("click", async () => {
    make.ariaDisabled = "true";
    const answer = await prepare(actionAct(choiceNow()), needed);
    make.ariaDisabled = "false";
    const isMade = !("kind" in answer);
    const instructions = isMade ? JSON.stringify(answer.instructions, null, 2) : "";
    made.replaceChildren(...(isMade ? [copyField(texts.multisigInstructions ?? "", instructions, texts)] : []));
    status.textContent = isMade ? "" : endText(texts, answer, "");
    announce(status.textContent);
  });
  const text = fill(texts.multisigText, { needed: shortAddress(needed) });
  return folded(texts.multisig ?? "", paragraph(text), make, status, made);
}

/** A text to copy, whole and readable. */
function copyField(label: string, value: string, texts: ReceiptData["texts"]): Node {
  const field = element("div", { className: "copy" });
  const words = element("label", { textContent: label });
  const area = element("textarea", { value, readOnly: true, rows: 4, className: "mono", spellcheck: false });
  words.append(area);
  const copy = element("button", { type: "button", className: "plain", textContent: texts.copy ?? "" });
  copy.addEventListener("click", () => void copyBy(copy, value, texts));
  field.append(words, copy);
  return field;
}

/** Copies a text; the button that was pressed for it says so. */
export async function copyBy(button: HTMLElement, text: string, texts: ReceiptData["texts"]): Promise<void> {
  // Browsers have a clipboard only for sites with https.
  const isCopied = await (navigator.clipboard as Clipboard | undefined)?.writeText(text).then(
    () => true,
    () => false,
  );
  button.textContent = (isCopied ? texts.copied : texts.copyFailed) ?? "";
  announce(button.textContent);
}
