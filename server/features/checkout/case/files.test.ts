import assert from "node:assert/strict";
import { test } from "node:test";
import { RECEIPT_VIEWS } from "../../../../tests/e2e/receiptViews.ts";
import type { FileType } from "../../disputes/files/file.ts";
import { aDispute, NO_FACTS, OPENED_AT } from "../../disputes/fixtures.ts";
import { ENGLISH } from "../languages/english.ts";
import { showFiles } from "./files.ts";

const receipt = { ...RECEIPT_VIEWS.disputed!, now: OPENED_AT };
const aFile = (type: FileType, name: string) =>
  ({
    id: `df_${name.length}`,
    side: "buyer",
    name,
    type,
    size: 1_234_567,
    sha256: Buffer.alloc(32),
    createdAt: OPENED_AT,
    erasedAt: null,
  }) as const;
const pageOf = (dispute: ReturnType<typeof aDispute>, ...files: readonly ReturnType<typeof aFile>[]) =>
  showFiles(ENGLISH.dispute, receipt, {
    ...{ dispute, files, statements: [], questions: [], ...NO_FACTS },
  })?.html ?? null;

test("§16.9 pictures alone are drawn, every file is saved from its address in the case, and names are escaped", () => {
  const page = pageOf(aDispute(), aFile("image/png", "a.png"), aFile("text/plain", '<b>".txt'))!;
  const path = `/pay/p/${receipt.payment.id}/case/files`;
  assert.match(page, new RegExp(`<a id="df_5" href="${path}/df_5" download="a.png"><img [^>]*src="${path}/df_5"`));
  assert.equal(page.split("<img").length, 2);
  assert.ok(
    page.includes('download="&lt;b&gt;&quot;.txt"') && page.includes(`<bdi translate="no">&lt;b&gt;&quot;.txt</bdi>`),
    page,
  );
  assert.ok(page.includes("1.2 MB · You"), page);
});

test("§17.6 an erased file says since when, and leads nowhere", () => {
  const erasedAt = new Date(OPENED_AT.getTime() + 1_000);
  const erased = { ...aFile("image/png", "a.png"), name: null, sha256: null, erasedAt };
  const content = { statements: [], questions: [], ...NO_FACTS };
  const page = showFiles(ENGLISH.dispute, receipt, { dispute: aDispute(), files: [erased], ...content })!.html;
  assert.ok(page.includes("Erased on") && page.includes(erasedAt.toISOString()), page);
  assert.doesNotMatch(page, /<img|href=|null/);
});

test("§16.9 the form for files is there exactly while the buyer may send one, and says when it is the one answer", () => {
  const hasForm = (page: string | null) => page?.includes('id="file-form"') ?? false;
  assert.ok(hasForm(pageOf(aDispute({ buyerFiles: 9 }))));
  assert.ok(!pageOf(aDispute())!.includes(ENGLISH.dispute.files.asWord));
  assert.equal(pageOf(aDispute({ buyerFiles: 10 })), null);
  assert.equal(pageOf(aDispute({ status: "closed" })), null);
  assert.ok(
    !hasForm(pageOf(aDispute({ status: "closed" }), aFile("image/png", "a.png"))),
    "those sent are still shown",
  );
  const answered = aDispute({ status: "deciding", lastWordBy: "merchant", lastWordAt: OPENED_AT });
  assert.ok(pageOf(answered)!.includes(ENGLISH.dispute.files.asWord));
  assert.ok(pageOf(answered)!.includes(ENGLISH.dispute.files.follow));
  assert.ok(!pageOf(aDispute())!.includes(ENGLISH.dispute.files.follow), "while both talk, files need no text");
  const follows = aDispute({ status: "deciding", lastWordBy: "buyer", lastWordAt: OPENED_AT, buyerWroteLate: true });
  assert.ok(hasForm(pageOf(follows)) && !pageOf(follows)!.includes(ENGLISH.dispute.files.asWord));
  assert.ok(pageOf(follows)!.includes(ENGLISH.dispute.files.follow));
  assert.equal(pageOf(aDispute({ status: "deciding", lastWordBy: "buyer", lastWordAt: OPENED_AT })), null);
});
