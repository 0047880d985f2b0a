import { Fragment } from "react";

const GROUP = /.{1,4}/g;

/** An address in groups of four characters, to be compared with another by eye. What is copied of it has no gaps. */
export const GroupedAddress = ({ address }: { readonly address: string }) => (
  <code>
    {(address.match(GROUP) ?? []).map((group, index) => (
      // Groups without identity, which never move.
      // biome-ignore lint/suspicious/noArrayIndexKey: see above
      <Fragment key={index}>
        <span className="mr-2 whitespace-nowrap">{group}</span>
        <wbr />
      </Fragment>
    ))}
  </code>
);
