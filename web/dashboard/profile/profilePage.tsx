import { Select, TextArea, TextField } from "@holdfast/ui/field.tsx";
import { showToast } from "@holdfast/ui/toast.tsx";
import { useQuery } from "@tanstack/react-query";
import { type ReactNode, useState } from "react";
import { read, write } from "../api/queries.ts";
import { type BusinessProfile, type BusinessProfileChange, CURRENCIES, LIMITS } from "../api/schema.ts";
import { Filled } from "../catalogue/filled.tsx";
import * as texts from "../catalogue/index.ts";
import { Form } from "../forms/form.tsx";
import { Page } from "../shell/page.tsx";
import { QueryState } from "../shell/queryState.tsx";
import { useTenant } from "../shell/tenant.ts";
import { changesOf } from "./changes.ts";
import { DomainSection } from "./domainSection.tsx";
import { describeLifetime, lifetimeOptions } from "./lifetime.ts";

/** §2.3.1: the details of the business that buyers see. */
export function ProfilePage() {
  const { business, may } = useTenant();
  const profile = useQuery(read("getBusinessProfile", { path: { business: business.id } }));
  return (
    <Page title={texts.profile.title} text={texts.profile.text}>
      <QueryState query={profile}>
        {(data) => (may("manage_profile") ? <ProfileForm key={data.id} profile={data} /> : <Facts profile={data} />)}
      </QueryState>
      <DomainSection />
    </Page>
  );
}

/**
 * Sends only the edited fields, compared with the form's first values: two users who edit different fields at once do not
 * undo each other's change.
 */
function ProfileForm({ profile }: { readonly profile: BusinessProfile }) {
  const [shown, setShown] = useState(profile);
  const save = async (values: Readonly<Record<string, string>>) => {
    const body: BusinessProfileChange = changesOf(shown, values);
    if (Object.keys(body).length === 0) return showToast(texts.profile.unchanged);
    setShown(await write("changeBusinessProfile", { path: { business: profile.id }, body }));
    // The toast comes last: until then the button does nothing, and a user may press it again.
    showToast(texts.profile.saved);
  };
  // The key makes a field show the saved value: the service stores addresses in their normal form.
  return (
    <div className="max-w-text">
      <Form submitText={texts.common.save} onSubmit={save}>
        <TextField
          key={`name ${shown.name}`}
          label={texts.common.name}
          name="name"
          defaultValue={shown.name}
          hint={texts.profile.nameHint}
        />
        <TextField
          key={`supportContact ${shown.supportContact}`}
          label={texts.profile.support}
          name="supportContact"
          defaultValue={shown.supportContact ?? ""}
          placeholder="help@shop.example"
          hint={texts.profile.supportHint}
        />
        <TextArea
          key={`refundPolicy ${shown.refundPolicyHash}`}
          label={texts.profile.policy}
          name="refundPolicy"
          rows={8}
          defaultValue={shown.refundPolicy ?? ""}
          hint={
            shown.refundPolicyHash === null ? (
              texts.profile.policyHint(LIMITS.refundPolicyCharactersMax)
            ) : (
              <Filled
                text={texts.profile.policySaved}
                slots={{
                  hash: (
                    <code translate="no" className="break-all">
                      {shown.refundPolicyHash}
                    </code>
                  ),
                }}
              />
            )
          }
        />
        <TextField
          key={`returnUrl ${shown.returnUrl}`}
          label={texts.profile.returnUrl}
          name="returnUrl"
          defaultValue={shown.returnUrl ?? ""}
          placeholder="https://shop.example/orders/{merchantReference}"
          hint={texts.profile.returnUrlHint}
        />
        <Select
          key={`intentLifetimeMinutes ${shown.intentLifetimeMinutes}`}
          label={texts.profile.lifetime}
          name="intentLifetimeMinutes"
          defaultValue={shown.intentLifetimeMinutes ?? ""}
          options={lifetimeOptions(shown.intentLifetimeMinutes)}
          hint={texts.profile.lifetimeHint}
        />
        <Select
          key={`reportingCurrency ${shown.reportingCurrency}`}
          label={texts.profile.currency}
          name="reportingCurrency"
          defaultValue={shown.reportingCurrency ?? ""}
          options={[["", texts.common.none], ...CURRENCIES.map((code) => [code, code] as const)]}
          hint={texts.profile.currencyHint}
        />
        <TextField
          key={`timeZone ${shown.timeZone}`}
          label={texts.profile.timeZone}
          name="timeZone"
          defaultValue={shown.timeZone ?? ""}
          placeholder={Intl.DateTimeFormat().resolvedOptions().timeZone}
          autoComplete="off"
          hint={texts.profile.timeZoneHint}
        />
      </Form>
    </div>
  );
}

/** Shown to users whose role does not allow a change. */
const Facts = ({ profile }: { readonly profile: BusinessProfile }) => (
  <>
    <p className="text-soft">{texts.profile.readOnly}</p>
    <dl className="grid max-w-text gap-4">
      <Fact title={texts.common.name}>{profile.name}</Fact>
      <Fact title={texts.profile.support}>{profile.supportContact}</Fact>
      <Fact title={texts.profile.policy}>{profile.refundPolicy}</Fact>
      {profile.refundPolicyHash === null ? null : (
        <Fact title={texts.profile.policyHash}>
          <code translate="no">{profile.refundPolicyHash}</code>
        </Fact>
      )}
      <Fact title={texts.profile.returnUrl}>{profile.returnUrl}</Fact>
      <Fact title={texts.profile.lifetime}>{describeLifetime(profile.intentLifetimeMinutes)}</Fact>
      <Fact title={texts.profile.currency}>{profile.reportingCurrency}</Fact>
      <Fact title={texts.profile.timeZone}>{profile.timeZone ?? "UTC"}</Fact>
    </dl>
  </>
);

const Fact = ({ title, children }: { readonly title: string; readonly children: ReactNode }) => (
  <div className="grid gap-1">
    <dt className="font-medium">{title}</dt>
    <dd className="whitespace-pre-wrap break-words text-soft">{children ?? texts.common.none}</dd>
  </div>
);
