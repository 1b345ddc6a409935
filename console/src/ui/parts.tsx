// Parts that several views are built of: notices, waiting, empty places, tabs, dialogs.
import type { ComponentChildren } from 'preact'
import { useEffect, useId, useRef } from 'preact/hooks'
import { type DailiesError, NoAnswer } from '../../../client/src/errors.ts'
import type { Action } from '../hooks.ts'

export function Notice({ problem, children }: { problem?: DailiesError | null; children?: ComponentChildren }) {
  if (!problem && !children) return null
  return (
    <div class="notice" role="alert">
      {problem ? sentenceOf(problem) : children}
    </div>
  )
}

/** Appears only after a moment, so that quick responses do not flicker. */
export function Loading({ until }: { until: unknown }) {
  return until ? null : <p class="muted loading">Loading…</p>
}

/** Without the browser's own words for a missing response, such as `Failed to fetch`. */
export const sentenceOf = (problem: DailiesError) =>
  problem instanceof NoAnswer ? 'The service did not respond.' : problem.message

export function Empty({ title, children }: { title: string; children: ComponentChildren }) {
  return (
    <div class="empty">
      <h2>{title}</h2>
      <p>{children}</p>
    </div>
  )
}

export function Section(props: { title: string; aside?: ComponentChildren; children: ComponentChildren }) {
  const { title, aside, children } = props
  const id = useId()
  return (
    <section class="section" aria-labelledby={id}>
      <header class="section-head">
        <h2 id={id}>{title}</h2>
        {aside}
      </header>
      {children}
    </section>
  )
}

export function ViewHead({ title, children }: { title: string; children?: ComponentChildren }) {
  return (
    <header class="view-head">
      <h1>{title}</h1>
      <div class="view-actions">{children}</div>
    </header>
  )
}

/** One of a few, all visible. */
export function Segments<Value extends string>(props: {
  label: string
  value: Value | null
  options: readonly { value: Value; label: string }[]
  onChange(value: NoInfer<Value>): void
  describedBy?: string | undefined
}) {
  const name = useId()
  return (
    <div class="segments" role="radiogroup" aria-label={props.label} aria-describedby={props.describedBy}>
      {props.options.map((option) => (
        <label key={option.value} class="segment">
          <input
            type="radio"
            name={name}
            checked={props.value === option.value}
            onChange={() => props.onChange(option.value)}
          />
          <span>{option.label}</span>
        </label>
      ))}
    </div>
  )
}

/** A modal box. The browser keeps the focus inside and closes it with Escape. */
export function Dialog(props: { title: string; wide?: boolean; onClose(): void; children: ComponentChildren }) {
  const { title, wide = false, onClose, children } = props
  const box = useRef<HTMLDialogElement>(null)
  const id = useId()
  useEffect(() => {
    const dialog = box.current!
    dialog.showModal()
    return () => dialog.close()
  }, [])
  return (
    <dialog ref={box} class={wide ? 'dialog wide' : 'dialog'} aria-labelledby={id} onCancel={onClose}>
      <h2 id={id} dir="auto">
        {title}
      </h2>
      {children}
    </dialog>
  )
}

/** `verb` is what the button says. */
export function Confirm(props: {
  title: string
  text: string
  verb: string
  action: Action
  onConfirm(): Promise<unknown>
  onClose(): void
}) {
  const { action } = props
  return (
    <Dialog title={props.title} onClose={props.onClose}>
      <p>{props.text}</p>
      <Notice problem={action.problem} />
      <div class="row end">
        <button type="button" class="button" onClick={props.onClose}>
          Keep it
        </button>
        <button type="button" class="button danger" disabled={action.busy} onClick={() => action.run(props.onConfirm)}>
          {props.verb}
        </button>
      </div>
    </Dialog>
  )
}

export function CodeBlock({ code, label }: { code: string; label: string }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: long lines scroll, and the keyboard must reach them
    <section class="code" tabIndex={0} aria-label={label}>
      <pre>
        <code>{code}</code>
      </pre>
    </section>
  )
}

export function Switch(props: {
  label: string
  checked: boolean
  onChange(on: boolean): void
  describedBy?: string | undefined
}) {
  return (
    <label class="switch">
      <input
        type="checkbox"
        role="switch"
        checked={props.checked}
        aria-checked={props.checked}
        aria-describedby={props.describedBy}
        onChange={(event) => props.onChange(event.currentTarget.checked)}
      />
      <span class="switch-track" aria-hidden="true" />
      <span>{props.label}</span>
    </label>
  )
}
