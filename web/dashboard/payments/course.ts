import { useDisputeOf } from "../objects/disputeLink.tsx";
import { useEnvironmentTime } from "../shell/environmentTime.ts";
import { type Course, courseOf, type Followed } from "./stage.ts";

/** Who ends a payment's dispute, as far as it is read. */
export function useCourse(payment: Followed): Course {
  return courseOf(payment, useDisputeOf(payment), useEnvironmentTime());
}
