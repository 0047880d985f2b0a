import assert from "node:assert/strict";
import { test } from "node:test";
import { startMailServer } from "../../tests/harness/mailServer.ts";
import { createMailer } from "./mailer.ts";

const EMAIL = {
  to: "kim@shop.example",
  subject: "Set a new password",
  text: `Follow the link:\n\nhttps://dash.shop.example/dashboard/password#link=${"x".repeat(43)}\n`,
};
const mailerOf = (smtpUrl: string) => createMailer({ smtpUrl, from: "Holdfast <no-reply@shop.example>" })!;

test("§13.3 an email arrives by SMTP with its link whole", async () => {
  await using mail = await startMailServer("127.0.0.1");
  assert.equal(await mailerOf(mail.url)(EMAIL), 250);
  assert.ok(mail.lines.includes("RCPT TO:<kim@shop.example>"), mail.lines.join("\n"));
  assert.ok(mail.lines.some((line) => line.startsWith("From: Holdfast <no-reply@shop.example>")));
  const text = mail.lines.join("\n").replaceAll("=\n", "").replaceAll("=3D", "=");
  assert.ok(text.includes(EMAIL.text.split("\n")[2]!), text);
});

test("§13.3.4 an answer about an address or a text is of its email; any other is an outage of the server", async () => {
  await using mail = await startMailServer("127.0.0.1");
  const answers: readonly (readonly [command: string, answer: string, outcome: number | "outage"])[] = [
    ["RCPT", "550 no such user", 550],
    ["RCPT", "451 come back later", 451],
    [".", "554 not wanted", 554],
    ["MAIL", "550 who are you", "outage"],
    ["MAIL", "452 full", "outage"],
    ["RCPT", "421 closing", "outage"],
  ];
  for (const [command, text, outcome] of answers) {
    mail.answer = (line) => (line.startsWith(command) ? text : null);
    const code = await mailerOf(mail.url)(EMAIL).catch((error: { outage?: string }) => {
      assert.equal(error.outage, "mail server", `${command} ${text}`);
      return "outage";
    });
    assert.equal(code, outcome, `${command} ${text}`);
  }
});

test("an email is not handed openly to a mail server that is not this machine's", async () => {
  await using mail = await startMailServer("0.0.0.0");
  await assert.rejects(mailerOf(mail.url)(EMAIL));
  assert.ok(!mail.lines.some((line) => line.startsWith("MAIL FROM")), mail.lines.join("\n"));
});

test("without a mail server there is no mailer", () => {
  assert.equal(createMailer({ smtpUrl: null, from: "" }), null);
});
