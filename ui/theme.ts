import { effect, signal } from "@preact/signals";

/** What the person chose; `auto` follows the system. */
export const theme = signal<"auto" | "light" | "dark">(stored());

/** The next choice. */
export function turnTheme(): void {
  theme.value = theme.value === "auto" ? "dark" : theme.value === "dark" ? "light" : "auto";
}

/** Whether the page is dark now, by choice or by the system. */
export const isDark = signal(false);

const system = matchMedia("(prefers-color-scheme: dark)");
const look = () => (isDark.value = theme.value === "dark" || (theme.value === "auto" && system.matches));
system.addEventListener("change", look);

effect(() => {
  look();
  if (theme.value === "auto") delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = theme.value;
  localStorage.setItem("sluice-theme", theme.value);
});

function stored(): "auto" | "light" | "dark" {
  const found = localStorage.getItem("sluice-theme");
  return found === "light" || found === "dark" ? found : "auto";
}
