// Keyboard shortcuts of every page: `/` focuses the main field, `?` lists the shortcuts.
import { useEffect, useState } from 'preact/hooks'
import { Dialog } from '../ui/parts.tsx'

const keys: [string, string][] = [
  ['Ctrl + Enter', 'Make the video (playground)'],
  ['/', 'Write the prompt (playground) or search (tasks)'],
  ['g then p, t, c, u, k', 'Go to playground, tasks, callbacks, usage, keys'],
  ['Esc', 'Close a dialog or the comparison'],
  ['?', 'Show this list'],
]

const views: Record<string, string> = { p: 'play', t: 'tasks', c: 'callbacks', u: 'usage', k: 'keys' }
const sequenceMs = 1000

export function ShortcutHelp() {
  const [shown, setShown] = useState(false)
  useEffect(() => {
    let goAt = 0
    const onKey = (event: KeyboardEvent) => {
      if (event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target)) return
      // A dialog may show what is shown only once, or hold what was written.
      if (document.querySelector('dialog[open]')) return
      const view = views[event.key]
      if (event.key === '?') setShown(true)
      else if (event.key === '/') {
        const field = document.querySelector<HTMLElement>('[data-slash]')
        if (!field) return
        event.preventDefault()
        field.focus()
      } else if (event.key === 'g') goAt = event.timeStamp
      else if (view && event.timeStamp - goAt < sequenceMs) location.hash = `#/${view}`
    }
    addEventListener('keydown', onKey)
    return () => removeEventListener('keydown', onKey)
  }, [])
  if (!shown) return null
  return (
    <Dialog title="Keyboard shortcuts" onClose={() => setShown(false)}>
      <dl class="facts shortcut-list">
        {keys.map(([key, what]) => (
          <div key={key}>
            <dt>
              <kbd>{key}</kbd>
            </dt>
            <dd>{what}</dd>
          </div>
        ))}
      </dl>
      <div class="row end">
        <button type="button" class="button primary" onClick={() => setShown(false)}>
          Close
        </button>
      </div>
    </Dialog>
  )
}

const typed = 'input:not([type=checkbox], [type=radio], [type=range]), textarea, select'

function isTyping(target: EventTarget | null): boolean {
  return target instanceof HTMLElement && (target.isContentEditable || target.matches(typed))
}
