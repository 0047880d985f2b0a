import assert from "node:assert/strict";
import type { Wire } from "./merchant.ts";

/** A reader that keeps objects by differences alone, as §6.6 lets it: every event's, in order. */
export class Mirror {
  readonly objects = new Map<string, Wire>();

  /** Takes an event's data; before the change the object must have been what its last event showed. */
  take(type: string, { object, previousAttributes }: Wire): void {
    const known = this.objects.get(object.id);
    if (known === undefined) assert.equal(previousAttributes, undefined, `${type} is the first of its object`);
    else assert.deepEqual(withoutCheck({ ...object, ...previousAttributes }), withoutCheck(known), type);
    if (previousAttributes !== undefined) assert.notDeepEqual(previousAttributes, {}, type);
    for (const [name, value] of Object.entries(previousAttributes ?? {}))
      assert.notDeepEqual(withoutCheck(value), withoutCheck(object[name]), `${type}: ${name} has changed`);
    // A payment that is bound at the address again is a new one.
    if (type === "payment.reverted") this.objects.delete(object.id);
    else this.objects.set(object.id, object);
  }
}

/** A moved `checkedAt` is no change (§6.6.3). */
function withoutCheck(object: Wire): Wire {
  if (typeof object !== "object" || object === null) return object;
  const { checkedAt: _, payment, ...rest } = object;
  return payment === undefined ? rest : { ...rest, payment: withoutCheck(payment) };
}
