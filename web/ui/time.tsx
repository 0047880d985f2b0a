import { datedText, exactText, rowText } from "./timeText.ts";

interface TimeProps {
  readonly at: string | null;
  /** The text in place of a time that there is not. */
  readonly none?: string;
  /** In a row of a list, which has no room for what is the same in most rows. */
  readonly inRow?: boolean;
}

/** A time in the reader's zone, with the exact one when it is pointed at. */
export const Time = ({ at, none = "–", inRow = false }: TimeProps) => {
  if (at === null) return <>{none}</>;
  const date = new Date(at);
  return (
    <time dateTime={at} title={exactText(date)} className="whitespace-nowrap">
      {inRow ? rowText(date, new Date()) : datedText(date)}
    </time>
  );
};
