import assert from "node:assert/strict";
import { once } from "node:events";
import { type AddressInfo, createServer } from "node:net";
import { test } from "node:test";
import { createMailer } from "./mailer.ts";

const LETTER = {
  to: "kim@shop.example",
  subject: "Set a new password",
  text: `Follow the link:\n\nhttps://dash.shop.example/dashboard/password#link=${"x".repeat(43)}\n`,
};

/** A mail server on a loopback address without encryption and passwords. */
async function startMailServer(host: string) {
  const lines: string[] = [];
  const server = createServer((socket) => {
    let inData = false;
    let rest = "";
    socket.on("error", () => socket.destroy());
    socket.write("220 mail\r\n");
    socket.on("data", (chunk) => {
      const parts = `${rest}${chunk}`.split("\r\n");
      rest = parts.pop()!;
      for (const line of parts) {
        lines.push(line);
        if (inData && line !== ".") continue;
        if (line === "DATA") socket.write("354 go on\r\n");
        else if (line === "STARTTLS") socket.write("502 no\r\n");
        else socket.write(line === "QUIT" ? "221 bye\r\n" : "250 fine\r\n");
        inData = line === "DATA";
        if (line === "QUIT") socket.end();
      }
    });
  });
  server.listen({ host, port: 0 });
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  return { lines, url: `smtp://${host}:${port}`, [Symbol.asyncDispose]: async () => void server.close() };
}

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
