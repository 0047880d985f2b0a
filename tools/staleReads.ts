import type { Declaration } from "../server/edge/http/declaration.ts";

/** The members of a route that say what it reads and changes. */
export interface DescribedRoute {
  readonly method: string;
  readonly path: string;
  readonly docs: Pick<Declaration, "operationId" | "tag" | "changesNothing" | "changes">;
}

/**
 * Each write that changes the answers of reads, with their operationIds. Throws if a write names an operation that is no
 * read, and if neither its declaration nor its path says what it changes.
 */
export function readsChangedBy(routes: readonly DescribedRoute[]): (readonly [id: string, reads: readonly string[]])[] {
  const reads = routes.filter(({ method }) => method === "GET");
  const ids = new Set(reads.map(({ docs }) => docs.operationId));
  return routes.flatMap(({ method, path, docs: { operationId, tag, changesNothing, changes } }) => {
    if (method === "GET" || changesNothing) return [];
    const ofTag = reads.filter(({ docs }) => docs.tag === tag);
    const changed =
      changes ?? ofTag.filter((read) => `${path}/`.startsWith(`${read.path}/`)).map(({ docs }) => docs.operationId);
    const unknown = changed.filter((id) => !ids.has(id));
    if (unknown.length > 0)
      throw new Error(`${operationId} declares that it changes ${unknown.join(", ")}: no read has that operationId.`);
    if (changed.length === 0 && changes === undefined && ofTag.length > 0)
      throw new Error(`${operationId} does not say which reads it changes. Declare them in changes, or an empty list.`);
    return changed.length === 0 ? [] : [[operationId, changed] as const];
  });
}
