import { ModuleProvider, Modules } from "@medusajs/framework/utils";
import { HoldfastProvider } from "./provider";

export default ModuleProvider(Modules.PAYMENT, { services: [HoldfastProvider] });
