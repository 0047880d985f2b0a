import { ActionError, type ActionErrorCode } from "../../domain/actionError.ts";
import type { Member, Staff, Tenant, Visitor } from "../../domain/callers.ts";
import { ApiError, InvalidBodyError, invalid } from "../../domain/errors.ts";
import type { JsonObject } from "../../domain/json.ts";
import { may, type Permission, rolesFor } from "../../domain/roles.ts";
import { ENVIRONMENTS } from "../../domain/terms.ts";
import type { Declaration, InputOf } from "../http/declaration.ts";
import {
  type Call,
  type ReadCall,
  type Reply,
  type Route,
  readRoute,
  type WriteCall,
  type WriteMethod,
  writeRoute,
} from "../http/route.ts";

type Body = Declaration & { readonly query?: never };
type Query = Declaration & { readonly body?: never };
type Reads<Caller, Declared extends Declaration> = (call: Call<Caller, InputOf<Declared>>) => Promise<Reply>;
type Writes<Caller, Declared extends Declaration> = (call: WriteCall<Caller, InputOf<Declared>>) => Promise<Reply>;

/** The requirements of a route on a session, beyond being signed in. */
export interface Guard {
  /** True: requires a proof of identity within the last minutes. For keys, secrets, members, and ways to sign in. */
  readonly fresh: boolean;
}

export const FRESH: Guard = { fresh: true };
export const STALE: Guard = { fresh: false };

type Admit<Caller> = (visitor: Visitor, params: Readonly<Record<string, string>>) => Promise<Caller> | Caller;

/** PostgreSQL stores no NUL, so a text with one is not an id. */
function checkParams(params: Readonly<Record<string, string>>): void {
  if (Object.values(params).some((value) => value.includes("\0"))) throw missing();
}

/** Adds a check of the caller to a route: it runs before the input is parsed. */
function admitting<Caller>(route: Route<Caller>, admit: Admit<Caller>): Route<Visitor> {
  const enter = async (caller: Visitor, params: Readonly<Record<string, string>>): Promise<Caller> => {
    const admitted = await admit(caller, params);
    checkParams(params);
    return admitted;
  };
  if (route.method === "GET")
    return {
      ...route,
      run: async (call: ReadCall<Visitor, URLSearchParams>) =>
        refusing(async () => route.run({ ...call, caller: await enter(call.caller, call.params) })),
    };
  return {
    ...route,
    run: (call: WriteCall<Visitor, JsonObject>) =>
      call.once(() => refusing(async () => route.run({ ...call, caller: await enter(call.caller, call.params) }))),
  };
}

const admitStaff =
  ({ fresh }: Guard): Admit<Staff> =>
  (visitor) => {
    const staff = requireStaff(visitor);
    if (fresh) requireProof(staff);
    return staff;
  };

const admitOperator =
  (guard: Guard): Admit<Staff> =>
  (visitor) => {
    const staff = requireStaff(visitor);
    if (!staff.isOperator) throw new ApiError("forbidden", "Only operators of the deployment can do this.");
    if (guard.fresh) requireProof(staff);
    return staff;
  };

/** To all other users, the desk does not exist. */
const admitArbiter =
  (guard: Guard): Admit<Staff> =>
  (visitor) => {
    const staff = requireStaff(visitor);
    if (!staff.isArbiter) throw missing();
    if (guard.fresh) requireProof(staff);
    return staff;
  };

const admitMember =
  (permission: Permission, { fresh }: Guard): Admit<Member> =>
  async (visitor, params) => {
    const staff = requireStaff(visitor);
    checkParams(params);
    const member = await requireMember(visitor, staff, params.business!, permission);
    if (fresh) requireProof(member);
    return member;
  };

/** The door keeps no answers under an Idempotency-Key, so an operation commits its own transactions, and only answers. */
const answeringWrite = <Caller, const Declared extends Body>(
  method: WriteMethod,
  path: string,
  docs: Declared,
  operation: Writes<Caller, Declared>,
): Route<Caller> =>
  writeRoute(method, path, docs, async (call: WriteCall<Caller, InputOf<Declared>>) =>
    call.write.commit({ reply: await operation(call) }),
  );

/** A write for visitors, such as a sign-in. */
export const visitorWrite = <const Declared extends Body>(
  method: WriteMethod,
  path: string,
  docs: Declared,
  operation: Writes<Visitor, Declared>,
): Route<Visitor> => admitting(answeringWrite(method, path, docs, operation), (visitor) => visitor);

const reads =
  <Caller>(admit: Admit<Caller>) =>
  <const Declared extends Query>(path: string, docs: Declared, operation: Reads<Caller, Declared>): Route<Visitor> =>
    admitting(readRoute(path, docs, operation), admit);

const writes =
  <Caller>(admit: (guard: Guard) => Admit<Caller>) =>
  <const Declared extends Body>(
    method: WriteMethod,
    path: string,
    docs: Declared,
    guard: Guard,
    operation: Writes<Caller, Declared>,
  ): Route<Visitor> =>
    admitting(answeringWrite(method, path, docs, operation), admit(guard));

export const staffRead = reads(admitStaff(STALE));
export const staffWrite = writes(admitStaff);
export const operatorRead = reads(admitOperator(STALE));
export const operatorWrite = writes(admitOperator);
export const arbiterRead = reads(admitArbiter(STALE));
export const arbiterWrite = writes(admitArbiter);

/** A read in a business, whose id is the path's `:business`. */
export const memberRead = <const Declared extends Query>(
  permission: Permission,
  path: string,
  docs: Declared,
  operation: Reads<Member, Declared>,
): Route<Visitor> => admitting(readRoute(path, docs, operation), admitMember(permission, STALE));

export const memberWrite = <const Declared extends Body>(
  permission: Permission,
  method: WriteMethod,
  path: string,
  docs: Declared,
  guard: Guard,
  operation: Writes<Member, Declared>,
): Route<Visitor> => admitting(answeringWrite(method, path, docs, operation), admitMember(permission, guard));

/**
 * Makes the error for every object that does not exist, or not for this user: one body, so that it reveals nothing of
 * others.
 */
export const missing = (): ApiError =>
  new ApiError("not_found", "You have access to nothing with this ID. Check the ID, the business and the environment.");

/** The member's business in the environment of the path's `:environment`. */
export function tenantOf({ businessId }: Member, params: Readonly<Record<string, string>>): Tenant {
  const environment = ENVIRONMENTS.find((one) => one === params.environment);
  if (environment === undefined) throw missing();
  return { businessId, environment };
}

function requireStaff({ staff }: Visitor): Staff {
  if (staff === null)
    throw new ApiError("unauthorized", "You are not signed in, or your session has ended. Sign in again.");
  return staff;
}

/** Throws `proof_required` without a recent proof of identity. */
export function requireProof({ isFresh }: Staff): void {
  if (!isFresh)
    throw new ApiError("proof_required", "Confirm that it is you. Enter your password, or use your passkey.");
}

/** The role is read on every request, so that a removed member is refused from the next one on. */
async function requireMember(
  { findRole }: Visitor,
  staff: Staff,
  businessId: string,
  permission: Permission,
): Promise<Member> {
  const role = await findRole(businessId, staff);
  if (role === null) throw missing();
  if (!may(role, permission))
    throw new ApiError(
      "forbidden",
      `Your role in this business is ${role}. This needs one of ${rolesFor(permission)}.`,
    );
  return { ...staff, businessId, role };
}

/** These errors get the answer of an unknown id. */
const NOT_FOUND: readonly ActionErrorCode[] = [
  "business_not_found",
  "key_not_found",
  "endpoint_not_found",
  "delivery_not_found",
  "recipient_not_found",
  "member_not_found",
  "invitation_not_found",
  "session_not_found",
  "passkey_not_found",
];

/** The fields of values that the actions refuse: a form shows that at the field. */
const FIELDS: Partial<Record<ActionErrorCode, string>> = {
  business_name_invalid: "name",
  endpoint_url_invalid: "url",
  endpoint_types_invalid: "eventTypes",
};

async function refusing<Result>(operation: () => Promise<Result>): Promise<Result> {
  try {
    return await operation();
  } catch (error) {
    if (error instanceof InvalidBodyError) {
      const others = error.fields.slice(1).map(({ details, message }) => ({ param: details.param!, message }));
      throw others.length === 0 ? error : invalid(error.details.param!, error.message, { others });
    }
    if (!(error instanceof ActionError)) throw error;
    if (NOT_FOUND.includes(error.code)) throw missing();
    const field = FIELDS[error.code];
    if (field !== undefined) throw invalid(field, error.message);
    throw new ApiError("action_refused", error.message, { reason: error.code });
  }
}
