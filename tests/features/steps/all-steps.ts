import type { Step } from "../step.ts";
import type { World } from "../world.ts";
import { CONFIGURATION_STEPS } from "./configuration-steps.ts";
import { EVENT_STEPS } from "./event-steps.ts";
import { HOOK_STEPS } from "./hook-steps.ts";
import { REGISTRY_STEPS } from "./registry-steps.ts";
import { RUNNING_STEPS } from "./running-steps.ts";
import { TEMPLATE_STEPS } from "./template-steps.ts";
import { TOOL_STEPS } from "./tool-steps.ts";

/** Every sentence that the features may say. */
export const STEPS: readonly Step<World>[] = [
  ...EVENT_STEPS,
  ...HOOK_STEPS,
  ...REGISTRY_STEPS,
  ...RUNNING_STEPS,
  ...TOOL_STEPS,
  ...CONFIGURATION_STEPS,
  ...TEMPLATE_STEPS,
];
