// The theme: as the system has it, light, or dark.

const THEMES = ["system", "light", "dark"];
const THEME_KEY = "weft-theme";
const redraws = new Set();

// A page from a file may have no storage, and then the choice lasts as long as the page.
function storedTheme() {
  try {
    const theme = localStorage.getItem(THEME_KEY);
    return THEMES.includes(theme) ? theme : "system";
  } catch {
    return "system";
  }
}

function setTheme(theme) {
  const root = document.documentElement;
  if (theme === "system") delete root.dataset.theme;
  else root.dataset.theme = theme;
  const button = document.getElementById("theme");
  button.textContent = `Theme: ${theme}`;
  try {
    localStorage.setItem(THEME_KEY, theme);
  } catch {
    // The choice is not kept.
  }
  redraws.forEach((redraw) => redraw());
}

function startTheme() {
  let theme = storedTheme();
  setTheme(theme);
  document.getElementById("theme").addEventListener("click", () => {
    theme = THEMES[(THEMES.indexOf(theme) + 1) % THEMES.length];
    setTheme(theme);
  });
  const system = window.matchMedia("(prefers-color-scheme: dark)");
  system.addEventListener("change", () => redraws.forEach((redraw) => redraw()));
}
