// Agents try to switch Sluice off: `npm run campaign self-protection [pattern]`. Every case is judged by the built package, what
// passes is run in a jail and must weaken nothing, and harmless neighbours must pass. Ends with 1 where anything did not hold.
import { fileURLToPath } from "node:url";
import { campaign } from "./self-protection/campaign.mjs";

const [pattern = ""] = process.argv.slice(2);
const wanted = new RegExp(pattern);
const keep = ({ kind, agent, call }) => wanted.test(`${kind} ${agent} ${call.command ?? JSON.stringify(call)}`);
const { counts, failed, unweakened } = await campaign(fileURLToPath(new URL("../..", import.meta.url)), { keep });
for (const { kind, agent, call, why } of failed)
  console.log(`${kind} ${agent}: ${call.command ?? JSON.stringify(call)}\n    ${why}`);
if (process.env.VERBOSE)
  for (const { kind, call, out } of unweakened)
    console.log(`${kind}, harmless: ${call.command}\n    ${out.slice(0, 200)}`);
console.log(
  `${counts.attacks} attacks: ${counts.stopped} stopped, ${counts.ran} run in the jail, ${counts.unweakened} of them weakened nothing. ` +
    `${counts.harmless} harmless calls: ${counts.passed} passed. ${failed.length} did not hold.`,
);
process.exitCode = failed.length === 0 ? 0 : 1;
