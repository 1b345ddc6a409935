// Dark or light: the system's preference until the user chooses, which this browser remembers.

type Theme = 'system' | 'dark' | 'light'

const storageKey = 'dailies-theme'

export function readTheme(): Theme {
  const stored = localStorage.getItem(storageKey)
  return stored === 'dark' || stored === 'light' ? stored : 'system'
}

export function applyTheme(theme: Theme): void {
  if (theme === 'system') delete document.documentElement.dataset.theme
  else document.documentElement.dataset.theme = theme
}

export function chooseTheme(theme: Theme): void {
  if (theme === 'system') localStorage.removeItem(storageKey)
  else localStorage.setItem(storageKey, theme)
  applyTheme(theme)
}

/** The theme that the page shows now. */
export function shownTheme(): 'dark' | 'light' {
  const chosen = readTheme()
  if (chosen !== 'system') return chosen
  return matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light'
}
