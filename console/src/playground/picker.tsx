// One place for a picture (or other material): drop, paste, choose a file, or give a URL.
import { useId, useRef, useState } from 'preact/hooks'
import { localFileUrl } from '../format.ts'
import { CrossIcon, PictureIcon } from '../ui/icons.tsx'
import { sampleUrl } from './sample.ts'
import { type FileLimits, fileOf, useUpload } from './uploads.ts'

export interface PickerProps {
  label: string
  value: string | undefined
  onChange(url: string | undefined): void
  samplePreview?: string | null
  limits: FileLimits | null
  accept?: string
  error?: string | undefined
  small?: boolean
}

export function Picker(props: PickerProps) {
  const upload = useUpload(props.limits)
  const [dragging, setDragging] = useState(false)
  const [typing, setTyping] = useState<string | null>(null)
  const input = useRef<HTMLInputElement>(null)
  const errorId = useId()
  const problem = upload.problem ?? props.error
  const take = async (file: File | null) => {
    if (!file) return
    const url = await upload.send(file)
    if (url) props.onChange(url)
  }
  const acceptUrl = () => {
    if (typing?.trim()) props.onChange(typing.trim())
    setTyping(null)
  }
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: a drop target; everything it does has a button too
    <div
      class={`picker${props.small ? ' small' : ''}`}
      data-picker
      data-dragging={dragging || undefined}
      data-invalid={problem ? true : undefined}
      onDragOver={(event) => {
        event.preventDefault()
        setDragging(true)
      }}
      onDragLeave={() => setDragging(false)}
      onDrop={(event) => {
        event.preventDefault()
        setDragging(false)
        take(fileOf(event.dataTransfer))
      }}
      onPaste={(event) => {
        const file = fileOf(event.clipboardData)
        if (!file) return
        event.preventDefault()
        event.stopPropagation()
        take(file)
      }}
    >
      <span class="picker-label">{props.label}</span>
      <button
        type="button"
        class="picker-face"
        aria-label={faceLabel(props)}
        aria-describedby={problem ? errorId : undefined}
        onClick={() => input.current?.click()}
      >
        <Face {...props} share={upload.share} fileName={upload.fileName} />
      </button>
      <input
        ref={input}
        type="file"
        hidden
        accept={props.accept ?? 'image/jpeg,image/png'}
        onChange={(event) => {
          const file = event.currentTarget.files?.[0] ?? null
          event.currentTarget.value = ''
          take(file)
        }}
      />
      {upload.share !== null ? (
        <button
          type="button"
          class="picker-remove"
          onClick={upload.stop}
          aria-label={`Stop the upload: ${props.label}`}
        >
          <CrossIcon />
        </button>
      ) : (
        props.value && (
          <button
            type="button"
            class="picker-remove"
            onClick={() => props.onChange(undefined)}
            aria-label={`Remove: ${props.label}`}
          >
            <CrossIcon />
          </button>
        )
      )}
      {typing === null ? (
        <button
          type="button"
          class="link"
          onClick={() => setTyping(props.value?.startsWith('http') && !localFileUrl(props.value) ? props.value : '')}
        >
          {props.value && props.value !== sampleUrl && localFileUrl(props.value) === null
            ? 'Edit the URL'
            : 'Use a URL'}
        </button>
      ) : (
        <input
          class="picker-url"
          type="url"
          placeholder="https://…"
          aria-label={`URL: ${props.label}`}
          value={typing}
          ref={(element) => element?.focus()}
          onInput={(event) => setTyping(event.currentTarget.value)}
          onBlur={acceptUrl}
          onKeyDown={(event) => {
            if (event.key === 'Enter') {
              event.preventDefault()
              acceptUrl()
            }
            if (event.key === 'Escape') setTyping(null)
          }}
        />
      )}
      {problem && (
        <p class="error" id={errorId}>
          {problem}
        </p>
      )}
    </div>
  )
}

function Face({
  value,
  share,
  fileName,
  samplePreview,
  small,
}: PickerProps & { share: number | null; fileName: string }) {
  if (share !== null) {
    return (
      <span class="picker-progress">
        <progress max={1} value={share} aria-label={`Uploading ${fileName}`} />
        <span>{Math.round(share * 100)} %</span>
      </span>
    )
  }
  if (!value) {
    return (
      <span class="picker-empty">
        <PictureIcon size={small ? 16 : 20} />
        {!small && <span>Drop, paste or choose</span>}
      </span>
    )
  }
  const preview = value === sampleUrl ? samplePreview : localFileUrl(value)
  if (preview && !/\.(mp4|mov|webm|mkv|mp3|wav|m4a|ogg)$/i.test(preview)) return <img src={preview} alt="" />
  return <span class="picker-remote">{nameOfUrl(value)}</span>
}

/** Begins with the words that are seen, so that they can be spoken to. */
function faceLabel({ value, label, small, samplePreview }: PickerProps): string {
  if (!value) return `${small ? 'Choose' : 'Drop, paste or choose'}: ${label}`
  const isSeen = value === sampleUrl ? samplePreview : localFileUrl(value)
  return isSeen ? `Replace: ${label}` : `${nameOfUrl(value)}, replace: ${label}`
}

/** What another origin's picture is called; this page never loads it. */
function nameOfUrl(url: string): string {
  try {
    const { host, pathname } = new URL(url)
    return `${host}${pathname.length > 1 ? `/…/${decodeURIComponent(pathname.split('/').at(-1) ?? '')}` : ''}`
  } catch {
    return url
  }
}
