import { Fragment } from "react";

const GROUP = /.{1,4}/g;

/** An address in groups of four characters, for comparison by eye. A copied address has no gaps. */
export const GroupedAddress = ({ address }: { readonly address: string }) => (
  <code translate="no">
    {(address.match(GROUP) ?? []).map((group, index) => (
      // The groups have no identity and never move.
      // biome-ignore lint/suspicious/noArrayIndexKey: see above
      <Fragment key={index}>
        <span className="mr-2 whitespace-nowrap">{group}</span>
        <wbr />
      </Fragment>
    ))}
  </code>
);
