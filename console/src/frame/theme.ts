// Dark or light: the system's choice until the reader makes one of their own, which this browser then keeps.

export type Theme = 'system' | 'dark' | 'light'

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

/** What the page looks like at this moment. */
export function shownTheme(): 'dark' | 'light' {
  const chosen = readTheme()
  if (chosen !== 'system') return chosen
  return matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light'
}
