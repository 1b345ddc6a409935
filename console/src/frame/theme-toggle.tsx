// The button that switches between dark and light.
import { useState } from 'preact/hooks'
import { MoonIcon, SunIcon } from '../ui/icons.tsx'
import { chooseTheme, shownTheme } from './theme.ts'

export function ThemeToggle() {
  const [theme, setTheme] = useState(shownTheme)
  const other = theme === 'dark' ? 'light' : 'dark'
  const toggle = () => {
    chooseTheme(other)
    setTheme(other)
  }
  return (
    <button
      type="button"
      class="button bare"
      onClick={toggle}
      aria-label={`Switch to the ${other} theme`}
      title={`Switch to the ${other} theme`}
    >
      {theme === 'dark' ? <SunIcon /> : <MoonIcon />}
    </button>
  )
}
