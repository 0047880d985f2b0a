import { setTimeout as sleep } from "node:timers/promises";
import { emailFinders } from "../app/emails.ts";
import { openLanguages } from "../app/languages/languages.ts";
import type { Chain } from "../chain/chain.ts";
import { openAddressBook } from "../features/buyerEmails/actions.ts";
import { createBuyerEmailStep } from "../features/buyerEmails/gather.ts";
import type { Context } from "../features/context.ts";
import { createAddressStep, createBuyerNewsStep } from "../features/disputes/address/gather.ts";
import { warnArbiters } from "../features/disputes/desk/warnings.ts";
import { createNewsStep } from "../features/disputes/notices/gather.ts";
import { purgeNotices } from "../features/disputes/notices/queries.ts";
import { EMAILS_QUEUED } from "../features/emails/email.ts";
import { outcomesFigure, waitingFigure } from "../features/emails/figures.ts";
import { purgeEmails } from "../features/emails/queries.ts";
import { createEmailStep } from "../features/emails/send.ts";
import { log } from "../lib/log.ts";
import { type Step, startLoop } from "../lib/loop.ts";
import { createMailer } from "./mailer.ts";
import { type Run, type Stop, stopAll } from "./run.ts";

/** The time until an email is sent that another process queued, and until news of a dispute is gathered. */
const IDLE_MS = 5_000;
/** A warning of a date days ahead may be late by this time. */
const WARNINGS_MS = 600_000;
/** The time until a process without a mail server deletes what nobody sent. */
const PURGE_MS = 600_000;
/** The longest wait for an email under way when the process stops. Its lease ends by itself. */
const STOP_MS = 2_500;

/**
 * Gathers news into emails, and sends all emails. Without a mail server both wait, each until it is too old; so do
 * those of a copy of a deployment, which writes to nobody.
 */
export function sendEmails({ config, eventsRecorded, figures }: Run, ctx: Context, chains: readonly Chain[]): Stop {
  const { database, sealing } = ctx;
  const finders = emailFinders(ctx, openLanguages(config.languages));
  const book = sealing && openAddressBook(ctx, sealing);
  const mailer = createMailer(config.mail);
  figures.push(outcomesFigure);
  if (mailer !== null) figures.push(waitingFigure(database));
  const addresses = startLoop("addresses of disputes", IDLE_MS, createAddressStep(ctx, book), log);
  if (mailer === null || config.held.has("webhooks"))
    return stopAll([startLoop("emails", PURGE_MS, () => purge(ctx, chains), log), addresses])!;
  const step = createEmailStep(ctx, mailer, finders);
  const emails = startLoop("emails", IDLE_MS, step, log);
  eventsRecorded.add((topics) => {
    if (topics.includes(EMAILS_QUEUED)) emails.wake();
  });
  const gathering = [
    ...chains.flatMap((chain) => {
      const start = (name: string, step: Step) => startLoop(`${chain.environment} ${name}`, IDLE_MS, step, log);
      const own = { ...ctx, chain };
      return [
        start("news to members", createNewsStep(own)),
        ...(sealing === null
          ? []
          : [
              start("news to buyers", createBuyerNewsStep(own)),
              start("emails to buyers", createBuyerEmailStep(own, sealing)),
            ]),
      ];
    }),
    addresses,
    startLoop("warnings to arbiters", WARNINGS_MS, () => warnArbiters(database), log),
  ];
  const stopGathering = stopAll(gathering)!;
  return async () => {
    await stopGathering();
    await Promise.race([emails.stop(), sleep(STOP_MS, null, { ref: false })]);
  };
}

async function purge({ database }: Context, chains: readonly Chain[]): Promise<boolean> {
  for (const { environment } of chains) await purgeNotices(database, environment);
  return purgeEmails(database);
}
