import type { Check } from "./check.ts";
import { DIRECTION } from "./direction.ts";
import { DISK } from "./disk.ts";
import { NAMES } from "./names.ts";
import { ONE_DECISION } from "./one-decision.ts";
import { PROGRAMS } from "./programs.ts";
import { SHAPE } from "./shape.ts";
import { VOICE } from "./voice.ts";

/** Every rule of the house, by the sentence it stands for. */
export const CHECKS: Readonly<Record<string, Check>> = {
  ...DIRECTION,
  ...DISK,
  ...NAMES,
  ...ONE_DECISION,
  ...PROGRAMS,
  ...SHAPE,
  ...VOICE,
};
