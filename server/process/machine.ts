import type pg from "pg";
import type { Context } from "../features/context.ts";
import { log } from "../lib/log.ts";
import { startLoop } from "../lib/loop.ts";
import { readClock } from "../store/clock.ts";
import { createConnector } from "../store/connection.ts";
import { fetchCertificateEnd } from "./doctor/addresses.ts";
import { certificateEndOf } from "./doctor/database.ts";
import { readFree } from "./doctor/machine.ts";
import { type Run, type Stop, stopAll } from "./run.ts";

const DAY_MS = 86_400_000;
const CERTIFICATES_MS = 3_600_000;

/**
 * Reports what no request shows before it is too late: the disk, the clock and, on workers, certificates that end. An address
 * that cannot be reached keeps the end that it last showed.
 */
export function watchMachine(
  { config, dataDir, figures }: Run,
  { slowDatabase }: Context,
  connection: pg.ClientConfig,
): Stop {
  figures.push(
    {
      name: "holdfast_disk_free_ratio",
      help: "Free part of the file system of DATA_DIR, from 0 to 1.",
      labels: [],
      read: async () => {
        const { freeBytes, bytes } = await readFree(dataDir);
        return [{ labels: {}, value: freeBytes / bytes }];
      },
    },
    {
      name: "holdfast_clock_skew_seconds",
      help: "Time by which this machine's clock is ahead of the database's; negative: behind.",
      labels: [],
      read: async () => {
        const now = await readClock(slowDatabase);
        return [{ labels: {}, value: (Date.now() - now.getTime()) / 1_000 }];
      },
    },
  );
  if (config.role === "api") return;
  const { apiUrl, checkoutUrl, dashboardUrl } = config;
  const addresses = Object.entries({ API_URL: apiUrl, CHECKOUT_URL: checkoutUrl, DASHBOARD_URL: dashboardUrl });
  const ends = new Map<string, Date>();
  figures.push({
    name: "holdfast_certificate_days",
    help: "Days until the certificate of an address in the settings ends, as last seen by this process.",
    labels: ["setting"],
    read: async () =>
      [...ends].map(([setting, end]) => ({ labels: { setting }, value: (end.getTime() - Date.now()) / DAY_MS })),
  });
  const findEnd = async (): Promise<Date | null> => {
    const client = await createConnector(connection).connect({}, () => undefined);
    try {
      return certificateEndOf(client);
    } finally {
      await client.end();
    }
  };
  const checks = [
    ...addresses
      .filter(([, url]) => url.startsWith("https:"))
      .map(([setting, url]) => [setting, () => fetchCertificateEnd(url)] as const),
    ...(config.databaseUrl === null ? [] : [["DATABASE_URL", findEnd] as const]),
  ];
  const check = async () => {
    await Promise.all(
      checks.map(async ([setting, find]) => {
        const end = await find().catch(() => null);
        if (end !== null) ends.set(setting, end);
      }),
    );
    return false;
  };
  return stopAll([startLoop("certificates", CERTIFICATES_MS, check, log)]);
}
