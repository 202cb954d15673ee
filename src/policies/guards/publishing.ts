import type { Guard } from "./guard.ts";

/** Nothing goes public by accident. */
export const publishing: Guard = {
  title: "Publishing packages, images and releases",
  why: "What was published once is out there; a name can never be used again for something else.",
  rules: [
    {
      value: "unpublish",
      standard: "deny",
      strict: "deny",
      paranoid: "deny",
      reason: "This takes back what others may already use.",
      remedy: "npm version patch --no-git-tag-version",
    },
    {
      value: "publish",
      standard: "ask",
      strict: "ask",
      paranoid: "deny",
      reason: "This makes something public.",
      remedy: "npm publish --dry-run",
    },
  ],
  stops: [
    "npm unpublish x --force",
    "gh repo delete me/x --yes",
    "npm publish",
    "cargo publish",
    "twine upload dist/*",
    "docker push me/x",
    "gem push x.gem",
    "vsce publish",
  ],
  passes: ["npm publish --dry-run", "npm pack", "cargo package", "docker build -t me/x .", "echo npm publish"],
};
