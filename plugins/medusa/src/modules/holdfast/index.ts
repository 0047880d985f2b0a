import { Module } from "@medusajs/framework/utils";
import HoldfastModuleService from "./service";

export const HOLDFAST_MODULE = "holdfast";

export default Module(HOLDFAST_MODULE, { service: HoldfastModuleService });
