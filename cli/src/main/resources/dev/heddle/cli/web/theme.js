// Light or dark: what the user's system prefers, until the user chooses.

const dark = matchMedia('(prefers-color-scheme: dark)');

/** Calls `changed` whenever the colours are others. */
export function startTheme(button, changed) {
  const show = name => {
    document.documentElement.dataset.theme = name;
    changed();
  };
  const toggle = () => show(document.documentElement.dataset.theme === 'dark' ? 'light' : 'dark');
  button.addEventListener('click', toggle);
  dark.addEventListener('change', () => show(dark.matches ? 'dark' : 'light'));
  show(dark.matches ? 'dark' : 'light');
  return toggle;
}
