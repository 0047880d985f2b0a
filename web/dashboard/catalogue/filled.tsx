import { Fragment, type ReactNode } from "react";

type SlotsOf<Text extends string> = Text extends `${string}{${infer Slot}}${infer Rest}` ? Slot | SlotsOf<Rest> : never;

/** A text of the catalogue with an element in each `{slot}`. */
export const Filled = <const Text extends string>({
  text,
  slots,
}: {
  readonly text: Text;
  readonly slots: Readonly<Record<SlotsOf<Text>, ReactNode>>;
}) =>
  text
    .split(/\{(\w+)\}/)
    // biome-ignore lint/suspicious/noArrayIndexKey: only its position identifies a part
    .map((part, index) => <Fragment key={index}>{index % 2 === 0 ? part : slots[part as SlotsOf<Text>]}</Fragment>);
