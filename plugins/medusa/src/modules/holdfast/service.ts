import { MedusaService } from "@medusajs/framework/utils";
import { HoldfastAttempt } from "./models/attempt";
import { HoldfastEvent } from "./models/event";
import { HoldfastSettings } from "./models/settings";

export default class HoldfastModuleService extends MedusaService({
  HoldfastAttempt,
  HoldfastEvent,
  HoldfastSettings,
}) {}
