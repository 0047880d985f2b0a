/** A text as it went over the wire. Nothing in it is markup; it is wrapped, and long ones scroll by keyboard too. */
export const RawText = ({ label, text }: { readonly label: string; readonly text: string }) => (
  <figure className="m-0 grid gap-1">
    <figcaption className="font-medium">{label}</figcaption>
    <pre
      // biome-ignore lint/a11y/noNoninteractiveTabindex: see above
      tabIndex={0}
      className="m-0 max-h-[50vh] overflow-auto whitespace-pre-wrap break-all rounded-small border border-line bg-paper px-3 py-2 text-small"
    >
      {text}
    </pre>
  </figure>
);
