// The secret that signs callbacks, and receivers that check it.
import { useState } from 'preact/hooks'
import type { SigningSecret as Secret } from '../api-types.ts'
import { formatTime } from '../format.ts'
import { useAction, useLoaded } from '../hooks.ts'
import { useSession } from '../session.ts'
import { CopyButton } from '../ui/copy-button.tsx'
import { CodeBlock, Confirm, Notice, Segments } from '../ui/parts.tsx'
import { type VerifierLanguage, verifierCode, verifierLanguages } from './verifier-code.ts'

export function SigningSecret() {
  const { api } = useSession()
  const secret = useLoaded(() => api.webhooks.secret(), [api])
  const [rotated, setRotated] = useState<Secret | null>(null)
  const [shown, setShown] = useState(false)
  const [asking, setAsking] = useState(false)
  const [language, setLanguage] = useState<VerifierLanguage>('TypeScript')
  const action = useAction()
  const current = rotated ?? secret.data
  const code = verifierCode[language]
  const rotate = async () => {
    setRotated(await api.webhooks.rotateSecret())
    setAsking(false)
  }
  return (
    <div class="signing">
      <Notice problem={secret.problem} />
      {current && (
        <div class="row wrap secret">
          <code class="mono clip">{shown ? current.secret : `${current.secret.slice(0, 6)}${'•'.repeat(24)}`}</code>
          <button type="button" class="button small" aria-pressed={shown} onClick={() => setShown(!shown)}>
            {shown ? 'Hide' : 'Show'}
          </button>
          <CopyButton text={current.secret} />
          <button type="button" class="button small" onClick={() => setAsking(true)}>
            Rotate
          </button>
        </div>
      )}
      {current?.previousUntil && (
        <p class="muted">The secret before this one signs too, until {formatTime(current.previousUntil)}.</p>
      )}
      <p class="muted">
        Each callback has the headers <code>webhook-id</code>, <code>webhook-timestamp</code> and{' '}
        <code>webhook-signature</code>, according to Standard Webhooks. Verify the signature before you use the body:
      </p>
      <div class="row spread">
        <Segments
          label="Language"
          value={language}
          options={verifierLanguages.map((value) => ({ value, label: value }))}
          onChange={setLanguage}
        />
        <CopyButton text={code} />
      </div>
      <CodeBlock code={code} label={`A verifier in ${language}`} />
      {asking && (
        <Confirm
          title="Rotate the secret?"
          text="A new secret signs from now on. For 24 hours callbacks are signed with both, so that receivers have time to change."
          verb="Rotate"
          action={action}
          onConfirm={rotate}
          onClose={() => setAsking(false)}
        />
      )}
    </div>
  )
}
