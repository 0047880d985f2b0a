import { createTransport } from "nodemailer";
import type { Mailer } from "../features/emails/send.ts";
import { isLoopback } from "../lib/loopback.ts";
import type { OutageError } from "../lib/outages.ts";
import type { MailSettings } from "./config.ts";

/** Deadline of each step of sending an email, and of all together: less than an email is leased for. */
const STEP_MS = 10_000;
const SENDING_MS = 30_000;
/** A mail server that answers this closes the connection, and says nothing about an email. */
const CLOSING = 421;

class MailServerError extends Error implements OutageError {
  readonly outage = "mail server";
}

/** An error of the client, as far as it tells whose fault it is. */
interface SmtpError {
  readonly command?: string;
  readonly responseCode?: number;
}

/**
 * Sends emails by the SMTP server of the settings; null without one. The connection is encrypted, except to this machine:
 * emails carry links that set passwords.
 */
export function createMailer({ smtpUrl, from }: MailSettings): Mailer | null {
  if (smtpUrl === null) return null;
  const transport = openTransport(smtpUrl);
  return async (message) => {
    const late = Promise.withResolvers<never>();
    const timer = setTimeout(() => late.reject(new Error(`no answer in ${SENDING_MS} ms`)), SENDING_MS);
    try {
      await Promise.race([transport.sendMail({ from, ...message }), late.promise]);
      return 250;
    } catch (error) {
      const answer = answerOf(error as SmtpError);
      if (answer !== null) return answer;
      throw new MailServerError(`The mail server takes no emails: ${(error as Error).message}`, { cause: error });
    } finally {
      clearTimeout(timer);
    }
  };
}

/** Signs in to the mail server and sends nothing. Throws if it cannot be reached, or refuses. */
export const signInToMail = (smtpUrl: string): Promise<unknown> => openTransport(smtpUrl).verify();

const openTransport = (smtpUrl: string) =>
  createTransport({
    url: smtpUrl,
    requireTLS: !isLoopback(new URL(smtpUrl).hostname),
    connectionTimeout: STEP_MS,
    greetingTimeout: STEP_MS,
    socketTimeout: STEP_MS,
    dnsTimeout: STEP_MS,
    disableFileAccess: true,
    disableUrlAccess: true,
  });

/** The code of the answer about the address or the text of an email; null if the error is about another thing. */
function answerOf({ command, responseCode }: SmtpError): number | null {
  const isOfEmail = command === "RCPT TO" || command === "DATA";
  return isOfEmail && responseCode !== undefined && responseCode !== CLOSING ? responseCode : null;
}
