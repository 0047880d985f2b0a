import type { StaffBusiness } from "../api/schema.ts";

interface NavigationLink {
  readonly text: string;
  readonly to: `/$business/$environment/${"keys" | "webhooks" | "events" | "requests" | "profile" | "recipients" | "members" | "audit"}`;
  /** Only shown to members whose role allows it. */
  readonly needs?: StaffBusiness["permissions"][number];
}

/** The pages of a business, in groups. */
export const NAVIGATION: readonly { readonly title: string; readonly links: readonly NavigationLink[] }[] = [
  {
    title: "Developers",
    links: [
      { text: "API keys", to: "/$business/$environment/keys" },
      { text: "Webhooks", to: "/$business/$environment/webhooks" },
      { text: "Events", to: "/$business/$environment/events" },
      { text: "Requests", to: "/$business/$environment/requests" },
    ],
  },
  {
    title: "Business",
    links: [
      { text: "Profile", to: "/$business/$environment/profile" },
      { text: "Recipients", to: "/$business/$environment/recipients" },
      { text: "Members", to: "/$business/$environment/members" },
      { text: "Audit log", to: "/$business/$environment/audit", needs: "read_audit" },
    ],
  },
];
