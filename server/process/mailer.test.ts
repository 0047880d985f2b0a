import assert from "node:assert/strict";
import { test } from "node:test";
import { startMailServer } from "../../tests/harness/mailServer.ts";
import { createMailer } from "./mailer.ts";

const LETTER = {
  to: "kim@shop.example",
  subject: "Set a new password",
  text: `Follow the link:\n\nhttps://dash.shop.example/dashboard/password#link=${"x".repeat(43)}\n`,
};

test("§13.3 a letter arrives by SMTP with its link whole", async () => {
  await using mail = await startMailServer("127.0.0.1");
  await createMailer({ smtpUrl: mail.url, from: "Holdfast <no-reply@shop.example>" })!(LETTER);
  assert.ok(mail.lines.includes("RCPT TO:<kim@shop.example>"), mail.lines.join("\n"));
  assert.ok(mail.lines.some((line) => line.startsWith("From: Holdfast <no-reply@shop.example>")));
  const text = mail.lines.join("\n").replaceAll("=\n", "").replaceAll("=3D", "=");
  assert.ok(text.includes(LETTER.text.split("\n")[2]!), text);
});

test("a letter is not handed openly to a mail server that is not this machine's", async () => {
  await using mail = await startMailServer("127.0.0.2");
  await assert.rejects(createMailer({ smtpUrl: mail.url, from: "no-reply@shop.example" })!(LETTER));
  assert.ok(!mail.lines.some((line) => line.startsWith("MAIL FROM")), mail.lines.join("\n"));
});

test("without a mail server there is no mailer", () => {
  assert.equal(createMailer({ smtpUrl: null, from: "" }), null);
});
