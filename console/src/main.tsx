// Renders the console into the page.
import { render } from 'preact'
import { App } from './app.tsx'
import './styles/all.css'
import { applyTheme, readTheme } from './frame/theme.ts'

applyTheme(readTheme())
render(<App />, document.getElementById('app')!)
