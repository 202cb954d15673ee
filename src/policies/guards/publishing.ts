import { ASK, DENY, type Guard } from "./guard.ts";
import { by, namesIn, type Part } from "./part.ts";

/** Nothing is published by accident. */
export const publishing: Guard = {
  title: "Publishing packages, images and releases",
  why: "What was published once is out there; a name can never be used again for something else.",
  rules: [
    {
      name: "unpublish",
      ...DENY,
      reason: "Takes back what others may already use.",
      does: (part) => `takes back ${nameOf(part)}, which others may already use`,
      ask: (part) => `to take ${nameOf(part)} back`,
    },
    {
      name: "publish",
      ...ASK,
      reason: "Makes something public.",
      does: (part) => `makes ${nameOf(part)} public${by(part)}`,
      ask: "to publish it",
    },
  ],
  stops: () => [
    "npm unpublish x --force",
    "gh repo delete me/x --yes",
    "npm publish",
    "cargo publish",
    "twine upload dist/*",
    "docker push me/x",
    "gem push x.gem",
    "vsce publish",
  ],
  passes: () => [
    "npm publish --dry-run",
    "npm pack",
    "docker push localhost:5000/x",
    "npm unpublish x --dry-run",
    "cargo package",
    "docker build -t me/x .",
    "echo npm publish",
  ],
};

/** The published or withdrawn package, by the last name after the verb. */
function nameOf(part: Part): string {
  return namesIn(part).at(-1) ?? "this package";
}
