// Copies a text and says so for a moment.
import { useEffect, useState } from 'preact/hooks'
import { CheckIcon, CopyIcon } from './icons.tsx'

export function CopyButton(props: { text: string; label?: string; bare?: boolean; tall?: boolean }) {
  const { text, label = 'Copy', bare = false, tall = false } = props
  const [copied, setCopied] = useState(false)
  useEffect(() => {
    if (!copied) return
    const timer = setTimeout(() => setCopied(false), 1600)
    return () => clearTimeout(timer)
  }, [copied])
  const copy = () => copyText(text).then(() => setCopied(true))
  return (
    <button
      type="button"
      class={`button${bare ? ' bare' : ''}${tall ? '' : ' small'}`}
      onClick={copy}
      aria-label={bare ? label : undefined}
      title={bare ? label : undefined}
    >
      {copied ? <CheckIcon /> : <CopyIcon />}
      {!bare && (copied ? 'Copied' : label)}
      <span class="visually-hidden" role="status">
        {copied ? 'Copied' : ''}
      </span>
    </button>
  )
}

async function copyText(text: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(text)
  } catch {
    // Pages without TLS on another host have no clipboard; a selection that is copied works there too.
    const area = document.createElement('textarea')
    area.value = text
    area.className = 'visually-hidden'
    document.body.append(area)
    area.select()
    document.execCommand('copy')
    area.remove()
  }
}
