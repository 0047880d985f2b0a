import { Select, TextArea, TextField } from "@holdfast/ui/field.tsx";
import { showToast } from "@holdfast/ui/toast.tsx";
import { useQuery } from "@tanstack/react-query";
import { type ReactNode, useState } from "react";
import { read, write } from "../api/queries.ts";
import type { BusinessProfile, BusinessProfileChange } from "../api/schema.ts";
import { Form } from "../forms/form.tsx";
import { Page } from "../shell/page.tsx";
import { QueryState } from "../shell/queryState.tsx";
import { useTenant } from "../shell/tenant.ts";
import { changesOf } from "./changes.ts";
import { DomainSection } from "./domainSection.tsx";
import { describeLifetime, lifetimeOptions } from "./lifetime.ts";

/** §2.3.1: what buyers are shown of the business. */
export function ProfilePage() {
  const { business, may } = useTenant();
  const profile = useQuery(read("getBusinessProfile", { path: { business: business.id } }));
  return (
    <Page
      title="Profile"
      text="What buyers see of the business at the checkout, and how long they may pay, in test and live alike."
    >
      <QueryState query={profile}>
        {(data) => (may("manage_profile") ? <ProfileForm key={data.id} profile={data} /> : <Facts profile={data} />)}
      </QueryState>
      <DomainSection />
    </Page>
  );
}

/**
 * Sends only the fields that were edited, compared with what the form showed: two who edit different fields at once do not
 * undo each other's change.
 */
function ProfileForm({ profile }: { readonly profile: BusinessProfile }) {
  const [shown, setShown] = useState(profile);
  const save = async (values: Readonly<Record<string, string>>) => {
    const body: BusinessProfileChange = changesOf(shown, values);
    if (Object.keys(body).length === 0) return showToast("Nothing was edited.");
    setShown(await write("changeBusinessProfile", { path: { business: profile.id }, body }));
    // Last: until then the button does nothing, and who reads this may press it.
    showToast("The profile was saved. Buyers see it from now on.");
  };
  // The key makes a field show what was saved: the service keeps addresses in their normal form.
  return (
    <div className="max-w-text">
      <Form submitText="Save" onSubmit={save}>
        {(errorOf) => (
          <>
            <TextField
              key={`name ${shown.name}`}
              label="Name"
              name="name"
              defaultValue={shown.name}
              hint="Buyers read it at the checkout and in their wallet."
              error={errorOf("name")}
            />
            <TextField
              key={`supportContact ${shown.supportContact}`}
              label="Support contact"
              name="supportContact"
              defaultValue={shown.supportContact ?? ""}
              placeholder="help@shop.example"
              hint="An e-mail address, or a page by https://… Buyers turn to it first."
              error={errorOf("supportContact")}
            />
            <TextArea
              key={`refundPolicy ${shown.refundPolicyHash}`}
              label="Refund policy"
              name="refundPolicy"
              rows={8}
              defaultValue={shown.refundPolicy ?? ""}
              hint={
                shown.refundPolicyHash === null ? (
                  "Plain text of at most 20,000 characters. Payments name it by its SHA-256."
                ) : (
                  <PolicyHash hash={shown.refundPolicyHash} />
                )
              }
              error={errorOf("refundPolicy")}
            />
            <TextField
              key={`returnUrl ${shown.returnUrl}`}
              label="Return address"
              name="returnUrl"
              defaultValue={shown.returnUrl ?? ""}
              placeholder="https://shop.example/orders/{merchantReference}"
              hint="Where a button leads after the payment. {intentId} and {merchantReference} stand for those of the payment."
              error={errorOf("returnUrl")}
            />
            <Select
              key={`intentLifetimeMinutes ${shown.intentLifetimeMinutes}`}
              label="Time to pay"
              name="intentLifetimeMinutes"
              defaultValue={shown.intentLifetimeMinutes ?? ""}
              options={lifetimeOptions(shown.intentLifetimeMinutes)}
              hint="How long a payment intent waits for its payment before it expires. It holds for intents that are created from now on."
              error={errorOf("intentLifetimeMinutes")}
            />
          </>
        )}
      </Form>
    </div>
  );
}

const PolicyHash = ({ hash }: { readonly hash: string }) => (
  <>
    Payments name the saved text by its SHA-256: <code className="break-all">{hash}</code>. A payment keeps the policy
    that it named; a change holds for later payments.
  </>
);

/** For those whose role does not allow a change. */
const Facts = ({ profile }: { readonly profile: BusinessProfile }) => (
  <>
    <p className="text-soft">Owners and admins change it.</p>
    <dl className="grid max-w-text gap-4">
      <Fact title="Name">{profile.name}</Fact>
      <Fact title="Support contact">{profile.supportContact}</Fact>
      <Fact title="Refund policy">{profile.refundPolicy}</Fact>
      {profile.refundPolicyHash === null ? null : (
        <Fact title="SHA-256 of the refund policy">
          <code>{profile.refundPolicyHash}</code>
        </Fact>
      )}
      <Fact title="Return address">{profile.returnUrl}</Fact>
      <Fact title="Time to pay">{describeLifetime(profile.intentLifetimeMinutes)}</Fact>
    </dl>
  </>
);

const Fact = ({ title, children }: { readonly title: string; readonly children: ReactNode }) => (
  <div className="grid gap-1">
    <dt className="font-medium">{title}</dt>
    <dd className="whitespace-pre-wrap break-words text-soft">{children ?? "None"}</dd>
  </div>
);
