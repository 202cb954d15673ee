import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

const pages = join(import.meta.dirname, "..", "pages");

/** The pages of a folder by their titles. */
function titled(folder) {
  const names = readdirSync(join(pages, folder)).filter((name) => name.endsWith(".md") && name !== "index.md");
  return names.sort().map((name) => ({
    text: /^# (.+)$/m.exec(readFileSync(join(pages, folder, name), "utf8"))?.[1] ?? name,
    link: `/${join(folder, name.slice(0, -".md".length))}`,
  }));
}

/** The pages are text: they show <name> and {{event}} as they are. */
function asText(md) {
  md.set({ html: false });
  for (const rule of ["text", "code_inline"]) {
    const render = md.renderer.rules[rule];
    md.renderer.rules[rule] = (...args) => render(...args).replaceAll("{{", "<span v-pre>{{</span>");
  }
}

export default {
  title: "Sluice",
  description: "The hooks engine for AI coding agents",
  srcDir: "pages",
  outDir: "dist",
  markdown: { config: asText },
  ignoreDeadLinks: [/^https?:\/\/localhost/],
  themeConfig: {
    search: { provider: "local" },
    nav: [{ text: "Playground", link: "/playground.html", target: "_self" }],
    sidebar: [
      { text: "Pages", items: titled("") },
      { text: "Agents", items: titled("agents") },
      { text: "Guards", items: titled("guards") },
      { text: "Contributing", items: titled("contributing") },
    ],
  },
};
