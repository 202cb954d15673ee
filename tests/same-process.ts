import { afterAll } from "vitest";
import "./remove-again.ts";

/** Every file of tests leaves its process as it found it: the next one is in the same. */
const [env, folder] = [{ ...process.env }, process.cwd()];
afterAll(() => {
  for (const name of Object.keys(process.env)) if (!(name in env)) delete process.env[name];
  for (const [name, value] of Object.entries(env)) if (process.env[name] !== value) process.env[name] = value;
  process.chdir(folder);
});
