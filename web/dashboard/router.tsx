import {
  createRootRoute,
  createRoute,
  createRouter,
  lazyRouteComponent,
  notFound,
  redirect,
} from "@tanstack/react-router";
import { ApiError } from "./api/client.ts";
import { accountQuery, queryClient, read } from "./api/queries.ts";
import type { Account } from "./api/schema.ts";
import { filterNames } from "./pages/listFilters.ts";
import { EnvironmentFrame } from "./shell/environment.tsx";
import { LoadingPage, PageError, UnknownAddressPage } from "./shell/fallbacks.tsx";
import { Root } from "./shell/root.tsx";
import { Shell } from "./shell/shell.tsx";

/** Pages by their paths. A page is loaded when it is first opened; its state is in the URL alone. */
const rootRoute = createRootRoute({ component: Root, notFoundComponent: UnknownAddressPage });

type Search = Readonly<Record<string, string | undefined>>;
/** The search parameters that a page knows; others are dropped. */
const searchOf =
  <const Name extends string>(...names: readonly Name[]) =>
  (search: Record<string, unknown>): { readonly [Key in Name]?: string } =>
    Object.fromEntries(names.flatMap((name) => (typeof search[name] === "string" ? [[name, search[name]]] : []))) as {
      readonly [Key in Name]?: string;
    };

const signInRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: "/sign-in",
  validateSearch: searchOf("next"),
  component: lazyRouteComponent(() => import("./signIn/signInPage.tsx"), "SignInPage"),
});

const companyRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: "/sign-in/company",
  component: lazyRouteComponent(() => import("./signIn/company.tsx"), "CompanyPage"),
});

const linkPages = () => import("./signIn/linkPages.tsx");
const linkRoutes = [
  createRoute({
    getParentRoute: () => rootRoute,
    path: "/sign-up",
    component: lazyRouteComponent(linkPages, "OwnerPage"),
  }),
  createRoute({
    getParentRoute: () => rootRoute,
    path: "/forgot",
    component: lazyRouteComponent(linkPages, "ForgotPage"),
  }),
  createRoute({
    getParentRoute: () => rootRoute,
    path: "/password",
    component: lazyRouteComponent(() => import("./signIn/passwordPage.tsx"), "PasswordPage"),
  }),
  createRoute({
    getParentRoute: () => rootRoute,
    path: "/invitation",
    component: lazyRouteComponent(linkPages, "InvitationPage"),
  }),
] as const;

/** All pages behind the sign-in. A user who is not signed in signs in, and returns to the same page. */
const staffRoute = createRoute({
  getParentRoute: () => rootRoute,
  id: "staff",
  beforeLoad: async ({ location }) => {
    try {
      return { account: await queryClient.ensureQueryData(accountQuery) };
    } catch (error) {
      if (!(error instanceof ApiError) || error.status !== 401) throw error;
      const { pathname, searchStr } = location;
      throw redirect({ to: "/sign-in", search: pathname === "/" ? {} : { next: `${pathname}${searchStr}` } });
    }
  },
  component: Shell,
});

const homeRoute = createRoute({
  getParentRoute: () => staffRoute,
  path: "/",
  beforeLoad: ({ context }) => {
    const [first] = context.account.businesses;
    throw first === undefined
      ? redirect({ to: context.account.user.isArbiter ? "/desk" : "/businesses" })
      : redirect({ to: "/$business/$environment", params: { business: first.id, environment: "test" } });
  },
});

const accountRoute = createRoute({
  getParentRoute: () => staffRoute,
  path: "/account",
  validateSearch: searchOf("tab"),
  component: lazyRouteComponent(() => import("./account/accountPage.tsx"), "AccountPage"),
});

const businessesRoute = createRoute({
  getParentRoute: () => staffRoute,
  path: "/businesses",
  validateSearch: searchOf("tab"),
  component: lazyRouteComponent(() => import("./businesses/businessesPage.tsx"), "BusinessesPage"),
});

/** The arbiter's desk. Other users find no such page. */
const onlyArbiters = ({ context }: { readonly context: { readonly account: Account } }) => {
  if (!context.account.user.isArbiter) throw notFound();
};
const deskRoutes = [
  createRoute({
    getParentRoute: () => staffRoute,
    path: "/desk",
    beforeLoad: onlyArbiters,
    validateSearch: searchOf("show"),
    component: lazyRouteComponent(() => import("./desk/queuePage.tsx"), "QueuePage"),
  }),
  createRoute({
    getParentRoute: () => staffRoute,
    path: "/desk/$dispute",
    beforeLoad: onlyArbiters,
    component: lazyRouteComponent(() => import("./desk/deskDisputePage.tsx"), "DeskDisputePage"),
  }),
] as const;

/** A business in one environment. Both are in the path, so that a link names both. */
const tenantRoute = createRoute({
  getParentRoute: () => staffRoute,
  path: "/$business/$environment",
  params: {
    parse: ({ business, environment }) =>
      ({ business, environment: environment === "live" ? "live" : "test" }) as const,
    stringify: ({ business, environment }) => ({ business, environment }),
  },
  loader: ({ params: { business } }) => queryClient.ensureQueryData(read("getBusiness", { path: { business } })),
  component: EnvironmentFrame,
});

/** A page of a business in one environment, with its search parameters. */
const tenantPage = <
  const Path extends string,
  Module extends Record<string, unknown>,
  const Name extends string = never,
>(
  path: Path,
  load: () => Promise<Module>,
  page: keyof Module & string,
  ...names: readonly Name[]
) =>
  createRoute({
    getParentRoute: () => tenantRoute,
    path,
    component: lazyRouteComponent(load, page),
    validateSearch: searchOf(...names),
  });

const tenantPages = [
  tenantPage("/", () => import("./home/homePage.tsx"), "HomePage", "token"),
  tenantPage("/books", () => import("./books/booksPage.tsx"), "BooksPage", "from", "until"),
  tenantPage("/keys", () => import("./keys/keysPage.tsx"), "KeysPage"),
  tenantPage("/profile", () => import("./profile/profilePage.tsx"), "ProfilePage"),
  tenantPage("/recipients", () => import("./recipients/recipientsPage.tsx"), "RecipientsPage"),
  tenantPage("/members", () => import("./members/membersPage.tsx"), "MembersPage"),
  tenantPage("/audit", () => import("./audit/auditPage.tsx"), "AuditPage", ...filterNames("listAuditEntries")),
  tenantPage("/webhooks", () => import("./webhooks/endpointsPage.tsx"), "EndpointsPage", "days"),
  tenantPage(
    "/webhooks/$endpoint",
    () => import("./webhooks/deliveriesPage.tsx"),
    "DeliveriesPage",
    ...filterNames("listWebhookDeliveries"),
    "days",
  ),
  tenantPage("/deliveries/$delivery", () => import("./webhooks/deliveryPage.tsx"), "DeliveryPage"),
  tenantPage("/requests", () => import("./requests/requestsPage.tsx"), "RequestsPage", ...filterNames("listRequests")),
  tenantPage("/requests/$request", () => import("./requests/requestPage.tsx"), "RequestPage"),
  tenantPage("/events", () => import("./events/eventsPage.tsx"), "EventsPage", ...filterNames("listEvents")),
  tenantPage("/events/$event", () => import("./events/eventPage.tsx"), "EventPage"),
  tenantPage(
    "/intents",
    () => import("./payments/intentsPage.tsx"),
    "IntentsPage",
    ...filterNames("listPaymentIntents"),
  ),
  tenantPage("/intents/$intent", () => import("./payments/intentPage.tsx"), "IntentPage"),
  tenantPage("/payments", () => import("./payments/paymentsPage.tsx"), "PaymentsPage", ...filterNames("listPayments")),
  tenantPage("/links", () => import("./links/linksPage.tsx"), "LinksPage"),
  tenantPage("/disputes", () => import("./disputes/disputesPage.tsx"), "DisputesPage", "show"),
  tenantPage("/disputes/$dispute", () => import("./disputes/disputePage.tsx"), "DisputePage"),
  tenantPage("/unmatched", () => import("./payments/unmatchedPage.tsx"), "UnmatchedPage"),
  tenantPage("/payments/$payment", () => import("./payments/paymentPage.tsx"), "PaymentPage"),
  tenantPage("/transactions/$signature", () => import("./payments/transactionPage.tsx"), "TransactionPage", "intent"),
] as const;

/** Shows the parts of all pages in every state; on this machine alone. */
const partsRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: "/parts",
  validateSearch: searchOf("tab"),
  component: lazyRouteComponent(() => import("./parts/partsPage.tsx"), "PartsPage"),
});

const { base = "", local } = document.documentElement.dataset;

export const router = createRouter({
  routeTree: rootRoute.addChildren([
    signInRoute,
    companyRoute,
    ...linkRoutes,
    ...(local === undefined ? [] : [partsRoute]),
    staffRoute.addChildren([
      homeRoute,
      accountRoute,
      businessesRoute,
      ...deskRoutes,
      tenantRoute.addChildren([...tenantPages]),
    ]),
  ]),
  basepath: base === "" ? "/" : base,
  defaultErrorComponent: PageError,
  defaultPendingComponent: LoadingPage,
  defaultPendingMs: 150,
  defaultPreload: "intent",
  defaultPreloadStaleTime: 0,
  scrollRestoration: true,
  parseSearch: (text) => Object.fromEntries(new URLSearchParams(text)),
  stringifySearch: (search) => {
    const pairs = Object.entries(search as Search).filter((pair): pair is [string, string] => !!pair[1]);
    return pairs.length === 0 ? "" : `?${new URLSearchParams(pairs)}`;
  },
});

declare module "@tanstack/react-router" {
  interface Register {
    router: typeof router;
  }
}
