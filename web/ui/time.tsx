import { datedText, exactText, rowText } from "./timeText.ts";

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
