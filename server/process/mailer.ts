import { createTransport } from "nodemailer";
import type { Mailer } from "../features/staff/letters.ts";
import type { MailSettings } from "./config.ts";

/** Deadline of each step of sending a mail. */
const STEP_MS = 10_000;

/**
 * Sends mail by the SMTP server of the settings; null without one. The connection is encrypted, except to this machine:
 * mails carry links that set passwords.
 */
export function createMailer({ smtpUrl, from }: MailSettings): Mailer | null {
  if (smtpUrl === null) return null;
  const transport = createTransport({
    url: smtpUrl,
    requireTLS: !isLoopback(smtpUrl),
    connectionTimeout: STEP_MS,
    greetingTimeout: STEP_MS,
    socketTimeout: STEP_MS,
    dnsTimeout: STEP_MS,
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  return async (letter) => void (await transport.sendMail({ from, ...letter }));
}

function isLoopback(url: string): boolean {
  const { hostname } = new URL(url);
  return hostname === "localhost" || hostname === "127.0.0.1" || hostname === "[::1]";
}
