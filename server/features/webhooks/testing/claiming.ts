import { randomUUID } from "node:crypto";
import type { Db } from "../../../store/database.ts";
import { type Claim, claimDeliveries, type Room } from "../delivery/claims.ts";
import { renewWorker, takeQueued } from "../delivery/leaseQueries.ts";

const ALIVE_MS = 3_600_000;

/** Adds a worker that is alive for an hour and leases every endpoint with rows. Returns its id. */
export async function leaseQueued(db: Db, worker: string = randomUUID()): Promise<string> {
  await renewWorker(db, worker, ALIVE_MS, false);
  await takeQueued(db, worker);
  return worker;
}

const WORKER = "00000000-0000-4000-8000-000000000001";

/** Claims as the only worker. */
export const claimAlone = async (db: Db, room: Omit<Room, "worker">): Promise<Claim[]> =>
  claimDeliveries(db, { ...room, worker: await leaseQueued(db, WORKER) }, randomUUID());
