import { createRootRoute, createRoute, createRouter, lazyRouteComponent, redirect } from "@tanstack/react-router";
import { ApiError } from "./api/client.ts";
import { accountQuery, queryClient, read } from "./api/queries.ts";
import { EnvironmentFrame } from "./shell/environment.tsx";
import { LoadingPage, PageError, UnknownAddressPage } from "./shell/fallbacks.tsx";
import { Root } from "./shell/root.tsx";
import { Shell } from "./shell/shell.tsx";

/** Pages by their paths. A page is loaded when it is opened first; what a page shows of itself is in the URL alone. */
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

/** Everything behind the sign-in. Who is not signed in signs in, and comes back to the same place. */
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
      ? redirect({ to: "/businesses" })
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

/** A business in one environment. Both are in the path, so that a link says which it means. */
const tenantRoute = createRoute({
  getParentRoute: () => staffRoute,
  path: "/$business/$environment",
  params: {
    parse: ({ business, environment }) =>
      ({ business, environment: environment === "live" ? "live" : "test" }) as const,
    stringify: ({ business, environment }) => ({ business, environment }),
  },
  loader: ({ params }) => ensureBusiness(params.business),
  component: EnvironmentFrame,
});

const ensureBusiness = (business: string) => queryClient.ensureQueryData(read("getBusiness", { path: { business } }));

const tenantHomeRoute = createRoute({
  getParentRoute: () => tenantRoute,
  path: "/",
  beforeLoad: async ({ params }) => {
    const { environments } = await ensureBusiness(params.business);
    const environment = environments.find((one) => one === params.environment) ?? environments[0] ?? params.environment;
    throw redirect({ to: "/$business/$environment/keys", params: { ...params, environment } });
  },
});

const keysRoute = createRoute({
  getParentRoute: () => tenantRoute,
  path: "/keys",
  component: lazyRouteComponent(() => import("./keys/keysPage.tsx"), "KeysPage"),
});

const profileRoute = createRoute({
  getParentRoute: () => tenantRoute,
  path: "/profile",
  component: lazyRouteComponent(() => import("./profile/profilePage.tsx"), "ProfilePage"),
});

const recipientsRoute = createRoute({
  getParentRoute: () => tenantRoute,
  path: "/recipients",
  component: lazyRouteComponent(() => import("./recipients/recipientsPage.tsx"), "RecipientsPage"),
});

const membersRoute = createRoute({
  getParentRoute: () => tenantRoute,
  path: "/members",
  component: lazyRouteComponent(() => import("./members/membersPage.tsx"), "MembersPage"),
});

const auditRoute = createRoute({
  getParentRoute: () => tenantRoute,
  path: "/audit",
  validateSearch: searchOf("action", "actor", "target", "recorded_after", "recorded_before"),
  component: lazyRouteComponent(() => import("./audit/auditPage.tsx"), "AuditPage"),
});

const webhooksRoute = createRoute({
  getParentRoute: () => tenantRoute,
  path: "/webhooks",
  validateSearch: searchOf("days"),
  component: lazyRouteComponent(() => import("./webhooks/endpointsPage.tsx"), "EndpointsPage"),
});

const deliveriesRoute = createRoute({
  getParentRoute: () => tenantRoute,
  path: "/webhooks/$endpoint",
  validateSearch: searchOf(
    ...(["status", "type", "error_class", "status_code", "object", "created_after", "created_before", "days"] as const),
  ),
  component: lazyRouteComponent(() => import("./webhooks/deliveriesPage.tsx"), "DeliveriesPage"),
});

const deliveryRoute = createRoute({
  getParentRoute: () => tenantRoute,
  path: "/deliveries/$delivery",
  component: lazyRouteComponent(() => import("./webhooks/deliveryPage.tsx"), "DeliveryPage"),
});

const requestsRoute = createRoute({
  getParentRoute: () => tenantRoute,
  path: "/requests",
  validateSearch: searchOf("failed", "error_code", "key", "about", "arrived_after", "arrived_before"),
  component: lazyRouteComponent(() => import("./requests/requestsPage.tsx"), "RequestsPage"),
});

const requestRoute = createRoute({
  getParentRoute: () => tenantRoute,
  path: "/requests/$request",
  component: lazyRouteComponent(() => import("./requests/requestPage.tsx"), "RequestPage"),
});

const eventsRoute = createRoute({
  getParentRoute: () => tenantRoute,
  path: "/events",
  validateSearch: searchOf("type", "intent", "payment", "occurred_after", "occurred_before", "after_sequence"),
  component: lazyRouteComponent(() => import("./events/eventsPage.tsx"), "EventsPage"),
});

const eventRoute = createRoute({
  getParentRoute: () => tenantRoute,
  path: "/events/$event",
  component: lazyRouteComponent(() => import("./events/eventPage.tsx"), "EventPage"),
});

const intentRoute = createRoute({
  getParentRoute: () => tenantRoute,
  path: "/intents/$intent",
  component: lazyRouteComponent(() => import("./payments/intentPage.tsx"), "IntentPage"),
});

const paymentRoute = createRoute({
  getParentRoute: () => tenantRoute,
  path: "/payments/$payment",
  component: lazyRouteComponent(() => import("./payments/paymentPage.tsx"), "PaymentPage"),
});

const transactionRoute = createRoute({
  getParentRoute: () => tenantRoute,
  path: "/transactions/$signature",
  validateSearch: searchOf("intent"),
  component: lazyRouteComponent(() => import("./payments/transactionPage.tsx"), "TransactionPage"),
});

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
    ...linkRoutes,
    ...(local === undefined ? [] : [partsRoute]),
    staffRoute.addChildren([
      homeRoute,
      accountRoute,
      businessesRoute,
      tenantRoute.addChildren([
        tenantHomeRoute,
        keysRoute,
        webhooksRoute,
        deliveriesRoute,
        deliveryRoute,
        requestsRoute,
        requestRoute,
        eventsRoute,
        eventRoute,
        intentRoute,
        paymentRoute,
        transactionRoute,
        profileRoute,
        recipientsRoute,
        membersRoute,
        auditRoute,
      ]),
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
