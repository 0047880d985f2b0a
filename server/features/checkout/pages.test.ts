import assert from "node:assert/strict";
import { test } from "node:test";
import { barriersOf } from "../../../tests/e2e/barriers.ts";
import { CHECKOUT_VIEWS } from "../../../tests/e2e/checkoutViews.ts";
import { type Element, elementsOf, isWithin, nameOf, parseHtml, textOf } from "../../../tests/e2e/htmlTree.ts";
import { PAGE_NAMES, pageOf, SAMPLE_NAMES, SITE } from "../../../tests/e2e/pages.ts";
import { renderPage } from "../../edge/html/page.ts";
import { ENGLISH } from "./languages/english.ts";
import { checkoutPage } from "./page/document.ts";
import type { Device } from "./page/panel.ts";
import { scriptData } from "./page/scriptData.ts";

const DEVICES = ["phone", "desktop"] as const;
const IN_ENGLISH = { language: ENGLISH, choices: [] };
const SCRIPT = { path: "/pay/assets/checkout.js", integrity: "" };

const treeOf = (name: string, device: Device = "desktop"): Element =>
  parseHtml(renderPage(pageOf(name, { device, script: SCRIPT })).text);
const TREES = PAGE_NAMES.flatMap((name) => DEVICES.map((device) => ({ name, device, tree: treeOf(name, device) })));

const linksOf = (tree: Element, name: string): (string | undefined)[] =>
  elementsOf(tree).flatMap((element) =>
    element.tag === "a" && nameOf(element).includes(name) ? [element.attributes.href] : [],
  );

test("§12.2 each page can be read by ear and by keyboard, in every state and on both kinds of device", () => {
  for (const { name, device, tree } of TREES) assert.deepEqual(barriersOf(tree), [], `${name} on a ${device}`);
});

test("a browser that translates a page leaves names, addresses, hashes and amounts as they are", () => {
  const isFixed = ({ tag, attributes: { class: classes = "" } }: Element) =>
    ["code", "bdi"].includes(tag) || (tag !== "textarea" && tag !== "input" && /\b(?:amount|mono)\b/.test(classes));
  for (const { name, tree } of TREES)
    for (const element of elementsOf(tree).filter(isFixed))
      assert.equal(element.attributes.translate, "no", `${name}: ${element.tag} ${textOf(element)}`);
});

test("each barrier is found where there is one", () => {
  const BODY = "<main><h1>Receipt</h1></main>";
  const pageWith = (body: string, title = "Receipt", lang = ' lang="en"') =>
    barriersOf(
      parseHtml(`<!doctype html><html${lang}><head><title>${title}</title></head><body>${body}</body></html>`),
    );
  const pageWithPart = (part: string) => pageWith(`<main><h1>Receipt</h1>${part}</main>`);
  assert.deepEqual(pageWith(BODY), []);
  assert.deepEqual(pageWith(`${BODY}<template>${BODY}</template>`), []);
  for (const [barriers, words] of [
    [pageWith(BODY, "Receipt", ""), /no language/],
    [pageWith(BODY, ""), /title/],
    [pageWith(`${BODY}<main></main>`), /2 <main>/],
    [pageWith(`Hello${BODY}`), /no part has "Hello"/],
    [pageWithPart("<h1>Again</h1>"), /2 <h1>/],
    [pageWithPart("<h3>Deep</h3>"), /headings skip/],
    [pageWithPart('<p id="a">A</p><p id="a">B</p>'), /stands twice/],
    [pageWithPart('<input id="a" aria-label="A" aria-describedby="b">'), /names b/],
    [pageWithPart('<input name="sum">'), /no label: sum/],
    [pageWithPart('<a href="/"><span aria-hidden="true">→</span></a>'), /<a> has no name/],
    [pageWithPart("<button></button>"), /<button> has no name/],
    [pageWithPart('<img src="/a.png">'), /picture/],
    [pageWithPart('<svg><path d="M0 0"/></svg>'), /drawing/],
    [pageWithPart('<p tabindex="2">A</p>'), /Tab key/],
    [pageWithPart("<ul><p>A</p></ul>"), /<ul> has a <p>/],
  ] as const) {
    assert.equal(barriers.length, 1, String(words));
    assert.match(barriers[0]!, words);
  }
});

test("§12.3 no page has what its policy forbids: styles and scripts in elements, and pictures or scripts of other sites", () => {
  for (const { name, tree } of TREES)
    for (const { tag, attributes } of elementsOf(tree)) {
      const own = Object.keys(attributes).filter((attribute) => attribute === "style" || attribute.startsWith("on"));
      assert.deepEqual(own, [], `${name} <${tag}>`);
      if (attributes.src !== undefined) assert.match(attributes.src, /^\/pay\//, `${name} <${tag}>`);
    }
});

test("the pages that a browser looks at have every kind of element that any page has", () => {
  const partsOf = (tree: Element) => elementsOf(tree).map(({ tag, attributes }) => `${tag}.${attributes.class ?? ""}`);
  const looked = new Set(SAMPLE_NAMES.flatMap((name) => partsOf(treeOf(name, "phone"))));
  // A computer has its ways to pay in another order, which the test of §12.10 shows in a browser.
  for (const { name, device, tree } of TREES)
    if (device === "phone")
      assert.deepEqual(
        partsOf(tree).filter((part) => !looked.has(part)),
        [],
        name,
      );
});

test("§12.10 a phone has links that open the page in the wallets' browsers, and the request", () => {
  const tree = treeOf("waiting", "phone");
  const page = `${SITE}/pay/i/pi_test_5szw01a1fbfeaecb562cb684bcc909ec4992`;
  const rest = `${encodeURIComponent(page)}?ref=${encodeURIComponent(SITE)}`;
  assert.deepEqual(linksOf(tree, "Open in"), [
    `https://phantom.app/ul/browse/${rest}`,
    `https://solflare.com/ul/v1/browse/${rest}`,
    `https://backpack.app/ul/v1/browse/${rest}`,
  ]);
  assert.deepEqual(linksOf(tree, "Pay with a wallet’s app"), [`solana:${page}/request`]);
});

test("§12.10 the protection stands above what pays, and a phone of a site without https is offered no code", () => {
  for (const device of DEVICES) {
    const text = textOf(treeOf("waiting", device));
    const held = text.indexOf("Held for 7 days. The shop is paid afterwards.");
    const pays = text.indexOf(device === "phone" ? "Open in Phantom" : "Pay 24.50 USDC");
    assert.ok(held > 0 && held < pays, device);
  }
  const settings = {
    ...IN_ENGLISH,
    canPay: true,
    sendsEmails: false,
    url: SITE,
    request: null,
    siteOperator: null,
    script: null,
  } as const;
  const pageFor = (device: Device) => checkoutPage(CHECKOUT_VIEWS.waiting!, { ...settings, device }).body.html;
  assert.ok(pageFor("desktop").includes("Pay from your phone"));
  assert.ok(!pageFor("phone").includes("Pay from your phone"));
});

test("§13.22.7 the checkout says by what rules disputes are decided, with the operator's words on each reason", () => {
  const text = textOf(treeOf("waiting"));
  assert.match(text, /By what rules\?The arbiter reads .*I paid twice: One of the two payments goes back\./s);
});

test("§12.2 the network's cost is short, with its worth where a rate of SOL is known, and the rest below it", () => {
  const view = CHECKOUT_VIEWS.waiting!;
  const settings = {
    ...IN_ENGLISH,
    device: "desktop",
    canPay: true,
    sendsEmails: false,
    url: SITE,
    request: null,
    siteOperator: null,
    script: null,
  } as const;
  const costOf = (given: Partial<typeof view>) =>
    textOf(
      elementsOf(parseHtml(renderPage(checkoutPage({ ...view, ...given }, settings)).text)).find(
        ({ attributes }) => attributes.id === "cost",
      )!,
    );
  assert.equal(costOf({}), "Plus about 0.0051 SOL for the network. 0.002 SOL come back to your wallet by themselves.");
  const business = { ...view.business, reportingCurrency: "EUR" };
  const inEuros =
    "Plus about 0.0051 SOL (about €0.77) for the network. 0.002 SOL come back to your wallet by themselves.";
  assert.equal(costOf({ business, solRate: "150.5" }), inEuros);
  assert.doesNotMatch(costOf({ business }) + costOf({ solRate: "150.5" }), /€/);
  assert.match(
    textOf(treeOf("waiting")),
    /0\.002 SOL come back to your wallet when the payment ends, and 0\.0018 SOL more when the payment’s record/,
  );
});

test("§12.2 the arbiter's domain leads to its site", () => {
  assert.deepEqual(linksOf(treeOf("waiting"), "nordlicht.example"), ["https://nordlicht.example"]);
});

test("§12.15 the page names who runs the site, with a link", () => {
  const footer = elementsOf(treeOf("waiting")).find(({ tag }) => tag === "footer")!;
  assert.match(textOf(footer), /This site is run by Fernweh Payments/);
  assert.deepEqual(linksOf(footer, "Fernweh Payments"), ["https://fernweh-payments.example/imprint"]);
});

test("§12.14 each state says what is still to be done in it, and no more; a payment's own story is on its receipt", () => {
  const STORY = "The shop is not paid yet";
  const ACT = "there you object, or release the money";
  const RECEIPT = "Open your receipt";
  for (const [name, ...wanted] of [
    ["waiting", STORY],
    ["expired"],
    ["canceled"],
    ["protected", ACT, RECEIPT],
    ["late", ACT, RECEIPT],
    ["disputed", RECEIPT],
    ["settling", RECEIPT],
    ["settled", RECEIPT],
    ["refunded", RECEIPT],
  ] as const) {
    const text = textOf(treeOf(name));
    assert.deepEqual(
      [STORY, ACT, RECEIPT].filter((words) => text.includes(words)),
      wanted,
      name,
    );
  }
});

test("§12.2 the page right after paying has the amount, the order, the time until which the buyer can object, and the receipt first", () => {
  const panel = elementsOf(treeOf("protected")).find(({ attributes }) => attributes.id === "panel")!;
  const text = textOf(panel);
  const order = ["Paid and protected", "24.50", "Order 1042", "You can object until", "Open your receipt", "Back to"];
  assert.deepEqual(
    order.map((words) => text.indexOf(words)).toSorted((a, b) => a - b),
    order.map((words) => text.indexOf(words)),
  );
  assert.match(text, /You can object until *Sat, 28 Nov 2026|You can object until *\w{3}, \d+ \w+ 2026/);
  const [first, ...others] = elementsOf(panel).filter(
    ({ tag, attributes }) => tag === "a" && attributes.class?.startsWith("button"),
  );
  assert.match(first!.attributes.href!, /^\/pay\/p\//);
  assert.ok(others.every(({ attributes }) => attributes.class === "button second"));
});

test("§12.2 a payment that is late says which of three ways", () => {
  for (const [lateReason, words] of [
    ["paid_after_expiry", "after the time to pay"],
    ["paid_after_cancel", "after the shop had canceled"],
    ["found_after_cancel", "You paid in time"],
    ["found_after_expiry", null],
  ] as const) {
    const view = CHECKOUT_VIEWS.late!;
    const page = checkoutPage(
      { ...view, payment: { ...view.payment!, lateReason } },
      {
        ...IN_ENGLISH,
        ...{ device: "phone", canPay: true, sendsEmails: false, url: SITE, request: null },
        ...{ siteOperator: null, script: null },
      },
    );
    assert.deepEqual(
      /You paid in time|after the [a-z ]+(?=\. The)/.exec(page.body.html)?.[0] ?? null,
      words,
      lateReason,
    );
  }
});

test("§14.2 a receipt without its key leads to the proof that shows order and contact; with it both are there", () => {
  const UNLOCK = "Show the order and how to reach the shop";
  for (const name of ["receipt-duplicate", "receipt-protected-address-alone", "receipt-refunded-unresolved"])
    assert.deepEqual(
      [...new Set(linksOf(treeOf(name), UNLOCK))],
      ["/pay/p/9wJ4ZcbcVpsKqYBqXQ2eXkMF7iQYy6r4Lh1kBSyY7h5Y/case?then=receipt"],
      name,
    );
  assert.equal(linksOf(treeOf("dispute-protected-address-alone"), UNLOCK).length, 1);
  for (const name of ["receipt-unknown-payment-id", "receipt-terms-differ", "receipt-closed", "receipt-vanished"])
    assert.deepEqual(linksOf(treeOf(name), UNLOCK), [], `${name} has no order`);
  const late = elementsOf(treeOf("receipt-late")).find(({ attributes }) => attributes.class === "note wait")!;
  assert.deepEqual(linksOf(late, "Contact the shop"), ["mailto:help@fernweh.example"]);
  assert.deepEqual(linksOf(treeOf("receipt-late"), UNLOCK), []);
});

test("§14.3 who paid the deposits reads of a third one, of the shop's account, that never comes back", () => {
  const textsOf = (name: string) => textOf(treeOf(`receipt-${name}`));
  const THIRD = /your payment also opened it\. That deposit stays with the shop’s account, and does not come back/;
  assert.match(textsOf("protected"), THIRD);
  assert.match(textsOf("refunded"), THIRD);
  assert.doesNotMatch(textsOf("protected-sponsored"), THIRD);
});

test("§14.3 without a script no page speaks of buttons that it has not, and each says what else there is", () => {
  for (const name of ["receipt-protected", "receipt-disputed", "dispute-protected", "case-proof"]) {
    const all = elementsOf(treeOf(name));
    const hidden = (element: Element) =>
      isWithin(element, ({ attributes }) => /needs-script/.test(attributes.class ?? ""));
    const texts = all.filter((one) => one.tag === "p" && !hidden(one)).map(textOf);
    assert.ok(
      texts.some((text) => /needs? JavaScript: switch it on, or open this page in the app of the wallet/.test(text)),
    );
    assert.deepEqual(
      texts.filter((text) => /button/i.test(text)),
      [],
      name,
    );
  }
});

test("§12.11 the way back to the shop is a button once it is paid, and in every final state; never before", () => {
  const backOf = (name: string) => linksOf(treeOf(name), "Back to Fernweh Coffee");
  for (const name of [
    "protected",
    "late",
    "duplicate",
    "settled",
    "partly-refunded",
    "refunded",
    "expired",
    "canceled",
  ])
    assert.deepEqual(backOf(name), ["https://fernweh.example/orders/1042"], name);
  for (const name of ["waiting", "on-its-way", "held"]) assert.deepEqual(backOf(name), [], name);
});

test("§12.2 hostile texts of a merchant stay texts", () => {
  const name = `<img src=x onerror=alert(1)> "'</script>`;
  const merchantReference = "</script><script>alert(2)</script>\u202e{{7*7}}";
  const waiting = CHECKOUT_VIEWS.waiting!;
  const view = {
    ...waiting,
    intent: { ...waiting.intent, merchantReference, metadata: '{"secret":"hidden-word"}' },
    business: { ...waiting.business, name },
  };
  const script = { ...SCRIPT, data: scriptData(ENGLISH.page, view, false, []) };
  const given = { ...IN_ENGLISH, device: "phone", canPay: true, sendsEmails: false } as const;
  const settings = { ...given, url: SITE, request: null } as const;
  const { text } = renderPage(checkoutPage(view, { ...settings, siteOperator: null, script }));
  const all = elementsOf(parseHtml(text));
  const shown = (fits: (element: Element) => boolean) => all.filter(fits).map((element) => nameOf(element));
  assert.deepEqual(
    shown(({ tag, attributes }) => tag === "bdi" && attributes.class === "name"),
    [name],
  );
  assert.ok(shown(({ attributes }) => attributes.class === "about")[0]!.includes(merchantReference));
  assert.deepEqual(
    all.filter((element) => /^(img|script)$/.test(element.tag) && isWithin(element, ({ tag }) => tag === "main")),
    [],
  );
  const data = all.find(({ attributes }) => attributes.id === "data")!;
  assert.equal(JSON.parse(data.children.join("")).terms.business.name, name);
  assert.ok(!text.includes("hidden-word"));
});
