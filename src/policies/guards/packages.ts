import { ASK, type Guard } from "./guard.ts";
import { lineOf, type Part, without } from "./part.ts";

/** Packages come from the usual registry, and are verified. */
export const packages: Guard = {
  title: "Installing from elsewhere, or unchecked",
  why: "A package runs its own code when it is installed; from an unknown place, or unchecked, it can be anyone's.",
  rules: [
    {
      name: "unverified",
      ...ASK,
      reason: "Switches off the check of certificates, signatures or checksums.",
      does: "switches off the check of certificates, signatures or checksums",
      instead: checked,
      ask: "whether that check may be off, or for the certificate that is missing",
    },
    {
      name: "foreign-source",
      yieldsTo: ["run-download"],
      ...ASK,
      reason: "Takes code from an address or a registry other than the usual one.",
      does: (part) => `takes code from ${addressIn(part)}, past the usual registry`,
      ask: "whether code may come from there",
    },
  ],
  stops: () => [
    "npm install https://example.com/pkg.tgz",
    "npm install --registry http://registry.example.com left-pad",
    "npm config set strict-ssl false",
    "pip install git+https://example.com/x",
    "pip install --index-url http://example.com/simple requests",
    "pip install --trusted-host example.com x",
    "cargo install --git https://example.com/x",
    "GIT_SSL_NO_VERIFY=1 git clone https://example.com/x",
    "git -c http.sslVerify=false pull",
    "export NODE_TLS_REJECT_UNAUTHORIZED=0",
    "yum install --nogpgcheck x",
    "GOSUMDB=off go get example.com/x",
    "go install example.com/x@latest",
    "echo 'registry=https://example.com/npm' > .npmrc",
    "git config --global http.proxy http://example.com:8080",
    `Rscript -e 'install.packages("x", repos = "http://example.com/cran")'`,
    { tool: "Write", args: { file_path: "Gemfile", content: 'source "https://example.com/gems"\n' } },
  ],
  passes: () => [
    "npm install left-pad",
    "npm ci",
    "npm install --registry https://registry.npmjs.org left-pad",
    "npm install --registry http://localhost:4873 left-pad",
    "pip install -r requirements.txt -c constraints.txt",
    "pip install torch --index-url https://download.pytorch.org/whl/cpu",
    "pip install ./dist/app-1.0-py3-none-any.whl",
    "go install golang.org/x/tools/gopls@latest",
    "git clone https://example.com/x",
    "curl -k https://localhost:8443/health",
    "NODE_TLS_REJECT_UNAUTHORIZED=1 npm ci",
  ],
};

/** The same command with the check. */
function checked(part: Part): string | undefined {
  const { program, words, serviceAction } = part;
  if (program === "" || serviceAction !== "" || words.some(({ text }) => /^(?:config|-c|-o|set|env)$/.test(text)))
    return undefined;
  const rest = without(part, (text) => /^--(?:allow-|no|skip-|insecure|trusted-host=|force-yes|ignore-)/.test(text));
  const at = rest.findIndex(({ text }) => text === "--trusted-host");
  return lineOf(part, program, ...(at < 0 ? rest : rest.filter((_, index) => index !== at && index !== at + 1)));
}

function addressIn({ words, commands, at, serviceAction }: Part): string {
  const [written] = /[a-z+]+:\/\/[^\s"'<>]+/i.exec(serviceAction) ?? [];
  if (written !== undefined) return written;
  const values = Object.values(commands[at]?.assignments ?? {});
  const address = [...words, ...values].find(({ text, isKnown }) => isKnown && /:\/\/|^git@/.test(text));
  return address === undefined ? "an address" : address.text.replace(/^[\w.@:-]+=/, "");
}
