import { Select, TextArea, TextField } from "@holdfast/ui/field.tsx";
import { showToast } from "@holdfast/ui/toast.tsx";
import { useQuery } from "@tanstack/react-query";
import { type ReactNode, useState } from "react";
import { ApiError } from "../api/client.ts";
import { read, write } from "../api/queries.ts";
import { type BusinessProfile, type BusinessProfileChange, CURRENCIES, LIMITS } from "../api/schema.ts";
import { Filled } from "../catalogue/filled.tsx";
import * as texts from "../catalogue/index.ts";
import { ActionButton } from "../forms/buttons.tsx";
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
    // A larger one would not even be read, so nobody would say which field it is.
    if ((values.logo?.length ?? 0) > LOGO_BASE64_MAX)
      throw new ApiError(
        400,
        { code: "invalid_request", param: "logo", message: texts.profile.logoTooLarge(LOGO_KB) },
        null,
      );
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
          key={`logo ${shown.logo}`}
          label={texts.profile.logo}
          name="logo"
          type="file"
          accept="image/png,image/jpeg,image/webp"
          hint={texts.profile.logoHint(LOGO_KB)}
        />
        {shown.logo === null ? null : (
          <p className="flex flex-wrap items-center gap-3">
            <LogoPicture sha256={shown.logo} />
            <ActionButton
              run={() => write("changeBusinessProfile", { path: { business: profile.id }, body: { logo: null } })}
              said={texts.profile.logoRemoved}
              done={setShown}
            >
              {texts.profile.removeLogo}
            </ActionButton>
          </p>
        )}
        <TextField
          key={`color ${shown.color}`}
          label={texts.profile.color}
          name="color"
          defaultValue={shown.color ?? ""}
          placeholder="#5b3a8c"
          autoComplete="off"
          spellCheck={false}
          hint={texts.profile.colorHint}
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
        <TextField
          key={`locale ${shown.locale}`}
          label={texts.profile.locale}
          name="locale"
          defaultValue={shown.locale ?? ""}
          autoComplete="off"
          spellCheck={false}
          hint={texts.profile.localeHint}
        />
        <h2 className="text-lead font-semibold">{texts.profile.emails}</h2>
        <p className="text-soft">{texts.profile.emailsText}</p>
        <TextField
          key={`emailName ${shown.emailName}`}
          label={texts.profile.emailName}
          name="emailName"
          defaultValue={shown.emailName ?? ""}
          hint={texts.profile.emailNameHint}
        />
        <TextField
          key={`emailLine ${shown.emailLine}`}
          label={texts.profile.emailLine}
          name="emailLine"
          defaultValue={shown.emailLine ?? ""}
          hint={texts.profile.emailLineHint}
        />
        <TextField
          key={`emailReplyTo ${shown.emailReplyTo}`}
          label={texts.profile.emailReplyTo}
          name="emailReplyTo"
          type="email"
          defaultValue={shown.emailReplyTo ?? ""}
          placeholder="help@shop.example"
          hint={texts.profile.emailReplyToHint}
        />
      </Form>
    </div>
  );
}

/** Digits of base64 for a logo of the most bytes. */
const LOGO_BASE64_MAX = Math.ceil(LIMITS.logoBytesMax / 3) * 4;
const LOGO_KB = LIMITS.logoBytesMax / 1_000;

/** From the dashboard's own address: the buyers' pages may have another. */
const LogoPicture = ({ sha256 }: { readonly sha256: string }) => (
  <img
    src={`/staff/v1/logos/${sha256}`}
    alt={texts.profile.logo}
    className="size-10 rounded-small border border-line object-contain"
  />
);

/** Shown to users whose role does not allow a change. */
const Facts = ({ profile }: { readonly profile: BusinessProfile }) => (
  <>
    <p className="text-soft">{texts.profile.readOnly}</p>
    <dl className="grid max-w-text gap-4">
      <Fact title={texts.common.name}>{profile.name}</Fact>
      <Fact title={texts.profile.logo}>{profile.logo === null ? null : <LogoPicture sha256={profile.logo} />}</Fact>
      <Fact title={texts.profile.color}>{profile.color}</Fact>
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
      <Fact title={texts.profile.locale}>{profile.locale}</Fact>
      <Fact title={texts.profile.emailName}>{profile.emailName}</Fact>
      <Fact title={texts.profile.emailLine}>{profile.emailLine}</Fact>
      <Fact title={texts.profile.emailReplyTo}>{profile.emailReplyTo}</Fact>
    </dl>
  </>
);

const Fact = ({ title, children }: { readonly title: string; readonly children: ReactNode }) => (
  <div className="grid gap-1">
    <dt className="font-medium">{title}</dt>
    <dd className="whitespace-pre-wrap break-words text-soft">{children ?? texts.common.none}</dd>
  </div>
);
