import type { RegisteredRouter } from "@tanstack/react-router";
import type { StaffBusiness } from "../api/schema.ts";
import * as texts from "../catalogue/index.ts";

type TenantAddress = Extract<keyof RegisteredRouter["routesByPath"], `/$business/$environment/${string}`>;
export const FIRST_PAGE = "/$business/$environment";
export const DISPUTES_PAGE = "/$business/$environment/disputes";
/** The addresses of a business's pages, without those of single objects. */
type PageAddress =
  | typeof FIRST_PAGE
  | Exclude<TenantAddress, `${typeof FIRST_PAGE}/` | `${typeof FIRST_PAGE}/${string}/${string}`>;

interface NavigationLink {
  readonly text: string;
  readonly to: PageAddress;
  /** Shown only to members whose role allows it. */
  readonly needs?: StaffBusiness["permissions"][number];
}

/** The pages of a business, in groups. The first one, which everybody uses, needs no title. */
export const NAVIGATION: readonly { readonly title: string | null; readonly links: readonly NavigationLink[] }[] = [
  {
    title: null,
    links: [
      { text: texts.shell.links.home, to: FIRST_PAGE },
      { text: texts.shell.links.payments, to: "/$business/$environment/payments" },
      { text: texts.shell.links.disputes, to: DISPUTES_PAGE },
      { text: texts.shell.links.intents, to: "/$business/$environment/intents" },
      { text: texts.shell.links.books, to: "/$business/$environment/books" },
      { text: texts.shell.links.paymentLinks, to: "/$business/$environment/links" },
    ],
  },
  {
    title: texts.shell.groups.developers,
    links: [
      { text: texts.shell.links.keys, to: "/$business/$environment/keys" },
      { text: texts.shell.links.webhooks, to: "/$business/$environment/webhooks" },
      { text: texts.shell.links.events, to: "/$business/$environment/events" },
      { text: texts.shell.links.requests, to: "/$business/$environment/requests" },
    ],
  },
  {
    title: texts.shell.groups.business,
    links: [
      { text: texts.shell.links.profile, to: "/$business/$environment/profile" },
      { text: texts.shell.links.recipients, to: "/$business/$environment/recipients" },
      { text: texts.shell.links.members, to: "/$business/$environment/members" },
      { text: texts.shell.links.audit, to: "/$business/$environment/audit", needs: "read_audit" },
    ],
  },
];
