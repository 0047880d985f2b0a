import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { ApiError, type InputOf, type OperationId, type ResultOf, type WriteId } from "../api/client.ts";
import { LIVE_MS, read } from "../api/queries.ts";
import { type Fact, Facts } from "../shell/facts.tsx";
import { Page } from "../shell/page.tsx";
import { QueryState } from "../shell/queryState.tsx";

interface FactsPageProps<Id extends Exclude<OperationId, WriteId>> {
  readonly operation: Id;
  readonly input: InputOf<Id>;
  /** True: read again every few seconds. */
  readonly isLive?: boolean;
  readonly title: string;
  /** Links to the lists with the object; undefined until it is read. */
  readonly up: (object: ResultOf<Id> | undefined) => ReactNode;
  readonly actions?: (object: ResultOf<Id> | undefined) => ReactNode;
  /** Above the facts. */
  readonly notice?: (object: ResultOf<Id>) => ReactNode;
  readonly facts: (object: ResultOf<Id>) => readonly (Fact | null)[];
  /** Below the facts, such as lists of related objects. */
  readonly children: (object: ResultOf<Id>) => ReactNode;
  /** Shown in place of the object if the service does not know it. */
  readonly unknown?: ReactNode;
}

/** The page of one object: its facts, its actions and related lists. */
export function FactsPage<Id extends Exclude<OperationId, WriteId>>(props: FactsPageProps<Id>) {
  const { operation, input, isLive = false, title, up, actions, notice, facts, children, unknown } = props;
  const object = useQuery({ ...read(operation, input), refetchInterval: isLive ? LIVE_MS : false });
  const isUnknown = unknown !== undefined && object.error instanceof ApiError && object.error.status === 404;
  return (
    <Page title={title} text={up(object.data)} actions={actions?.(object.data)}>
      {isUnknown ? (
        unknown
      ) : (
        <QueryState query={object}>
          {(data) => (
            <>
              {notice?.(data)}
              <Facts facts={facts(data)} />
              {children(data)}
            </>
          )}
        </QueryState>
      )}
    </Page>
  );
}
