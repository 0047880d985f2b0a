import type { Tenant } from "../../domain/callers.ts";
import { readNow } from "../../store/clock.ts";
import type { Database } from "../../store/database.ts";
import {
  type AssetRow,
  compareMatters,
  daysAt,
  type Matter,
  matterOfDeployment,
  mattersOfOperator,
  type WatchOf,
} from "./overview.ts";
import { findDeploymentRow, findOldestDue, listAssets, listMatters, SHOWN_MAX } from "./queries.ts";

export interface OverviewDeps {
  readonly slowDatabase: Database;
  readonly watchOf: WatchOf;
}

export interface Overview {
  readonly at: Date;
  readonly today: string;
  readonly matters: readonly Matter[];
  readonly hasMoreMatters: boolean;
  readonly assets: readonly AssetRow[];
  readonly hasMoreAssets: boolean;
}

const ASSETS_MAX = 8;

/** §13.16: what needs a person, and the sums of the tenant's tokens. Operators are told of the deployment, too. */
export async function readOverview(deps: OverviewDeps, tenant: Tenant, isOperator: boolean): Promise<Overview> {
  const { slowDatabase: db } = deps;
  const at = await readNow(db, tenant.environment);
  const days = daysAt(at);
  const [assets, matters] = await Promise.all([
    listAssets(db, tenant, days, ASSETS_MAX),
    readMatters(deps, tenant, isOperator, at),
  ]);
  const shown = matters.filter(
    (one, place) => matters.slice(0, place).filter(({ kind }) => kind === one.kind).length < SHOWN_MAX,
  );
  return {
    at,
    today: days.today,
    matters: shown,
    hasMoreMatters: shown.length < matters.length,
    assets: assets.slice(0, ASSETS_MAX),
    hasMoreAssets: assets.length > ASSETS_MAX,
  };
}

async function readMatters(
  { slowDatabase: db, watchOf }: OverviewDeps,
  tenant: Tenant,
  isOperator: boolean,
  now: Date,
): Promise<Matter[]> {
  const { environment } = tenant;
  const watch = watchOf(environment);
  const [own, deployment, due] = await Promise.all([
    listMatters(db, tenant),
    findDeploymentRow(db, environment),
    isOperator ? findOldestDue(db, environment) : null,
  ]);
  const ofDeployment = matterOfDeployment(deployment, watch.isHeld, now);
  return [
    ...own,
    ...(ofDeployment === null ? [] : [ofDeployment]),
    ...(isOperator ? mattersOfOperator(due, watch, now) : []),
  ].toSorted(compareMatters);
}
