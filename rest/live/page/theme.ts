/** Dark or light: as the system has it, or as it was chosen here. Runs before anything is painted. */
import { keep, kept } from './dom.js';

const THEMES = ['auto', 'light', 'dark'] as const;
type Theme = (typeof THEMES)[number];

const listeners: (() => void)[] = [];
let theme: Theme = THEMES.find((one) => one === kept('theme')) ?? 'auto';
apply();
matchMedia('(prefers-color-scheme: dark)').addEventListener('change', apply);

/** What is drawn, not styled, is drawn anew. */
export function onTheme(changed: () => void): void {
  listeners.push(changed);
}

/** The next of the three; says which. */
export function nextTheme(): string {
  theme = THEMES[(THEMES.indexOf(theme) + 1) % THEMES.length] ?? 'auto';
  keep('theme', theme);
  apply();
  return theme === 'auto' ? 'Dark or light as the system has it' : `Always ${theme}`;
}

function apply(): void {
  const isDark = theme === 'dark' || (theme === 'auto' && matchMedia('(prefers-color-scheme: dark)').matches);
  document.documentElement.dataset.theme = isDark ? 'dark' : 'light';
  document.documentElement.dataset.chosen = theme;
  for (const changed of listeners) changed();
}
