import { datedText, exactText, rowText, waitText } from "./timeText.ts";

interface TimeProps {
  readonly at: string | null;
  /** The text for a missing time. */
  readonly none?: string;
  /** In a row of a list, which has no room for parts that are the same in most rows. */
  readonly inRow?: boolean;
}

/** A time in the reader's zone; its tooltip has the exact one. */
export const Time = ({ at, none = "–", inRow = false }: TimeProps) => {
  if (at === null) return <>{none}</>;
  const date = new Date(at);
  return (
    <time dateTime={at} title={exactText(date)} className="whitespace-nowrap">
      {inRow ? rowText(date, new Date()) : datedText(date)}
    </time>
  );
};

/** The wait until a time as of `at`, the service's time; null while that is not read. Its tooltip has the exact time. */
export const Wait = ({ until, at }: { readonly until: string; readonly at: string | null }) => {
  const date = new Date(until);
  return (
    <time dateTime={until} title={exactText(date)} className="whitespace-nowrap font-semibold text-ink">
      {at === null ? "…" : waitText(date.getTime() - Date.parse(at))}
    </time>
  );
};
