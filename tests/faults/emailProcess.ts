import { emailFinders } from "../../server/app/emails.ts";
import { openLanguages } from "../../server/app/languages/languages.ts";
import { createBuyerEmailStep } from "../../server/features/buyerEmails/gather.ts";
import { warnArbiters } from "../../server/features/disputes/desk/warnings.ts";
import { createNewsStep } from "../../server/features/disputes/notices/gather.ts";
import { createEmailStep } from "../../server/features/emails/send.ts";
import { testContext } from "../../server/features/testing.ts";
import { readKeyRing, sealingOf } from "../../server/features/webhooks/sending/secret.ts";
import { startLoop } from "../../server/lib/loop.ts";
import { createMailer } from "../../server/process/mailer.ts";
import { openDatabase } from "../../server/store/database.ts";

/** A sender of emails in a process of its own, to be killed. Its arguments are the database, the mail server, and the keys of addresses. */
const [connectionString, smtpUrl, keys] = process.argv.slice(2);
const log = (message: string, error?: unknown) => console.error(message, error ?? "");
const database = openDatabase({
  connection: { connectionString: connectionString! },
  connectionsMax: 4,
  statementTimeoutMs: 15_000,
  log,
});
const mailer = createMailer({ smtpUrl: smtpUrl!, from: "no-reply@shop.example" })!;
const sealing = sealingOf(readKeyRing(keys!));
const ctx = testContext({ database, sealing, log });
const finders = emailFinders(ctx, openLanguages([]));
startLoop("emails", 20, createEmailStep(ctx, mailer, finders), log);
startLoop("emails to buyers", 20, createBuyerEmailStep(ctx, sealing), log);
startLoop("news", 20, createNewsStep(ctx), log);
startLoop("warnings", 20, () => warnArbiters(database), log);
