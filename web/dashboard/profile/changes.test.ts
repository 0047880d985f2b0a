import assert from "node:assert/strict";
import { test } from "node:test";
import { changesOf } from "./changes.ts";

test("only edited fields are sent; an emptied one is taken away, and line breaks alone are no edit", () => {
  const shown = {
    object: "business_profile",
    id: "biz_1",
    name: "Shop",
    domain: null,
    supportContact: "help@shop.example",
    refundPolicy: "30 days.\r\nUnused.",
    refundPolicyHash: "00",
    returnUrl: null,
    intentLifetimeMinutes: 90,
    reportingCurrency: null,
    timeZone: "Europe/Berlin",
    locale: null,
    color: "#5b3a8c",
    logo: null,
    emailName: null,
    emailLine: "Thank you.",
    emailReplyTo: null,
  } as const;
  const values = {
    name: "Shop",
    supportContact: "help@shop.example",
    refundPolicy: "30 days.\nUnused.",
    returnUrl: "",
    intentLifetimeMinutes: "90",
    reportingCurrency: "",
    timeZone: "Europe/Berlin",
    color: "#5b3a8c",
    logo: "",
    emailName: "",
    emailLine: "Thank you.",
    emailReplyTo: "",
  };
  assert.deepEqual(changesOf(shown, values), {});
  assert.deepEqual(changesOf(shown, { ...values, name: " New shop " }), { name: "New shop" });
  assert.deepEqual(changesOf(shown, { ...values, name: "" }), { name: "" }, "the service refuses it");
  assert.deepEqual(
    changesOf(shown, { ...values, supportContact: " ", refundPolicy: "", returnUrl: " https://shop.example " }),
    { supportContact: null, refundPolicy: null, returnUrl: "https://shop.example" },
  );
  assert.deepEqual(changesOf(shown, { ...values, emailName: " Roastery ", emailLine: "" }), {
    emailName: "Roastery",
    emailLine: null,
  });
  assert.deepEqual(changesOf(shown, { ...values, color: "", logo: "iVBORw0K" }), { color: null, logo: "iVBORw0K" });
  assert.deepEqual(changesOf(shown, { ...values, intentLifetimeMinutes: "" }), { intentLifetimeMinutes: null });
  assert.deepEqual(changesOf(shown, { ...values, intentLifetimeMinutes: "15" }), { intentLifetimeMinutes: 15 });
  assert.deepEqual(changesOf(shown, { ...values, reportingCurrency: "EUR", timeZone: "" }), {
    reportingCurrency: "EUR",
    timeZone: null,
  });
});
