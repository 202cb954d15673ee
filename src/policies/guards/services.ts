import { ASK, type Guard } from "./guard.ts";
import { named } from "./part.ts";

/** Tools change services only if the user agrees. */
export const services: Omit<Guard, "title"> = {
  why: "A tool of a database, a cloud or a hosting service reaches production as a shell does, and its name reveals little.",
  rules: [
    {
      name: "service-data-access",
      ...ASK,
      reason: "Changes who may use a database or how it runs, or reaches through it to its machine.",
      message: () => ({
        does: "changes who may use a database or how it runs, or reaches through it to its machine",
        ask: "to run that statement",
      }),
    },
    {
      name: "tool-delete-outside",
      yieldsTo: ["delete-root", "delete-protected", "delete-folder"],
      ...ASK,
      reason: "Removes something outside the project, by a tool.",
      message: (part) => ({
        does: `removes ${named(part)}, which is outside the project`,
        ask: `to remove ${named(part)}`,
      }),
    },
    {
      name: "service-outage",
      ...ASK,
      reason: "Stops, replaces or switches off something at a service, by a tool.",
      message: () => ({
        does: "stops, replaces or switches off something that others may be using",
        ask: "whether now is the time for it",
      }),
    },
    {
      name: "service-access",
      ...ASK,
      reason: "Changes who may use something at a service, by a tool.",
      message: () => ({
        does: "changes who may use something at a service, or with which keys",
        ask: "to change it",
      }),
    },
    {
      name: "service-merge",
      ...ASK,
      reason: "Merges a change for everybody, or overwrites a branch at a service.",
      message: () => ({
        does: "changes a branch that others work from, and cannot be taken back quietly",
        ask: "to merge it",
      }),
    },
    {
      name: "payment",
      ...ASK,
      reason: "Moves money.",
      message: () => ({ does: "moves money in the user's name", ask: "to approve that sum and its receiver" }),
    },
    {
      name: "message",
      ...ASK,
      reason: "Writes to people in the user's name.",
      message: () => ({
        does: "writes to people in the user's name, and what is sent cannot be taken back",
        ask: "to send it, or leave it as a draft",
      }),
    },
  ],
  get stops() {
    return [
      { tool: "mcp__docker__run", args: { image: "alpine", volumes: ["/home/dev:/host"] } },
      { tool: "mcp__docker__run", args: { image: "alpine", volumes: ["~/.ssh:/keys:ro"] } },
      { tool: "mcp__pg__query", args: { sql: "SELECT 1; COPY t TO PROGRAM 'id'" } },
      { tool: "mcp__s3__put_object_acl", args: { Bucket: "b", ACL: "public-read" } },
      { tool: "mcp__github__update_branch_protection", args: { owner: "me", repo: "app", branch: "main" } },
      { tool: "mcp__github__create_secret", args: { owner: "me", repo: "app", name: "X" } },
      { tool: "mcp__github__merge_pull_request", args: { owner: "me", repo: "app", pullNumber: 3 } },
      { tool: "mcp__github__update_ref", args: { ref: "heads/main", sha: "abc", force: true } },
      { tool: "mcp__k8s__scale_deployment", args: { name: "api", replicas: 0 } },
      { tool: "mcp__stripe__create_refund", args: { payment_intent: "pi_1" } },
      { tool: "mcp__gmail__send_email", args: { to: "a@example.com", subject: "x", body: "y" } },
      { tool: "mcp__slack__slack_post_message", args: { channel_id: "C1", text: "hi" } },
      { tool: "mcp__x__create_tweet", args: { text: "hi" } },
      { tool: "mcp__playwright__browser_click", args: { element: "Pay $1,299.00 now", ref: "e3" } },
      { tool: "mcp__terraform__create_run", args: { workspace: "web", auto_apply: true } },
      { tool: "mcp__grafana__update_alert_rule", args: { uid: "x", isPaused: true } },
      {
        tool: "mcp__github__create_or_update_file",
        args: { owner: "me", repo: "app", branch: "main", path: ".github/workflows/ci.yml", content: "on: push" },
      },
      'curl -X PATCH https://app.terraform.io/api/v2/workspaces/ws-1 -d \'{"data":{"attributes":{"auto-apply":true}}}\'',
      "gh api -X PUT repos/me/app/contents/.github/workflows/ci.yml -f message=x -f content=eA==",
    ];
  },
  get passes() {
    return [
      {
        tool: "mcp__docker__run",
        args: { image: "node:20", command: "npm test", volumes: ["/home/dev/project:/app"] },
      },
      { tool: "mcp__postgres__query", args: { sql: "SELECT * FROM audit WHERE note = 'drop table users'" } },
      { tool: "mcp__postgres__query", args: { sql: "EXPLAIN DELETE FROM users" } },
      { tool: "mcp__sqlite__query", args: { db_path: "./dev.db", sql: "DROP TABLE users" } },
      { tool: "mcp__pg__query", args: { connection_string: "postgres://localhost/dev", sql: "TRUNCATE users" } },
      { tool: "mcp__mongodb__find", args: { collection: "users", filter: {} } },
      { tool: "mcp__redis__get", args: { key: "a" } },
      { tool: "WebSearch", args: { query: "drop table if exists postgres" } },
      { tool: "mcp__playwright__browser_click", args: { element: "Payment methods", ref: "e3" } },
      {
        tool: "mcp__github__create_or_update_file",
        args: { owner: "me", repo: "app", branch: "fix", path: ".github/workflows/ci.yml", content: "on: push" },
      },
      { tool: "mcp__github__create_issue", args: { owner: "me", repo: "app", title: "delete the bucket" } },
      { tool: "mcp__github__add_issue_comment", args: { owner: "me", repo: "app", issue_number: 3, body: "done" } },
      { tool: "mcp__github__create_pull_request", args: { owner: "me", repo: "app", head: "a", base: "main" } },
      { tool: "mcp__github__push_files", args: { owner: "me", repo: "app", branch: "fix", files: [] } },
      { tool: "mcp__stripe__list_refunds", args: {} },
      { tool: "mcp__gmail__create_draft", args: { to: "a@example.com", body: "y" } },
      { tool: "mcp__slack__slack_get_channel_history", args: { channel_id: "C1" } },
      { tool: "mcp__memory__delete_observations", args: { deletions: [] } },
      { tool: "mcp__http__request", args: { method: "DELETE", url: "http://localhost:3000/todos/1" } },
      { tool: "mcp__playwright__browser_click", args: { element: "Submit button", ref: "e3" } },
      { tool: "TodoWrite", args: { todos: [{ content: "DROP TABLE users" }] } },
    ];
  },
};
