import { purgeForms } from "../edge/http/formKeys.ts";
import { purgeAnswers } from "../edge/http/idempotency.ts";
import { createAddressErasure } from "../features/buyerEmails/retention.ts";
import type { Context } from "../features/context.ts";
import { createRetentionStep } from "../features/disputes/erasure/retention.ts";
import { purgeProofs } from "../features/disputes/proof/queries.ts";
import { recheckDomains } from "../features/domains/actions.ts";
import { purgeBatches } from "../features/intents/batch/queries.ts";
import { createRatesStep } from "../features/rates/load.ts";
import { valueEntries } from "../features/rates/value.ts";
import { keepRequests } from "../features/requests/upkeep.ts";
import { purgeStaff } from "../features/staff/actions.ts";
import { createConfirmStep, forgetUnconfirmed } from "../features/staff/companySignIn/confirm.ts";
import { log } from "../lib/log.ts";
import { startLoop } from "../lib/loop.ts";
import { openCompany } from "./company.ts";
import { findBackupAgeMs } from "./doctor/machine.ts";
import type { Lookups } from "./domainLookups.ts";
import { type Run, type Stop, stopAll } from "./run.ts";

const UPKEEP_MS = 3_600_000;
const PURGE_MS = 60_000;
/** A due domain is checked within this time. */
const DOMAINS_MS = 30_000;
/** A failed read of rates is tried again this soon. */
const RATES_MS = 600_000;
/** A changed file of rates is read within this time: those of tokens are soon old. */
const RATES_FILE_MS = 5_000;
/** The time until a movement of funds gets its value. */
const VALUES_MS = 3_000;

/** A session whose confirmation is due is confirmed within this time. */
const COMPANY_MS = 5_000;

/** Confirms sessions by the company. A copy of a deployment asks nobody: it would use up the tokens of the original. */
export async function startCompanyConfirmations({ config }: Run, ctx: Context): Promise<Stop> {
  const { sealing } = ctx;
  if (config.held.has("webhooks") || sealing === null) return;
  const provider = await openCompany(config);
  if (provider === null) return;
  return stopAll([startLoop("company sign-in", COMPANY_MS, createConfirmStep(ctx, { provider, sealing }), log)]);
}

/** Deletes old rows, creates the next partitions, and reports the age of the last backup. */
export function startUpkeep({ config: { backupFile, disputeRetentionDays }, figures }: Run, ctx: Context): Stop {
  const { database } = ctx;
  if (backupFile !== null)
    figures.push({
      name: "holdfast_backup_age_seconds",
      help: "Time since BACKUP_FILE was last touched; +Inf while the file is missing.",
      labels: [],
      read: async () => {
        const ageMs = await findBackupAgeMs(backupFile, new Date());
        return [{ labels: {}, value: ageMs === null ? Number.POSITIVE_INFINITY : ageMs / 1_000 }];
      },
    });
  const eraseDisputes = createRetentionStep(ctx, disputeRetentionDays);
  return stopAll([
    startLoop("erasure of disputes", UPKEEP_MS, eraseDisputes, log),
    startLoop("erasure of buyers' addresses", UPKEEP_MS, createAddressErasure(database), log),
    startLoop("upkeep of the request log", UPKEEP_MS, () => keepRequests(database, log), log),
    startLoop("purge", PURGE_MS, () => purgeAnswers(database), log),
    startLoop("purge of forms", PURGE_MS, () => purgeForms(database), log),
    startLoop("purge of sessions", PURGE_MS, () => purgeStaff(database), log),
    startLoop("purge of roles by groups", UPKEEP_MS, () => forgetUnconfirmed(database), log),
    startLoop("purge of batches", UPKEEP_MS, () => purgeBatches(database), log),
    startLoop("purge of proofs", PURGE_MS, () => purgeProofs(database), log),
  ]);
}

/** Checks domains. They are on other people's servers, so a copy of a deployment does not check them. */
export function startDomainChecks({ config }: Run, ctx: Context, lookups: Lookups): Stop {
  if (config.held.has("webhooks")) return;
  return stopAll([
    startLoop("domains", DOMAINS_MS, (signal) => recheckDomains(ctx, lookups, "quick", signal), log),
    startLoop("slow domains", DOMAINS_MS, (signal) => recheckDomains(ctx, lookups, "slow", signal), log),
  ]);
}

/** Reads rates and decides the values of movements. A copy of a deployment reads no rates of others. */
export function startRates({ config }: Run, ctx: Context, { fetchFile }: Lookups): Stop {
  const { ratesUrl, ratesFile: file, assetPars } = config;
  const url = config.held.has("webhooks") ? null : ratesUrl;
  return stopAll([
    ...(url === null ? [] : [startLoop("rates", RATES_MS, createRatesStep(ctx, fetchFile, { url, file: null }), log)]),
    ...(file === null
      ? []
      : [startLoop("file of rates", RATES_FILE_MS, createRatesStep(ctx, fetchFile, { url: null, file }), log)]),
    startLoop("values", VALUES_MS, () => valueEntries(ctx.database, assetPars), log),
  ]);
}
