// The sign-in page: asks for an API key and exchanges it for a session of this browser.
import { useEffect, useRef, useState } from 'preact/hooks'
import { useAction } from '../hooks.ts'
import { samplePicture } from '../playground/pictures/sample.ts'
import { useTitle } from '../router.ts'
import { Mark } from '../ui/icons.tsx'
import { ThemeToggle } from './theme-toggle.tsx'

interface SignInProps {
  /** Why a signed-in user is asked to sign in again. */
  reason: string | null
  onKey(key: string, remember: boolean): Promise<void>
}

export function SignIn({ reason, onKey }: SignInProps) {
  const [key, setKey] = useState('')
  const [shown, setShown] = useState(false)
  const [remember, setRemember] = useState(true)
  const action = useAction()
  const field = useRef<HTMLInputElement>(null)
  useTitle('Sign in')
  useEffect(() => field.current?.focus(), [])
  return (
    <main class="sign-in">
      <div class="sign-in-picture">
        <img src={samplePicture} alt="" loading="lazy" />
      </div>
      <div class="sign-in-box">
        <p class="brand">
          <Mark /> Dailies
        </p>
        <h1>Pictures in, film out.</h1>
        {reason && !action.problem && (
          <p class="notice" role="status">
            {reason}
          </p>
        )}
        <form
          onSubmit={(event) => {
            event.preventDefault()
            action.run(() => onKey(key.trim(), remember))
          }}
        >
          <div class="field-head">
            <label for="api-key">API key</label>
            <button type="button" class="link" aria-pressed={shown} onClick={() => setShown(!shown)}>
              {shown ? 'Hide' : 'Show'}
            </button>
          </div>
          <input
            ref={field}
            id="api-key"
            type={shown ? 'text' : 'password'}
            autocomplete="current-password"
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
          <label class="check">
            <input type="checkbox" checked={remember} onChange={(event) => setRemember(event.currentTarget.checked)} />
            Stay signed in on this browser for 30 days
          </label>
          <button type="submit" class="button primary wide" disabled={action.busy || key.trim() === ''}>
            Sign in
          </button>
          <p id="api-key-hint" class="hint">
            The service printed a key at its first start. It is exchanged for a session and not kept by this page.
          </p>
        </form>
        <footer class="row">
          <a href="docs">Documentation</a>
          <ThemeToggle />
        </footer>
      </div>
    </main>
  )
}
