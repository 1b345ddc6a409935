// Dialogs that several views use: a form with one action, and one that shows a secret only once.
import type { ComponentChildren } from 'preact'
import type { Action } from '../hooks.ts'
import { CopyButton } from './copy-button.tsx'
import { Dialog, Notice } from './parts.tsx'

interface DialogFormProps {
  title: string
  /** What the button that sends the form says, and what it says while that is under way. */
  submit: string
  busy?: string
  disabled?: boolean
  action: Action
  /** Problems are shown beside their fields. */
  hidesProblem?: boolean
  onSubmit(): Promise<unknown>
  onClose(): void
  children: ComponentChildren
}

export function DialogForm(props: DialogFormProps) {
  const { action, submit } = props
  return (
    <Dialog title={props.title} onClose={props.onClose}>
      <form
        noValidate
        onSubmit={(event) => {
          event.preventDefault()
          if (!hasUnreadable(event.currentTarget)) action.run(props.onSubmit)
        }}
      >
        {props.children}
        {!props.hidesProblem && <Notice problem={action.problem} />}
        <div class="row end">
          <button type="button" class="button" onClick={props.onClose}>
            Close
          </button>
          <button type="submit" class="button primary" disabled={action.busy || props.disabled}>
            {action.busy ? (props.busy ?? submit) : submit}
          </button>
        </div>
      </form>
    </Dialog>
  )
}

/** A half-written number or date reads as an empty field, which often means "no limit". The browser says what is wrong. */
function hasUnreadable(form: HTMLFormElement): boolean {
  const field = [...form.querySelectorAll('input')].find(({ validity }) => validity.badInput)
  field?.reportValidity()
  return field !== undefined
}

export function SecretDialog({ title, secret, onClose }: { title: string; secret: string; onClose(): void }) {
  return (
    <Dialog title={title} onClose={onClose}>
      <p>Copy it now: it is shown only once and stored only as a hash.</p>
      <p class="secret-text mono">{secret}</p>
      <div class="row end">
        <CopyButton text={secret} label="Copy the key" tall />
        <button type="button" class="button primary" onClick={onClose}>
          Done
        </button>
      </div>
    </Dialog>
  )
}
