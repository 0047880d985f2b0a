import { Badge, Notice, type Tone } from "@holdfast/ui/badge.tsx";
import { Button } from "@holdfast/ui/button.tsx";
import { Chart, type ChartProps } from "@holdfast/ui/chart.tsx";
import { CopyOnce, ShortId } from "@holdfast/ui/copy.tsx";
import { Actions, Dialog } from "@holdfast/ui/dialog.tsx";
import { Select, TextArea, TextField } from "@holdfast/ui/field.tsx";
import { Menu } from "@holdfast/ui/menu.tsx";
import { EmptyState, ErrorState, Skeleton } from "@holdfast/ui/states.tsx";
import { Table } from "@holdfast/ui/table.tsx";
import { Tabs } from "@holdfast/ui/tabs.tsx";
import { Time } from "@holdfast/ui/time.tsx";
import { showToast } from "@holdfast/ui/toast.tsx";
import { useNavigate, useSearch } from "@tanstack/react-router";
import { useState } from "react";
import { Page, Section } from "../shell/page.tsx";

const TONES: readonly Tone[] = ["good", "wait", "bad", "info", "neutral"];
const ID = "pi_test_01a1fbfeaecb562cb684bcc909ec4992";
const ROWS = [
  { id: "1", name: "Shop server", at: "2026-11-20T08:30:00.000Z", amount: "24.50" },
  { id: "2", name: "Reports", at: null, amount: "1,204.00" },
];

const CHART: ChartProps = {
  label: "An example of a chart",
  group: "parts",
  tone: "accent",
  at: [0, 1, 2, 3, 4, 5, 6, 7].map((hour) => 1_780_000_000 + hour * 3_600),
  values: [98, 99, 100, null, 60, null, 97, 99],
  max: 100,
  show: (value) => `${value} %`,
  onPoint: () => undefined,
};

/** Every part in every state. A part that is not here is not part of the look. */
export const PartsPage = () => (
  <main>
    <Page title="Parts" text="Every part of the pages in every state, in the colours of this device.">
      <Section title="Buttons">
        <div className="flex flex-wrap gap-2">
          <Button kind="primary">Primary</Button>
          <Button>Plain</Button>
          <Button kind="danger">Danger</Button>
          <Button kind="quiet">Quiet</Button>
          <Button kind="primary" isBusy>
            Busy
          </Button>
          <Button disabled>Disabled</Button>
          <Menu
            items={[
              { text: "Chosen", isCurrent: true, onSelect: () => undefined },
              { text: "Another", onSelect: () => undefined },
              { text: "Remove", isDanger: true, onSelect: () => undefined },
            ]}
          >
            Menu
          </Menu>
        </div>
      </Section>
      <Fields />
      <Section title="Chart" text="A gap where there is no value, a dot where there is one alone.">
        <Chart {...CHART} />
      </Section>
      <Section title="Badges and notices">
        <div className="flex flex-wrap gap-2">
          {TONES.map((tone) => (
            <Badge key={tone} tone={tone}>
              {tone}
            </Badge>
          ))}
        </div>
        {TONES.map((tone) => (
          <Notice key={tone} tone={tone}>
            A notice that is {tone}: one sentence, and what to do.
          </Notice>
        ))}
      </Section>
      <Section title="Table, ids and times">
        <Table
          caption="Rows"
          columns={[
            { title: "Name", cell: ({ name }: (typeof ROWS)[number]) => name },
            { title: "Id", cell: () => <ShortId id={ID} /> },
            { title: "Last used", cell: ({ at }) => <Time at={at} none="Never" />, wideOnly: true },
            { title: "Amount", cell: ({ amount }) => amount, end: true },
          ]}
          rows={ROWS}
          keyOf={({ id }) => id}
        />
      </Section>
      <Section title="A secret, shown once">
        <CopyOnce
          what="The key"
          secret="sk_test_ihqlcnyzkbpo4krjsl2bcuf4t3xyzl2tq5wrga"
          warning="Copy the key now. It is not shown again."
        />
      </Section>
      <Section title="Empty, loading, failing">
        <EmptyState title="No key yet" action={<Button kind="primary">Create a key</Button>}>
          A key lets your server use the API.
        </EmptyState>
        <Skeleton quietMs={0} />
        <ErrorState
          title="This could not be read"
          message="The service cannot be reached. Check your connection, and try again."
          requestId="req_01a1fc06b1cd6aa165e96a8ab2d2e7fc"
          onRetry={() => undefined}
        />
      </Section>
      <InFront />
    </Page>
  </main>
);

const Fields = () => (
  <Section title="Fields">
    <div className="grid max-w-text gap-4">
      <TextField label="Empty" name="empty" placeholder="Shop server" />
      <TextField label="With a hint" name="hint" defaultValue="Fernweh Coffee" hint="Buyers read it at the checkout." />
      <TextField label="Wrong" name="wrong" defaultValue="kim@" error="Expected an e-mail address." />
      <TextField label="Disabled" name="disabled" defaultValue="Cannot be changed" disabled />
      <Select
        label="Choice"
        name="choice"
        options={[
          ["full", "Full"],
          ["read", "Read only"],
        ]}
      />
      <TextArea label="Text" name="text" defaultValue="You may send everything back within 14 days." />
    </div>
  </Section>
);

function InFront() {
  const [isOpen, setOpen] = useState(false);
  const { tab = "first" } = useSearch({ from: "/parts" });
  const navigate = useNavigate({ from: "/parts" });
  const close = () => setOpen(false);
  return (
    <Section title="Tabs, dialog, message">
      <Tabs
        label="Tabs"
        value={tab}
        onChange={(value) => void navigate({ search: { tab: value } })}
        tabs={[
          { value: "first", title: "First", content: "What the first tab shows." },
          { value: "second", title: "Second", content: "What the second tab shows." },
        ]}
      />
      <div className="flex flex-wrap gap-2">
        <Button onClick={() => setOpen(true)}>Open the dialog</Button>
        <Button onClick={() => showToast("The key was created.")}>Say that it is done</Button>
        <Button onClick={() => showToast("The key could not be created.", "bad")}>Say that it is not</Button>
      </div>
      <Dialog isOpen={isOpen} onClose={close} title="Revoke the key?" text="It stops working with its next request.">
        <Actions>
          <Button onClick={close}>Cancel</Button>
          <Button kind="danger" onClick={close}>
            Revoke
          </Button>
        </Actions>
      </Dialog>
    </Section>
  );
}
