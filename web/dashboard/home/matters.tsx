import { inOne } from "@holdfast/ui/amount.ts";
import { buttonClass } from "@holdfast/ui/button.tsx";
import { Icon } from "@holdfast/ui/icon.tsx";
import { Time } from "@holdfast/ui/time.tsx";
import { Link } from "@tanstack/react-router";
import type { Matter } from "../api/schema.ts";
import * as texts from "../catalogue/index.ts";
import { solOf, textOfAmount } from "../objects/amount.tsx";
import { useTenant } from "../shell/tenant.ts";
import { timeLeft } from "./figures.ts";

/** What needs a person now, a line each. */
export const Matters = ({ matters, at }: { readonly matters: readonly Matter[]; readonly at: string }) => (
  <ul
    aria-label={texts.home.needsTitle}
    className="m-0 grid list-none overflow-hidden rounded-card border border-line p-0"
  >
    {matters.map((matter) => (
      <MatterRow key={`${matter.kind} ${matter.id}`} matter={matter} at={at} />
    ))}
  </ul>
);

/** Nothing but news, or in others' hands for now. */
const CALM: ReadonlySet<Matter["kind"]> = new Set([
  "dispute",
  "question",
  "reply",
  "offer",
  "agreement",
  "deployment_changed",
]);

/** Those that the page of a dispute shows. */
const OF_DISPUTE: ReadonlySet<Matter["kind"]> = new Set(["dispute", "question", "reply", "offer", "agreement"]);

function MatterRow({ matter, at }: { readonly matter: Matter; readonly at: string }) {
  const [title, text] = describe(matter);
  const isCalm = CALM.has(matter.kind);
  return (
    <li className="grid grid-cols-[32px_minmax(0,1fr)_auto_auto] items-center gap-x-4 border-b border-line p-4 last:border-b-0 max-md:grid-cols-[32px_minmax(0,1fr)] max-md:items-start max-md:gap-x-3 max-md:gap-y-1">
      <span
        className={`grid size-[32px] place-items-center rounded-small ${isCalm ? "bg-wait-wash text-wait" : "bg-bad-wash text-bad"}`}
      >
        <Icon name={isCalm ? "info" : "warning"} />
      </span>
      <div className="min-w-0">
        <h2 className="break-words font-semibold">{title}</h2>
        <p className="break-words text-soft">{text}</p>
      </div>
      <p className="text-right text-small text-soft max-md:col-start-2 max-md:text-left">
        <TimeOf matter={matter} at={at} />
      </p>
      <OpenLink matter={matter} title={title} />
    </li>
  );
}

function TimeOf({ matter: { due, since }, at }: { readonly matter: Matter; readonly at: string }) {
  if (due === null && since === null) return null;
  const left = due === null ? null : timeLeft(at, due);
  const labels = texts.home.left;
  return (
    <>
      <span
        className={`block font-semibold ${due !== null && (left === null || left.days === 0) ? "text-bad" : "text-ink"}`}
      >
        {due === null
          ? texts.home.since
          : left === null
            ? labels.none
            : left.days > 0
              ? labels.days(left.days, left.hours)
              : left.hours > 0
                ? labels.hours(left.hours, left.minutes)
                : labels.minutes(left.minutes)}
      </span>
      <Time at={due ?? since} inRow />
    </>
  );
}

function OpenLink({ matter: { kind, id, detail }, title }: { readonly matter: Matter; readonly title: string }) {
  const { path } = useTenant();
  const look = {
    className: `${buttonClass("plain")} justify-self-end max-md:col-start-2 max-md:mt-2 max-md:justify-self-start`,
    "aria-label": texts.home.openNamed(title),
  };
  if (kind === "books_differ")
    return (
      <Link to="/$business/$environment/books" params={path} {...look}>
        {texts.home.open}
      </Link>
    );
  if (id === null) return null;
  if (kind === "endpoint_failing")
    return (
      <Link to="/$business/$environment/webhooks/$endpoint" params={{ ...path, endpoint: id }} {...look}>
        {texts.home.open}
      </Link>
    );
  if (OF_DISPUTE.has(kind) && detail !== null)
    return (
      <Link to="/$business/$environment/disputes/$dispute" params={{ ...path, dispute: detail }} {...look}>
        {texts.home.open}
      </Link>
    );
  if (kind !== "dispute" && kind !== "duplicate" && kind !== "over_limit" && kind !== "unmatched") return null;
  return (
    <Link to="/$business/$environment/payments/$payment" params={{ ...path, payment: id }} {...look}>
      {texts.home.open}
    </Link>
  );
}

/** The title and the text of a matter. */
function describe({ kind, id, reference, detail, ...matter }: Matter): readonly [title: string, text: string] {
  const name = reference ?? id ?? "";
  const amount =
    matter.amount === null || matter.asset === null ? "" : inOne(textOfAmount(matter.amount, matter.asset, matter));
  const sol = () => solOf(detail ?? "0");
  switch (kind) {
    case "checkouts_held":
      return [texts.home.matters.checkouts_held, texts.home.matterTexts.checkouts_held(changedText(detail))];
    case "books_differ":
      return [texts.home.matters.books_differ, texts.home.matterTexts.books_differ(amount)];
    case "agreement":
      return [texts.home.matters.agreement(name), texts.home.matterTexts.agreement];
    case "dispute":
    case "question":
    case "reply":
    case "offer":
    case "duplicate":
    case "over_limit":
      return [texts.home.matters[kind](name), texts.home.matterTexts[kind](amount)];
    case "unmatched":
      return [
        texts.home.matters.unmatched(amount),
        texts.home.matterTexts.unmatched[detail === "terms_differ" ? detail : "unknown_payment_id"],
      ];
    case "endpoint_failing":
      return [
        texts.home.matters.endpoint_failing,
        texts.home.matterTexts.endpoint_failing(name, detail ?? texts.home.unknownError),
      ];
    case "keeper_low":
    case "sponsor_low":
      return [texts.home.matters[kind], texts.home.matterTexts[kind](id ?? "", sol())];
    default:
      return [texts.home.matters[kind], texts.home.matterTexts[kind]];
  }
}

function changedText(detail: string | null): string {
  const changed = (["arbiter", "upgrade_authority", "program"] as const).filter((one) =>
    detail?.split(",").includes(one),
  );
  return changed.length === 0 ? texts.home.notRead : changed.map((one) => texts.home.changed[one]).join(" ");
}
