// One place for a picture, video or sound: drop, paste, choose a file, or give a URL.
import { useId, useRef, useState } from 'preact/hooks'
import { localFileUrl } from '../../format.ts'
import { FieldError } from '../../ui/fields.tsx'
import { CrossIcon, PictureIcon } from '../../ui/icons.tsx'
import { acceptedPictures } from './as-frame.ts'
import { sampleUrl } from './sample.ts'
import { type FileLimits, fileOf, useCanUpload, useUpload } from './uploads.ts'
import { usePreview } from './use-preview.ts'

interface PickerProps {
  label: string
  value: string | undefined
  /** `before` is the value when the change began: an upload takes a while. */
  onChange(url: string | undefined, before: string | undefined): void
  limits: FileLimits | null
  accept?: string
  error?: string | undefined
  small?: boolean
}

export function Picker(props: PickerProps) {
  const upload = useUpload(props.limits)
  const canUpload = useCanUpload()
  const preview = usePreview(props.value)
  const [dragging, setDragging] = useState(false)
  const [typing, setTyping] = useState<string | null>(null)
  const input = useRef<HTMLInputElement>(null)
  const errorId = useId()
  const problem = upload.problem ?? props.error
  // The form may have changed by the time an upload ends.
  const latest = useRef(props)
  latest.current = props
  const take = async (file: File | null) => {
    if (!file || !canUpload) return
    const before = props.value
    const url = await upload.send(file)
    if (url) latest.current.onChange(url, before)
  }
  const acceptUrl = () => {
    if (typing?.trim()) props.onChange(typing.trim(), props.value)
    setTyping(null)
  }
  const typeUrl = () => setTyping(props.value?.startsWith('http') && !localFileUrl(props.value) ? props.value : '')
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: a drop target; everything it does has a button too
    <div
      class={`picker${props.small ? ' small' : ''}`}
      data-picker
      data-dragging={dragging || undefined}
      data-invalid={problem ? true : undefined}
      onDragOver={(event) => {
        event.preventDefault()
        setDragging(canUpload)
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
        aria-label={faceLabel(props, preview.src !== null, canUpload)}
        aria-describedby={problem ? errorId : undefined}
        onClick={() => (canUpload ? input.current?.click() : typeUrl())}
      >
        <Face
          {...props}
          share={upload.share}
          fileName={upload.fileName}
          preview={preview.src}
          wanted={canUpload ? 'Drop, paste or choose' : 'Give a URL'}
        />
      </button>
      {canUpload && (
        <input
          ref={input}
          type="file"
          hidden
          accept={props.accept ?? acceptedPictures}
          onChange={(event) => {
            const file = event.currentTarget.files?.[0] ?? null
            event.currentTarget.value = ''
            take(file)
          }}
        />
      )}
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
            onClick={() => props.onChange(undefined, props.value)}
            aria-label={`Remove: ${props.label}`}
          >
            <CrossIcon />
          </button>
        )
      )}
      {typing === null ? (
        <button type="button" class="link" onClick={typeUrl}>
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
      <FieldError id={errorId} text={problem} />
      {!problem && props.limits && preview.problem && (
        <p class="hint" role="status">
          No preview: {preview.problem}
        </p>
      )}
    </div>
  )
}

interface FaceProps extends PickerProps {
  share: number | null
  fileName: string
  preview: string | null
  wanted: string
}

function Face({ value, share, fileName, preview, wanted, small }: FaceProps) {
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
        {!small && <span>{wanted}</span>}
      </span>
    )
  }
  if (preview) return <img src={preview} alt="" />
  return <span class="picker-remote">{nameOfUrl(value)}</span>
}

/** Begins with the visible words, so that voice control finds it. */
function faceLabel({ value, label, small }: PickerProps, isSeen: boolean, canUpload: boolean): string {
  if (!value && !canUpload) return `Give a URL: ${label}`
  if (!value) return `${small ? 'Choose' : 'Drop, paste or choose'}: ${label}`
  return isSeen ? `Replace: ${label}` : `${nameOfUrl(value)}, replace: ${label}`
}

/** What another origin's file is called, until a copy of it is here. */
function nameOfUrl(url: string): string {
  try {
    const { host, pathname } = new URL(url)
    return `${host}${pathname.length > 1 ? `/…/${decodeURIComponent(pathname.split('/').at(-1) ?? '')}` : ''}`
  } catch {
    return url
  }
}
