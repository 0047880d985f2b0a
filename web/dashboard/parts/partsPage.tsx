import { Badge, Notice, type Tone } from "@holdfast/ui/badge.tsx";
import { Button } from "@holdfast/ui/button.tsx";
import { Chart, type ChartProps } from "@holdfast/ui/chart.tsx";
import { CopyOnce, ShortId } from "@holdfast/ui/copy.tsx";
import { Select, TextArea, TextField } from "@holdfast/ui/field.tsx";
import { Menu } from "@holdfast/ui/menu.tsx";
import { type Share, ShareBar } from "@holdfast/ui/shareBar.tsx";
import { EmptyState, ErrorState, Skeleton } from "@holdfast/ui/states.tsx";
import { Table } from "@holdfast/ui/table.tsx";
import { Tabs } from "@holdfast/ui/tabs.tsx";
import { Time } from "@holdfast/ui/time.tsx";
import { showToast } from "@holdfast/ui/toast.tsx";
import { useNavigate, useSearch } from "@tanstack/react-router";
import * as texts from "../catalogue/index.ts";
import { DialogButton } from "../forms/buttons.tsx";
import { ConfirmDialog } from "../forms/dialogs.tsx";
import { Page, Section } from "../shell/page.tsx";

const TONES: readonly Tone[] = ["good", "wait", "bad", "info", "neutral"];
const ID = "pi_test_5szw01a1fbfeaecb562cb684bcc909ec4992";
const ROWS = [
  { id: "1", name: texts.parts.fields.key, at: "2026-11-20T08:30:00.000Z", amount: "24.50" },
  { id: "2", name: texts.parts.fields.otherKey, at: null, amount: "1,204.00" },
];

const SHARES: readonly Share[] = (["returned", "returning", "held", "released"] as const).map((fill, index) => ({
  fill,
  amount: BigInt(index + 1),
  title: ROWS[0]!.amount,
  text: texts.parts.shares[fill],
}));

const CHART: ChartProps = {
  label: texts.parts.sections.chart,
  group: "parts",
  tone: "accent",
  at: [0, 1, 2, 3, 4, 5, 6, 7].map((hour) => 1_780_000_000 + hour * 3_600),
  values: [98, 99, 100, null, 60, null, 97, 99],
  max: 100,
  show: (value) => `${value} %`,
  onPoint: () => undefined,
};

/** Every part in every state. A part that is missing here is not part of the design. */
export const PartsPage = () => (
  <main>
    <Page title={texts.parts.title} text={texts.parts.text}>
      <Section title={texts.parts.sections.buttons}>
        <div className="flex flex-wrap gap-2">
          <Button kind="primary">{texts.parts.buttons.primary}</Button>
          <Button>{texts.parts.buttons.plain}</Button>
          <Button kind="danger">{texts.parts.buttons.danger}</Button>
          <Button kind="quiet">{texts.parts.buttons.quiet}</Button>
          <Button kind="primary" isBusy>
            {texts.parts.buttons.busy}
          </Button>
          <Button disabled>{texts.parts.buttons.disabled}</Button>
          <Menu
            items={[
              { text: texts.parts.buttons.current, isCurrent: true, onSelect: () => undefined },
              { text: texts.parts.buttons.other, onSelect: () => undefined },
              { text: texts.common.remove, isDanger: true, onSelect: () => undefined },
            ]}
          >
            {texts.parts.buttons.menu}
          </Menu>
        </div>
      </Section>
      <Fields />
      <Section title={texts.parts.sections.chart} text={texts.parts.sections.chartText}>
        <Chart {...CHART} />
      </Section>
      <Section title={texts.parts.sections.badges}>
        <div className="flex flex-wrap gap-2">
          {TONES.map((tone) => (
            <Badge key={tone} tone={tone}>
              {tone}
            </Badge>
          ))}
        </div>
        {TONES.map((tone) => (
          <Notice key={tone} tone={tone}>
            {texts.parts.notice(tone)}
          </Notice>
        ))}
      </Section>
      <Section title={texts.parts.sections.table}>
        <Table
          caption={texts.parts.rows}
          columns={[
            { title: texts.common.name, cell: ({ name }: (typeof ROWS)[number]) => name },
            { title: texts.common.id, cell: () => <ShortId id={ID} /> },
            {
              title: texts.common.lastUsed,
              cell: ({ at }) => <Time at={at} none={texts.common.neverUsed} />,
              wideOnly: true,
            },
            { title: texts.common.amount, cell: ({ amount }) => amount, end: true },
          ]}
          rows={ROWS}
          keyOf={({ id }) => id}
        />
      </Section>
      <Section title={texts.parts.sections.shares}>
        <ShareBar shares={SHARES} />
      </Section>
      <Section title={texts.parts.sections.secret}>
        <CopyOnce
          what={texts.keys.secret}
          secret="sk_test_5szw_yp57nmf05a7kw2ncd38fhcddf1bwgaxn4s7331"
          warning={texts.keys.secretWarning}
        />
      </Section>
      <Section title={texts.parts.sections.states}>
        <EmptyState title={texts.keys.emptyTitle} action={<Button kind="primary">{texts.keys.create}</Button>}>
          {texts.keys.emptyText}
        </EmptyState>
        <Skeleton quietMs={0} />
        <ErrorState
          title={texts.shell.failed}
          message={texts.api.unreachable}
          requestId="req_01a1fc06b1cd6aa165e96a8ab2d2e7fc"
          onRetry={() => undefined}
        />
      </Section>
      <InFront />
    </Page>
  </main>
);

const Fields = () => (
  <Section title={texts.parts.sections.fields}>
    <div className="grid max-w-text gap-4">
      <TextField label={texts.parts.fields.empty} name="empty" placeholder={texts.parts.fields.key} />
      <TextField
        label={texts.parts.fields.hint}
        name="hint"
        defaultValue={texts.parts.fields.business}
        hint={texts.businesses.nameHint}
      />
      <TextField label={texts.parts.fields.wrong} name="wrong" defaultValue="kim@" error={texts.parts.fields.error} />
      <TextField
        label={texts.parts.fields.disabled}
        name="disabled"
        defaultValue={texts.parts.fields.disabledValue}
        disabled
      />
      <Select label={texts.parts.fields.choice} name="choice" options={Object.entries(texts.keys.scopes)} />
      <TextArea label={texts.parts.fields.text} name="text" defaultValue={texts.parts.fields.policy} />
    </div>
  </Section>
);

function InFront() {
  const { tab = "first" } = useSearch({ from: "/parts" });
  const navigate = useNavigate({ from: "/parts" });
  return (
    <Section title={texts.parts.sections.overlays}>
      <Tabs
        label={texts.parts.tabs.label}
        value={tab}
        onChange={(value) => void navigate({ search: { tab: value } })}
        tabs={[
          { value: "first", title: texts.parts.tabs.first, content: texts.parts.tabs.firstText },
          { value: "second", title: texts.parts.tabs.second, content: texts.parts.tabs.secondText },
        ]}
      />
      <div className="flex flex-wrap gap-2">
        <DialogButton
          dialog={(close) => (
            <ConfirmDialog
              title={texts.keys.revokeTitle(null)}
              text={texts.keys.revokeText}
              submitText={texts.keys.revoke}
              run={async () => undefined}
              onClose={close}
            />
          )}
        >
          {texts.parts.openDialog}
        </DialogButton>
        <Button onClick={() => showToast(texts.keys.revoked)}>{texts.parts.succeed}</Button>
        <Button onClick={() => showToast(texts.parts.failed, "bad")}>{texts.parts.fail}</Button>
      </div>
    </Section>
  );
}
