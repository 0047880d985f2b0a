import type { Member, Tenant } from "../../domain/callers.ts";
import { readNow } from "../../store/clock.ts";
import type { Db } from "../../store/database.ts";
import type { Context } from "../context.ts";
import {
  ASSETS_MAX,
  type AssetRow,
  chooseMatters,
  daysAt,
  type Matter,
  matterOfDeployment,
  mattersOfOperator,
  type WatchOf,
  type WeekRow,
} from "./overview.ts";
import { findDeploymentRow, findOldestDue, listAssets, listMatters, listWeeks, SHOWN_MAX } from "./queries.ts";

export interface Overview {
  readonly at: Date;
  readonly today: string;
  readonly matters: readonly Matter[];
  readonly hasMoreMatters: boolean;
  readonly assets: readonly AssetRow[];
  readonly hasMoreAssets: boolean;
  /** The amounts paid in one of the tokens; null while there is none. */
  readonly volume: { readonly asset: string; readonly weeks: readonly WeekRow[] } | null;
}

/**
 * §13.17: what needs a person, and the sums of the tenant's tokens, with the weeks of the given one or else of the first.
 * Operators are told of the deployment, too.
 */
export async function readOverview(
  { slowDatabase: db }: Context,
  watchOf: WatchOf,
  tenant: Tenant,
  { token, isOperator }: { readonly token: string | null } & Pick<Member, "isOperator">,
): Promise<Overview> {
  const at = await readNow(db, tenant.environment);
  const days = daysAt(at);
  // One after the other: a page that is read again and again takes one of the few connections for slow reads, not several.
  const assets = await listAssets(db, tenant, days, ASSETS_MAX);
  const listed = assets.slice(0, ASSETS_MAX);
  const { asset } = listed.find((one) => one.asset === token) ?? listed[0] ?? { asset: null };
  const volume = asset === null ? null : { asset, weeks: await listWeeks(db, tenant, asset, days) };
  const matters = await readMatters(db, watchOf, tenant, isOperator, at);
  const shown = chooseMatters(matters, SHOWN_MAX);
  return {
    at,
    today: days.today,
    matters: shown,
    hasMoreMatters: shown.length < matters.length,
    assets: listed,
    hasMoreAssets: assets.length > ASSETS_MAX,
    volume,
  };
}

async function readMatters(
  db: Db,
  watchOf: WatchOf,
  tenant: Tenant,
  isOperator: boolean,
  now: Date,
): Promise<Matter[]> {
  const { environment } = tenant;
  const watch = watchOf(environment);
  const own = await listMatters(db, tenant);
  const deployment = await findDeploymentRow(db, environment);
  const due = isOperator ? await findOldestDue(db, environment) : null;
  const ofDeployment = matterOfDeployment(deployment, watch?.isHeld ?? false, now);
  return [
    ...own,
    ...(ofDeployment === null ? [] : [ofDeployment]),
    ...(isOperator ? mattersOfOperator(due, watch?.low ?? [], now) : []),
  ];
}
