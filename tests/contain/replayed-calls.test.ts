import { expect, it } from "vitest";
import { containedProject } from "./contained-project.ts";

it("`sluice replay --contain` shows how many recorded calls would have run in a box, and which of them talk to the network", () => {
  const project = containedProject("guards: standard\n");
  for (const command of ["./prog", "./prog", "ls", "npm install left-pad", "curl https://example.org/"])
    project.decide(command);
  const found = (mode: string) => JSON.parse(project.sluice("replay", "--contain", mode, "--json").out);
  expect(found("unknown")).toMatchObject({
    ...{ total: 5, contained: 3, network: 1, cannot_tell: 0 },
    shapes: [
      { count: 2, example: "./prog", hosts: [] },
      { count: 1, example: "npm install left-pad", hosts: ["registry.npmjs.org"] },
    ],
  });
  expect(found("all")).toMatchObject({ total: 5, contained: 5, network: 2 });
  const { out } = project.sluice("replay", "--contain", "unknown");
  expect(out).toContain("Of 5 calls of a shell, 3 would have run in a box; 1 of them talk to the network.");
  expect(out).toContain("npm install left-pad  (registry.npmjs.org)");
  expect(project.sluice("replay", "--contain", "some").err).toContain("replay/other-contain");
});
