import { useDisputeOf } from "../objects/disputeLink.tsx";
import { useEnvironmentTime } from "../shell/environmentTime.ts";
import { type Course, courseOf, type Followed } from "./stage.ts";

/** Reads the dispute of a payment, and tells who ends it; until it is read, the chain's last date alone. */
export function useCourse(payment: Followed): Course {
  return courseOf(payment, useDisputeOf(payment), useEnvironmentTime());
}
