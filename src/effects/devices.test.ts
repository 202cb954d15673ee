import { expect, test } from "vitest";
import { isDevice, isSystemFile } from "./devices.ts";

test.each([
  ["/dev/ttyUSB0", true, true],
  ["/dev/null", true, true],
  ["/dev/shm/app/a.ts", false, false],
  ["/proc/1/environ", false, true],
  ["/sys/power/state", false, true],
  ["/home/ada/dev/a.ts", false, false],
])("%s is a device: %s, and the system's own: %s", (path, device, system) => {
  expect([isDevice(path), isSystemFile(path)]).toEqual([device, system]);
});
