import { ASK, type Guard } from "./guard.ts";
import { lineOf, type Part } from "./part.ts";

/** This machine and its services are not opened to others. */
export const exposure: Guard = {
  title: "Opening this machine or a service to others",
  why: "A tunnel, an open port or public access lets strangers in, and stays open unseen.",
  rules: [
    {
      name: "expose",
      yieldsTo: ["reverse-shell"],
      ...ASK,
      reason: "Lets others reach this machine, its files, a service or an account.",
      does: "lets others reach this machine, its files, a service or an account{by}",
      instead: onlyHere,
      ask: "whether it may be open, for whom and how long",
    },
  ],
  stops: () => [
    "ngrok http 8080",
    "cloudflared tunnel --url http://localhost:3000",
    "ssh -R 8080:localhost:80 example.com",
    "npx localtunnel --port 3000",
    "python3 -m http.server --directory /",
    "cd ~ && python3 -m http.server 8000",
    "kubectl port-forward --address 0.0.0.0 svc/db 5432",
    "aws ec2 authorize-security-group-ingress --group-id x --port 22 --cidr 0.0.0.0/0",
    "redis-server --protected-mode no --bind 0.0.0.0",
    "jupyter lab --ip=0.0.0.0 --ServerApp.token=''",
  ],
  passes: () => [
    "python3 -m http.server 8000",
    "npx serve dist",
    "ssh -L 5432:localhost:5432 example.com",
    "docker run -p 8080:80 nginx",
    "vite --host 0.0.0.0",
    "kubectl port-forward svc/db 5432",
    "jupyter lab",
    "ngrok --version",
  ],
};

/** The same command for this machine alone. */
function onlyHere(part: Part): string | undefined {
  const { program, words } = part;
  const closed = words.map(({ text, ...word }) => ({
    ...word,
    text: text.replace(/(?<=^|=)(?:0\.0\.0\.0|::)(?=$|:)/, "127.0.0.1"),
  }));
  return lineOf(part, program, ...closed);
}
