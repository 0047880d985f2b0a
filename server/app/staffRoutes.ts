import type { Visitor } from "../domain/callers.ts";
import { describeApi, type Json } from "../edge/http/openapi.ts";
import type { Route } from "../edge/http/route.ts";
import type { StaffAdmission } from "../edge/staff/api.ts";
import { STAFF_DESCRIPTION } from "../edge/staff/description.ts";
import { auditRoutes } from "../features/audit/member.ts";
import { auditComponents } from "../features/audit/schema.ts";
import { booksComponents } from "../features/books/schema.ts";
import { booksRoutes } from "../features/books/staff.ts";
import { staffBusinessComponents } from "../features/businesses/schema.ts";
import { staffBusinessRoutes } from "../features/businesses/staff.ts";
import { staffChainComponents } from "../features/chains/schema.ts";
import { staffChainRoutes } from "../features/chains/staff.ts";
import { findTermsByHash, POLICY_HASH_OF_P } from "../features/checkout/paying/fragments.ts";
import { deskDecisionComponents } from "../features/disputes/decision/schema.ts";
import { decisionRoutes } from "../features/disputes/decision/staff.ts";
import { deskComponents } from "../features/disputes/desk/schema.ts";
import { deskRoutes } from "../features/disputes/desk/staff.ts";
import { disputeComponents } from "../features/disputes/schema.ts";
import { staffDisputeRoutes } from "../features/disputes/staff.ts";
import { staffDisputeComponents } from "../features/disputes/staffSchema.ts";
import { uploadComponents } from "../features/disputes/uploads/schema.ts";
import { staffFileRoutes } from "../features/disputes/uploads/staff.ts";
import type { DomainLookups } from "../features/domains/check.ts";
import { domainComponents } from "../features/domains/schema.ts";
import { domainRoutes } from "../features/domains/staff.ts";
import { staffEventRoutes } from "../features/events/staff.ts";
import { staffEventComponents } from "../features/events/staffSchema.ts";
import { fulfillmentComponents } from "../features/fulfillments/schema.ts";
import { staffFulfillmentRoutes } from "../features/fulfillments/staff.ts";
import { batchComponents } from "../features/intents/batch/schema.ts";
import { batchRoutes } from "../features/intents/batch/staff.ts";
import { staffIntentComponents } from "../features/intents/schema.ts";
import { staffIntentRoutes } from "../features/intents/staff.ts";
import { keyComponents } from "../features/keys/schema.ts";
import { keyRoutes } from "../features/keys/staff.ts";
import { linkComponents } from "../features/links/schema.ts";
import { linkRoutes } from "../features/links/staff.ts";
import type { WatchOf } from "../features/overview/overview.ts";
import { overviewComponents } from "../features/overview/schema.ts";
import { overviewRoutes } from "../features/overview/staff.ts";
import { staffActionComponents } from "../features/paymentActions/schema.ts";
import { staffActionRoutes } from "../features/paymentActions/staff.ts";
import { staffPaymentComponents } from "../features/payments/schema.ts";
import { staffPaymentRoutes } from "../features/payments/staff.ts";
import { ratesComponents } from "../features/rates/schema.ts";
import { recipientComponents } from "../features/recipients/schema.ts";
import { recipientRoutes } from "../features/recipients/staff.ts";
import { staffRecordingComponents } from "../features/recording/schema.ts";
import { staffRecordingRoutes } from "../features/recording/staff.ts";
import { requestComponents } from "../features/requests/schema.ts";
import { requestRoutes } from "../features/requests/staff.ts";
import { accountComponents } from "../features/staff/account/schema.ts";
import { accountRoutes } from "../features/staff/account/self.ts";
import { companyComponents } from "../features/staff/companySignIn/schema.ts";
import { companyRoutes } from "../features/staff/companySignIn/visitor.ts";
import type { StaffContext } from "../features/staff/context.ts";
import { historyComponents } from "../features/staff/history/schema.ts";
import { historyRoutes } from "../features/staff/history/self.ts";
import { memberRoutes } from "../features/staff/members/member.ts";
import { findRole } from "../features/staff/members/queries.ts";
import { memberComponents } from "../features/staff/members/schema.ts";
import { admitSession } from "../features/staff/signIn/admission.ts";
import { signInComponents } from "../features/staff/signIn/schema.ts";
import { signInRoutes } from "../features/staff/signIn/visitor.ts";
import { hourComponents } from "../features/webhooks/delivery/hours/schema.ts";
import { hourRoutes } from "../features/webhooks/delivery/hours/staff.ts";
import { resendComponents } from "../features/webhooks/delivery/resends/schema.ts";
import { resendRoutes } from "../features/webhooks/delivery/resends/staff.ts";
import { deliveryComponents } from "../features/webhooks/delivery/schema.ts";
import { deliveryRoutes } from "../features/webhooks/delivery/staff.ts";
import { endpointComponents } from "../features/webhooks/endpoints/schema.ts";
import { endpointRoutes } from "../features/webhooks/endpoints/staff.ts";
import type { Resolve } from "../features/webhooks/sending/resolver.ts";
import type { KeyRing } from "../features/webhooks/sending/secret.ts";
import type { Database } from "../store/database.ts";
import { exportRoutes } from "./exports/routes.ts";
import { inspectorComponents } from "./inspector/schema.ts";
import { inspectorRoutes } from "./inspector/staff.ts";
import { checkLink } from "./linkIntents.ts";
import { testPayments } from "./testPayments.ts";
import { transactionComponents } from "./transaction/schema.ts";
import { transactionRoutes } from "./transaction/staff.ts";

/** Parts of the start that routes of the staff need. */
interface StaffParts {
  readonly ring: KeyRing | null;
  readonly resolve: Resolve;
  readonly lookups: DomainLookups;
  readonly watchOf: WatchOf;
}

/** The session and the role by which the staff's door admits a user. */
export const staffAdmission = (database: Database): StaffAdmission => ({
  admitSession: (secretHash, visitor) => admitSession(database, secretHash, visitor),
  findRole: (businessId, staff) => findRole(database, businessId, staff),
});

/** Every route of the staff API, in the document's order. */
export function staffRoutes(ctx: StaffContext, parts: StaffParts): Route<Visitor>[] {
  const routes = listedRoutes(ctx, parts);
  return [...routes, ...exportRoutes(routes, ctx)];
}

const listedRoutes = (ctx: StaffContext, { ring, resolve, lookups, watchOf }: StaffParts): Route<Visitor>[] => [
  ...signInRoutes(ctx),
  ...accountRoutes(ctx),
  ...companyRoutes(ctx),
  ...historyRoutes(ctx),
  ...staffBusinessRoutes(ctx),
  ...overviewRoutes(ctx, watchOf),
  ...booksRoutes(ctx),
  ...domainRoutes(ctx, lookups),
  ...memberRoutes(ctx),
  ...auditRoutes(ctx),
  ...keyRoutes(ctx),
  ...recipientRoutes({ ...ctx, tests: testPayments(ctx) }),
  ...endpointRoutes(ctx, ring, resolve),
  ...deliveryRoutes(ctx),
  ...hourRoutes(ctx),
  ...resendRoutes(ctx),
  ...requestRoutes(ctx),
  ...staffEventRoutes(ctx),
  ...staffIntentRoutes(ctx),
  ...batchRoutes(ctx),
  ...linkRoutes(ctx, checkLink(ctx)),
  ...staffPaymentRoutes(ctx),
  ...staffActionRoutes(ctx),
  ...staffDisputeRoutes(ctx),
  ...decisionRoutes(ctx),
  ...deskRoutes(ctx, POLICY_HASH_OF_P),
  ...staffFileRoutes(ctx),
  ...staffFulfillmentRoutes(ctx, findTermsByHash),
  ...staffRecordingRoutes(ctx),
  ...staffChainRoutes(ctx),
  ...transactionRoutes(ctx),
  ...inspectorRoutes(ctx),
];

/** The OpenAPI document of the staff API. */
export const describeStaffRoutes = (routes: readonly Route<Visitor>[]): Json =>
  describeApi({
    door: STAFF_DESCRIPTION,
    routes,
    components: {
      ...Object.fromEntries(
        routes.flatMap(({ docs: { body } }) => (body === undefined ? [] : [[body.component, body.schema]])),
      ),
      ...signInComponents,
      ...accountComponents,
      ...companyComponents,
      ...historyComponents,
      ...staffBusinessComponents,
      ...overviewComponents,
      ...booksComponents,
      ...ratesComponents,
      ...domainComponents,
      ...memberComponents,
      ...auditComponents,
      ...keyComponents,
      ...recipientComponents,
      ...endpointComponents,
      ...deliveryComponents,
      ...hourComponents,
      ...resendComponents,
      ...requestComponents,
      ...staffEventComponents,
      ...staffIntentComponents,
      ...batchComponents,
      ...linkComponents,
      ...staffPaymentComponents,
      ...staffActionComponents,
      ...disputeComponents,
      ...staffDisputeComponents,
      ...deskComponents,
      ...uploadComponents,
      ...fulfillmentComponents,
      ...deskDecisionComponents,
      ...staffRecordingComponents,
      ...staffChainComponents,
      ...transactionComponents,
      ...inspectorComponents,
    },
    webhooks: {},
    tags: [],
  });
