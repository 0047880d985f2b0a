import { FoldedId } from "@holdfast/ui/copy.tsx";
import { Link } from "@tanstack/react-router";
import * as texts from "../catalogue/index.ts";
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
  const text = <code className="break-all">{inRow ? <FoldedId id={id} /> : id}</code>;
  switch (kindOf(id)) {
    case "payment_intent":
      return (
        <Link to="/$business/$environment/intents/$intent" params={{ ...path, intent: id }}>
          {text}
        </Link>
      );
    case "payment":
      return (
        <Link to="/$business/$environment/payments/$payment" params={{ ...path, payment: id }}>
          {text}
        </Link>
      );
    case "event":
      return (
        <Link to="/$business/$environment/events/$event" params={{ ...path, event: id }}>
          {text}
        </Link>
      );
    case "webhook_endpoint":
      return (
        <Link to="/$business/$environment/webhooks/$endpoint" params={{ ...path, endpoint: id }}>
          {text}
        </Link>
      );
    case "webhook_delivery":
      return (
        <Link to="/$business/$environment/deliveries/$delivery" params={{ ...path, delivery: id }}>
          {text}
        </Link>
      );
    case "request":
      return (
        <Link to="/$business/$environment/requests/$request" params={{ ...path, request: id }}>
          {text}
        </Link>
      );
    case "transaction":
      return (
        <Link to="/$business/$environment/transactions/$signature" params={{ ...path, signature: id }}>
          {text}
        </Link>
      );
    default:
      return text;
  }
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
