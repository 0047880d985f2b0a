import * as Radix from "@radix-ui/react-tabs";
import type { ReactNode } from "react";

export interface Tab {
  readonly value: string;
  readonly title: string;
  readonly content: ReactNode;
}

/** Parts of a page of which one is visible. The URL holds the choice: `value` and `onChange` are its search parameter. */
export const Tabs = ({
  label,
  tabs,
  value,
  onChange,
}: {
  readonly label: string;
  readonly tabs: readonly Tab[];
  readonly value: string;
  readonly onChange: (value: string) => void;
}) => (
  <Radix.Root value={value} onValueChange={onChange} className="grid gap-4">
    <Radix.List aria-label={label} className="flex gap-1 overflow-x-auto border-b border-line">
      {tabs.map((tab) => (
        <Radix.Trigger
          key={tab.value}
          value={tab.value}
          className="-mb-px border-0 border-b-2 border-transparent bg-transparent px-3 py-2 font-medium text-soft data-[state=active]:border-accent data-[state=active]:text-ink"
        >
          {tab.title}
        </Radix.Trigger>
      ))}
    </Radix.List>
    {tabs.map((tab) => (
      <Radix.Content key={tab.value} value={tab.value}>
        {tab.content}
      </Radix.Content>
    ))}
  </Radix.Root>
);
