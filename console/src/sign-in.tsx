// The way in: asks for an API key and tries it.
import { useEffect, useState } from 'preact/hooks'
import { useAction } from './hooks.ts'
import { drawSample } from './playground/sample.ts'
import { ThemeToggle } from './theme-toggle.tsx'
import { Mark } from './ui/icons.tsx'

export function SignIn({ onKey }: { onKey(key: string): Promise<void> }) {
  const [key, setKey] = useState('')
  const action = useAction()
  return (
    <main class="sign-in">
      <Picture />
      <div class="sign-in-box">
        <p class="brand">
          <Mark /> Dailies
        </p>
        <h1>Pictures in, film out.</h1>
        <form
          onSubmit={(event) => {
            event.preventDefault()
            action.run(() => onKey(key.trim()))
          }}
        >
          <label for="api-key">API key</label>
          <input
            id="api-key"
            type="password"
            autocomplete="off"
            spellcheck={false}
            required
            placeholder="dk_…"
            value={key}
            aria-invalid={action.problem ? true : undefined}
            aria-describedby="api-key-hint"
            onInput={(event) => setKey(event.currentTarget.value)}
          />
          {action.problem && (
            <p class="error" role="alert">
              {action.problem.code === 401 ? 'This key is not known here.' : action.problem.message}
            </p>
          )}
          <button type="submit" class="button primary wide" disabled={action.busy || key.trim() === ''}>
            Sign in
          </button>
          <p id="api-key-hint" class="hint">
            The service printed a key at its first start. It is kept in this tab only and forgotten when you close it.
          </p>
        </form>
        <footer class="row">
          <a href="docs">API documentation</a>
          <ThemeToggle />
        </footer>
      </div>
    </main>
  )
}

/** On wide screens only: the picture that the playground opens with. */
function Picture() {
  const [url, setUrl] = useState<string | null>(null)
  useEffect(() => {
    if (!matchMedia('(min-width: 901px)').matches) return
    let drawn: string | null = null
    let current = true
    drawSample().then(
      (file) => {
        if (!current) return
        drawn = URL.createObjectURL(file)
        setUrl(drawn)
      },
      () => {},
    )
    return () => {
      current = false
      if (drawn) URL.revokeObjectURL(drawn)
    }
  }, [])
  return <div class="sign-in-picture">{url && <img src={url} alt="" />}</div>
}
