import { FoldedId } from "@holdfast/ui/copy.tsx";
import { Link } from "@tanstack/react-router";
import * as texts from "../catalogue/index.ts";
import { placeOf } from "../place.ts";
import { useTenant } from "../shell/tenant.ts";
import { kindOf } from "./kind.ts";

interface ObjectLinkProps {
  readonly id: string;
  /** In a row of a list: its middle is folded. */
  readonly inRow?: boolean;
}

/** An id with a link to the page of its object. */
export function ObjectLink({ id, inRow = false }: ObjectLinkProps) {
  const { path } = useTenant();
  const text = (
    <code translate="no" className="break-all">
      {inRow ? <FoldedId id={id} /> : id}
    </code>
  );
  const kind = kindOf(id);
  return kind === null || kind === "api_key" ? text : <Link {...placeOf(path, kind, id)}>{text}</Link>;
}

/** The same as a fact of an object. */
export const objectLink = (id: string) => <ObjectLink id={id} />;

/** A link to the page that compares a transaction with an intent. */
export const TransactionLink = ({ signature, intent }: { readonly signature: string; readonly intent: string }) => {
  const { path } = useTenant();
  return (
    <Link to="/$business/$environment/transactions/$signature" params={{ ...path, signature }} search={{ intent }}>
      {texts.objects.explainTransaction}
    </Link>
  );
};
