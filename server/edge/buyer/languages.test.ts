import assert from "node:assert/strict";
import { test } from "node:test";
import { Languages, type WantedLanguage } from "./languages.ts";

const languages = new Languages([{ tag: "en" }, { tag: "de" }, { tag: "pt-BR" }, { tag: "ar" }]);

test("§12.19 the language is the intent's, else the reader's choice, else the browser's, else the business's, else English", () => {
  const wanted: WantedLanguage = { locale: "ar", chosen: "pt-BR", accepted: "de", business: "de" };
  for (const [given, tag] of [
    [wanted, "ar"],
    [{ ...wanted, locale: "tlh" }, "pt-BR"],
    [{ ...wanted, locale: null, chosen: null }, "de"],
    [{ accepted: "tlh, *", business: "ar-EG" }, "ar"],
    [{}, "en"],
    [{ locale: "de-AT" }, "de"],
    [{ locale: "PT" }, "pt-BR"],
    [{ accepted: "fr-CH, fr;q=0.9, de;q=0.4, pt;q=0.8, ar;q=0" }, "pt-BR"],
    [{ accepted: "de;q=x, ar;q=0.1" }, "ar"],
    [{ accepted: `${"tlh,".repeat(5_000)}de` }, "en"],
    [{ accepted: "\u0000;;=,,;q=;" }, "en"],
  ] as const)
    assert.equal(languages.choose(given).tag, tag, JSON.stringify(given).slice(0, 100));
});
