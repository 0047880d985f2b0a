import assert from "node:assert/strict";
import { test } from "node:test";
import inject from "light-my-request";
import { type Element, parseHtml } from "../../../tests/e2e/htmlTree.ts";
import { PAGE_NAMES, pageOf } from "../../../tests/e2e/pages.ts";
import { HUNG_MS } from "../../../tests/harness/wait.ts";
import type { ChainPayment } from "../../chain/port.ts";
import { registerBuyerDoor } from "../../edge/buyer/door.ts";
import { MESSAGE_CHARACTERS_MAX } from "../../edge/buyer/error.ts";
import { renderPage } from "../../edge/html/page.ts";
import { createServer } from "../../edge/http/server.ts";
import { describeAction } from "../../features/checkout/actions/describeAction.ts";
import { ENGLISH_TEXTS } from "../../features/checkout/languages/english.ts";
import { draftLanguage, type LanguageTexts } from "../../features/checkout/languages/language.ts";
import { noticePage } from "../../features/checkout/page/document.ts";
import { registerPage } from "../../features/checkout/page/readRoutes.ts";
import { ReadLimit } from "../../features/checkout/readLimit.ts";
import { createFinder, createLookUps } from "../../features/checkout/receipt/find.ts";
import { findRoutes, registerFindPage } from "../../features/checkout/receipt/findRoutes.ts";
import type { Database } from "../../store/database.ts";
import { LANGUAGES, openLanguages } from "./languages.ts";
import { PSEUDO } from "./pseudo.ts";

type Say = (...values: readonly unknown[]) => string;
/** Every text with its path, in the language and in English. */
function pairsOf(
  texts: unknown,
  english: unknown,
  path = "",
): [path: string, text: string | Say, english: string | Say][] {
  if (typeof texts === "string" || typeof texts === "function") return [[path, texts as string, english as string]];
  if (typeof texts !== "object" || texts === null) return [];
  return Object.entries(texts).flatMap(([name, text]) =>
    pairsOf(text, (english as Readonly<Record<string, unknown>>)[name], `${path}/${name}`),
  );
}
const gapsOf = (text: string): string[] => [...text.matchAll(/\{\w+\}/g)].map(([gap]) => gap).toSorted();

for (const given of [ENGLISH_TEXTS, ...LANGUAGES]) {
  const { tag, name: _, locale, direction, readBy: __, emails, ...texts } = given;

  test(`${tag}: each text has the values of the English one, and Intl knows its locale`, () => {
    assert.deepEqual(Intl.NumberFormat.supportedLocalesOf(locale), [locale]);
    for (const [path, text, english] of pairsOf(texts, ENGLISH_TEXTS)) {
      if (typeof text === "string" && typeof english === "string") {
        assert.ok(text.trim() !== "", path);
        assert.deepEqual(gapsOf(text), gapsOf(english), path);
        continue;
      }
      // A figure is given where a sentence counts.
      const values = Array.from({ length: (english as Say).length }, (_, at) => `<${at + 1}>`);
      for (const value of values)
        if ((english as Say)(...values).includes(value))
          assert.ok((text as Say)(...values).includes(value), `${path} has no ${value}`);
    }
  });

  test(`${tag}: whoever waits for the other side reads what follows from its silence`, () => {
    for (const [key, text] of Object.entries(given.dispute.silence))
      if (key.startsWith("others")) assert.ok(text.match(/[.。]/g)!.length > 1, `${key}: ${text}`);
  });

  test(`${tag}: §4.22 each email to a buyer has the values of the English one`, () => {
    const frame = { shop: "<shop>", line: "<line>", consent: "https://consent", erasedFrom: "<day>" };
    const amounts = { amount: "<amount>", refunded: "<refunded>", rest: "<rest>" };
    const facts = { ...amounts, until: "<until>", receipt: "https://receipt" };
    const saidBy = (all: LanguageTexts["emails"], isLate: boolean, canObject: boolean) =>
      Object.entries(all).map(([name, say]) => {
        const email = (say as (...values: unknown[]) => unknown)(frame, { ...facts, isLate, canObject });
        const parts = typeof email === "string" ? { text: email } : { ...(email as { readonly text: string }) };
        return [name, Object.keys(parts), [...new Set(parts.text.match(/<\w+>|https:\/\/\w+/g))].toSorted()];
      });
    for (const isLate of [true, false])
      for (const canObject of [true, false])
        assert.deepEqual(saidBy(emails, isLate, canObject), saidBy(ENGLISH_TEXTS.emails, isLate, canObject));
    assert.ok(tag === PSEUDO.tag || emails.footer({ ...frame, line: null }).length < emails.footer(frame).length);
  });

  test(`${tag}: §4.14.6 every refusal fits a wallet, with the longest values that people meet`, () => {
    const { refusals } = draftLanguage(given);
    for (const [path, text] of pairsOf(refusals, refusals)) {
      const values = typeof text === "string" ? [] : ["7dHb…7ARj", "1,234.567891 USDC", "1,234.567891 USDC"];
      const message = typeof text === "string" ? text : text(...values);
      // Marks of direction have no width.
      const width = message.replaceAll(/[\u2068\u2069]/g, "").length;
      assert.ok(tag === PSEUDO.tag || width <= MESSAGE_CHARACTERS_MAX, `${path}: ${message}`);
    }
  });

  test(`${tag}: every page says its language and direction`, () => {
    for (const page of PAGE_NAMES) {
      const { text } = renderPage(pageOf(page, { device: "phone", script: SCRIPT, language: draftLanguage(given) }));
      assert.match(text, new RegExp(`^<!doctype html>\n<html lang="${tag}" dir="${direction}">`), page);
    }
  });
}

const SCRIPT = { path: "/pay/assets/checkout.js", integrity: "" };
/** The same in every language: addresses, tokens, the network, time zones, and names of products. */
const SAME =
  /\w{4}…\w{4}|\b(?:USDC|SOL|UTC|EUR|QR|PDF|JSON|JavaScript|Solana|Holdfast|Phantom|Solflare|Backpack|Deutsch|base64|KB)\b/g;

test("every word of a page comes from the language's texts, or is the shop's own", () => {
  // From right to left, each value of a text is isolated: what stands outside is the text's own.
  const language = draftLanguage({ ...PSEUDO, direction: "rtl" });
  const found = PAGE_NAMES.flatMap((name) =>
    (["phone", "desktop"] as const).flatMap((device) => {
      const tree = parseHtml(renderPage(pageOf(name, { device, script: SCRIPT, language })).text);
      return englishIn(tree).map((word) => `${name}: ${word}`);
    }),
  );
  assert.deepEqual([...new Set(found)], []);
});

/** Texts that a reader meets, outside of what is marked as nobody's to translate. */
function englishIn(element: Element): string[] {
  const { tag, attributes } = element;
  if (tag === "style" || tag === "script" || attributes.translate === "no" || attributes.dir === "auto") {
    return attributes["aria-label"] === undefined ? [] : wordsOf(attributes["aria-label"]);
  }
  const said = ["aria-label", "placeholder", "alt"].flatMap((name) => wordsOf(attributes[name] ?? ""));
  const own = element.children.filter((child): child is string => typeof child === "string").flatMap(wordsOf);
  const below = element.children.filter((child): child is Element => typeof child !== "string").flatMap(englishIn);
  return [...said, ...own, ...below];
}
const wordsOf = (text: string): string[] =>
  text
    .replaceAll(/\u2068(?:[^\u2068\u2069]|\u2068[^\u2069]*\u2069)*\u2069/g, " ")
    .replaceAll(SAME, " ")
    .match(/[A-Za-z]{2,}/g) ?? [];

test("§12.19 a language that nobody has read is off until the operator names it", () => {
  const tagsOf = (...named: string[]) => openLanguages(named).all.map(({ tag }) => tag);
  const unread = LANGUAGES.filter(({ readBy }) => readBy === null).map(({ tag }) => tag);
  assert.ok(unread.includes("en-XA"));
  assert.ok(!tagsOf().some((tag) => unread.includes(tag)));
  assert.ok(tagsOf("en-XA").includes("en-XA"));
  assert.equal(openLanguages(["de"]).choose({}).tag, "en");
});

/** Words for "send the money back", by language. */
const SEND_BACK: Readonly<Record<string, RegExp>> = {
  ...{ en: /send the money back/, de: /das Geld zurückschicken/, fr: /renvoyer l’argent/, es: /devolver el dinero/ },
  ...{ "pt-BR": /devolver o dinheiro/, ja: /返金/, ar: /يعيد المال/ },
};
test("the shop of a dispute can send the money back, in every language", () => {
  for (const { tag, dispute } of [ENGLISH_TEXTS, ...LANGUAGES])
    if (tag in SEND_BACK) assert.match(dispute.silence.others, SEND_BACK[tag]!, tag);
});

/** The receipt in a word, by language. */
const RECEIPT: Readonly<Record<string, RegExp>> = {
  ...{ en: /receipt/, de: /Beleg/, fr: /reçu/, es: /recibo/, "pt-BR": /recibo/, ja: /領収書/, ar: /إيصال/ },
};
test("the checkout sends the buyer of a disputed payment to the receipt: an agreement may wait, or nobody have decided", () => {
  for (const { tag, page } of [ENGLISH_TEXTS, ...LANGUAGES])
    if (tag in RECEIPT) assert.match(page.states.disputed.text, RECEIPT[tag]!, tag);
});

test("§4.15 a wallet that closes a record is promised no deposit: it may be another's", () => {
  const payment = { amount: "5", refundTotal: "0", amountRefunded: "0" } as ChainPayment;
  for (const { tag, receipt } of [ENGLISH_TEXTS, ...LANGUAGES].map(draftLanguage))
    assert.ok(!receipt.ways.close.includes(describeAction(receipt, "close", payment)), tag);
});

test("an agreement says whose part it is, and asks for no rest where nothing comes back", () => {
  const textsOf = (tag: string) => LANGUAGES.find((one) => one.tag === tag)!;
  for (const [tag, wrong] of [
    ["es", /\bsu parte\b/],
    ["pt-BR", /\bsua parte\b/],
  ] as const) {
    const { receipt, dispute } = textsOf(tag);
    for (const text of [receipt.agreedText, dispute.acceptTexts.both, dispute.waitsRefund, dispute.waitsRelease])
      assert.doesNotMatch(text, wrong, tag);
  }
  for (const [tag, rest] of [
    ["fr", /reste/],
    ["ar", /الباقي/],
  ] as const) {
    const { head, silence } = textsOf(tag).dispute;
    assert.doesNotMatch(`${head.agreedYours} ${silence.agreedYours}`, rest, tag);
  }
  assert.match(textsOf("fr").dispute.offered("5 USDC"), /vous propose 5 USDC/);
});

test("no sentence names the arbiter and the decision by the same stem: a decider who decides", () => {
  const same: Readonly<Record<string, RegExp>> = {
    ar: /(قرّرت|أصدرت) جهة القرار|القرار لجهة القرار/,
    es: /[Dd]ecisor[^.:;]*\bdecid|\b[Dd]ecid[^.:;]*decisor/,
    fr: /[Dd]écideur[^.:;]*\bdécid(?!eur)/,
    ja: /決定者[がは][^、。]*決定|決定者の決定/,
    "pt-BR": /[Dd]ecisor[^.:;]*\bdecid|\b[Dd]ecid[^.:;]*decisor/,
  };
  for (const language of LANGUAGES)
    for (const [path, text] of pairsOf(language, ENGLISH_TEXTS)) {
      const wrong = same[language.tag];
      if (wrong !== undefined) assert.doesNotMatch(String(text), wrong, `${language.tag} ${path}`);
    }
});

test("no language says that somebody keeps the money in trust, vouches for it or judges like a court", () => {
  const wrong: Readonly<Record<string, RegExp>> = {
    en: /\bcustod|\btrustee|\bguarant|safekeep|\bjudg(?:e|ment)\b|\bverdict/i,
    de: /treuh|verwahr|kustod|\bgarant|bürg|urteil|\bgericht/i,
    fr: /séquestre|consign|\bgaranti|fiduci|\bjuge\b|\bjugement|tribunal/i,
    es: /custodi|fiduci|fideicom|garant|\bjuez\b|juzga|sentencia|tribunal/i,
    "pt-BR": /custódi|fiduci|garant|caução|\bjuiz\b|julga|sentença|tribunal/i,
    ja: /お金[^。]*保管|エスクロー[^。]*保管|信託|供託|保証|審理|裁判|判決/,
    ar: /ضمان|حراسة|قاضٍ|محكمة|محفوظة؛/,
  };
  for (const language of [ENGLISH_TEXTS, ...LANGUAGES])
    for (const [path, text] of pairsOf(language, ENGLISH_TEXTS)) {
      const words = wrong[language.tag];
      if (words !== undefined) assert.doesNotMatch(String(text), words, `${language.tag} ${path}`);
    }
});

test("every language names the arbiter where the dispute and the receipt say who decides", () => {
  for (const { tag, dispute, receipt } of [ENGLISH_TEXTS, ...LANGUAGES.filter((one) => one.tag !== PSEUDO.tag)]) {
    const { head, silence, track } = dispute;
    for (const text of [
      ...[head.arbiter, silence.arbiter, silence.failed, silence.agreedYours, silence.agreedOthers],
      ...[track.decide.title, track.decideLate.title, track.decideElse.title, dispute.asking.othersAsked],
      ...[receipt.arbiterDecides, receipt.arbiterDecidesElse, receipt.arbiterDecidesUnless],
    ])
      assert.ok(text.toLowerCase().includes(dispute.arbiter.toLowerCase()), `${tag}: ${text}`);
  }
});

test("a page has the texts of its own language alone", () => {
  const [one, other] = LANGUAGES.filter(({ tag }) => tag !== PSEUDO.tag).map((texts: LanguageTexts) =>
    draftLanguage(texts),
  );
  if (one === undefined || other === undefined) return;
  const { text } = renderPage(pageOf("waiting", { device: "desktop", script: SCRIPT, language: one }));
  for (const language of [other, draftLanguage(ENGLISH_TEXTS)])
    assert.ok(!text.includes(language.page.script.mayBePaid) && !text.includes(language.page.protection));
});

test("§12.19 a choice stays as cookies with a tag alone, its link leads back to the same address, and refusals follow", async () => {
  const languages = openLanguages(["ar", "de"]);
  const { app } = createServer([]);
  const finder = createFinder({ database: {} as Database }, createLookUps(), async () => undefined);
  registerPage(app, "/pay/order", { limit: new ReadLimit(null), languages }, async (_request, _reply, speakFor) => {
    const { language, choices } = speakFor({ locale: "de-CH" });
    assert.equal(choices.length, 2);
    return { status: 200, page: noticePage(language.page, "Order", "") };
  });
  registerFindPage(app, { limit: new ReadLimit(null), languages }, finder, null);
  registerBuyerDoor(app, {
    ...{ languages, routes: findRoutes(finder), checkoutUrl: "https://pay.example", addressHeader: null },
    ...{ idempotency: { run: async (_: unknown, work: (write: object) => unknown) => work({}) }, bodyWaitMs: HUNG_MS },
    logError: (message: string) => assert.fail(message),
  } as unknown as Parameters<typeof registerBuyerDoor>[1]);
  const ask = (url: string, headers: Record<string, string> = {}) => inject(app.dispatch, { url, headers });
  const spoken = async (headers: Record<string, string>, url = "/pay") =>
    /<html lang="([^"]*)" dir="([^"]*)">/.exec((await ask(url, headers)).body)?.slice(1);
  assert.deepEqual(await spoken({ "accept-language": "de-AT,en;q=0.5" }), ["de", "ltr"]);
  assert.deepEqual(await spoken({ "accept-language": "fr" }), ["en", "ltr"]);
  const chosen = await ask("/pay?query=x&language=ar", { "accept-language": "de" });
  assert.deepEqual([chosen.statusCode, chosen.headers.location], [303, "/pay?query=x"]);
  assert.deepEqual(chosen.headers["set-cookie"], [
    "holdfast_language=ar; Path=/pay; Max-Age=31536000; SameSite=Lax; HttpOnly",
    "holdfast_language_of_visit=ar; Path=/pay; SameSite=Lax; HttpOnly",
  ]);
  const kept = { "accept-language": "de", cookie: "a=b; holdfast_language=ar" };
  assert.deepEqual(await spoken(kept), ["ar", "rtl"]);
  assert.deepEqual(await spoken(kept, "/pay?language=xx"), ["ar", "rtl"]);
  assert.deepEqual(await spoken(kept, "/pay/order"), ["de", "ltr"], "an order's locale");
  const now = { ...kept, cookie: `${kept.cookie}; holdfast_language_of_visit=ar` };
  assert.deepEqual(await spoken(now, "/pay/order"), ["ar", "rtl"], "a choice of this visit");
  const links = (await ask("/pay?query=x", kept)).body.match(/href="\?[^"]*" lang="[^"]*"/g);
  assert.deepEqual(links, ['href="?query=x&amp;language=en" lang="en"', 'href="?query=x&amp;language=de" lang="de"']);
  const refused = await inject(app.dispatch, {
    ...{ method: "POST", url: "/pay/find", headers: { "accept-language": "ar", "content-type": "application/json" } },
    payload: JSON.stringify({ query: "order 1042" }),
  });
  assert.equal(refused.json().error.message, "هذا ليس توقيعًا ولا عنوانًا ولا طلبًا.");
  await app.close();
});
