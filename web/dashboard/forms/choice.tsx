/** A choice among several answers, in a box of its own. */
export const Choice = ({
  name,
  text,
  end,
  isChosen,
  onChoose,
}: {
  readonly name: string;
  readonly text: string;
  readonly end?: string;
  readonly isChosen: boolean;
  readonly onChoose: () => void;
}) => (
  <label
    className={`flex items-start gap-2 px-3 py-[10px] first-of-type:rounded-t-small last-of-type:rounded-b-small [&+label]:border-t [&+label]:border-line ${isChosen ? "bg-accent-wash" : ""}`}
  >
    <input
      type="radio"
      name={name}
      checked={isChosen}
      onChange={onChoose}
      className="mt-[2px] size-[16px] accent-[var(--accent)]"
    />
    <span className="min-w-0 flex-1 break-words">{text}</span>
    {end === undefined ? null : <b className="font-semibold tabular-nums">{end}</b>}
  </label>
);
