// The light table: the first frame before a request, the task while it runs, the video once it is there.
import { useEffect, useState } from 'preact/hooks'
import { promptOf, videoFileName, videoUrlOf } from '../../../../client/src/records.ts'
import type { TaskProgress as Progress, TaskRecord } from '../../api-types.ts'
import { formatCredits, formatDuration } from '../../format.ts'
import { isFinal, useAction, useTask } from '../../hooks.ts'
import { linkTo } from '../../router.ts'
import { useSession } from '../../session.ts'
import { failureOf, pictureOf, shownState } from '../../task-facts.ts'
import { ExtendForm } from '../../tasks/extend-form.tsx'
import { TaskProgress } from '../../tasks/progress.tsx'
import { downloadUrl, Expiry, useExpiry, useIsExpired, VideoPlayer } from '../../tasks/video-player.tsx'
import { CopyButton } from '../../ui/copy-button.tsx'
import { DownloadIcon, PictureIcon } from '../../ui/icons.tsx'
import { Notice } from '../../ui/parts.tsx'
import { StateBadge } from '../../ui/state-badge.tsx'
import { useCanUpload } from '../pictures/uploads.ts'
import { usePreview } from '../pictures/use-preview.ts'
import type { Rules } from '../request/rules.ts'
import { UnderstoodLine } from './understood.tsx'
import { useNotification } from './use-notification.ts'

interface StageProps {
  taskId: string | null
  firstFrame: string | undefined
  rules: Rules | null
  onTask(taskId: string): void
  /** The task was deleted, or belongs to another key. */
  onMissing(): void
  onRunAgain(task: TaskRecord): void
}

export function Stage(props: StageProps) {
  const { api, refreshBalance } = useSession()
  const { task, problem } = useTask(api, props.taskId)
  const final = task !== null && isFinal(task)
  const notification = useNotification(task)
  useEffect(() => {
    if (final) refreshBalance()
  }, [final, refreshBalance])
  const missing = problem?.code === 404
  const { onMissing } = props
  useEffect(() => {
    if (missing) onMissing()
  }, [missing, onMissing])
  const { src: preview, problem: unseen } = usePreview(props.firstFrame)
  return (
    <section class="stage" aria-label="Result">
      <div class="screen" data-live={task && !final ? true : undefined}>
        {task?.state === 'success' ? (
          <VideoPlayer task={task} poster={preview} />
        ) : preview ? (
          <img class="screen-frame" src={preview} alt="The first frame" />
        ) : (
          <EmptyScreen unseen={unseen} />
        )}
      </div>
      <div class="stage-foot">
        {!task && !problem && (
          <p class="muted">
            {props.taskId || !preview ? (
              ' '
            ) : (
              <>
                The first frame. Press the button<span class="with-keyboard"> or Ctrl + Enter</span>, and it starts to
                move.
              </>
            )}
          </p>
        )}
        {!task && <Notice problem={problem} />}
        {task && !final && <Running key={task.taskId} task={task} notification={notification} />}
        {task?.state === 'fail' && <Failed task={task} onRunAgain={props.onRunAgain} />}
        {task?.state === 'success' && <Finished key={task.taskId} {...props} task={task} />}
      </div>
    </section>
  )
}

/** `unseen`: why the first frame cannot be shown, where there is one. */
function EmptyScreen({ unseen }: { unseen: string | null }) {
  const canUpload = useCanUpload()
  return (
    <div class="screen-empty">
      <PictureIcon size={32} />
      {unseen ? (
        <p>The first frame cannot be shown.</p>
      ) : (
        <p>
          {canUpload ? 'Drop or paste a picture anywhere.' : 'Give the URL of a picture.'} It becomes the first frame of
          your film.
        </p>
      )}
    </div>
  )
}

function Running({ task, notification }: { task: Progress; notification: ReturnType<typeof useNotification> }) {
  const { api, refreshBalance } = useSession()
  const action = useAction()
  const cancel = () => action.run(() => api.cancel(task.taskId).then(refreshBalance))
  return (
    <>
      <TaskProgress task={task} />
      <Notice problem={action.problem} />
      <div class="row spread">
        <a href={linkTo.task(task.taskId)}>Task page</a>
        <span class="row">
          {notification.canAsk && (
            <button type="button" class="button bare small" onClick={notification.ask}>
              Notify me when it is done
            </button>
          )}
          <button type="button" class="button small" disabled={action.busy} onClick={cancel}>
            Cancel
          </button>
        </span>
      </div>
    </>
  )
}

function Failed({ task, onRunAgain }: { task: TaskRecord; onRunAgain(task: TaskRecord): void }) {
  return (
    <>
      <div class="row spread">
        <StateBadge state={shownState(task)} />
        <span class="muted">No credits were charged</span>
      </div>
      {shownState(task) === 'fail' && <Notice>{failureOf(task)}</Notice>}
      <div class="row">
        <button type="button" class="button" onClick={() => onRunAgain(task)}>
          Run again
        </button>
        <a class="button bare" href={linkTo.task(task.taskId)}>
          Task page
        </a>
      </div>
    </>
  )
}

function Finished({ task, rules, onTask, onRunAgain }: StageProps & { task: TaskRecord }) {
  const { disabledFeatures } = useSession()
  const [extending, setExtending] = useState(false)
  const expiry = useExpiry(task)
  const isExpired = useIsExpired(expiry)
  const { understood, video: delivered } = task
  return (
    <>
      <div class="row spread wrap">
        <span class="row wrap">
          <StateBadge state="success" />
          <span class="muted figures">
            made in {task.costTime === null ? '–' : formatDuration(task.costTime)} ·{' '}
            {formatCredits(task.creditsConsumed)}
            {delivered && ` · ${pictureOf({ ...delivered, codec: null })}`}
          </span>
        </span>
        <Expiry atMs={expiry} />
      </div>
      <p class="stage-prompt" dir="auto">
        {promptOf(task)}
      </p>
      {understood && <UnderstoodLine read={understood} />}
      <div class="row wrap">
        {!isExpired && (
          <a class="button" href={downloadUrl(task) ?? undefined} download={videoFileName(task)}>
            <DownloadIcon /> Download
          </a>
        )}
        {!isExpired && !disabledFeatures.includes('extend') && (
          <button type="button" class="button" aria-expanded={extending} onClick={() => setExtending(!extending)}>
            Extend
          </button>
        )}
        <button type="button" class="button" onClick={() => onRunAgain(task)}>
          Run again
        </button>
        {!isExpired && <CopyButton text={videoUrlOf(task) ?? ''} label="Copy link" tall />}
        <a class="button bare" href={linkTo.task(task.taskId)}>
          Task page
        </a>
      </div>
      {extending && !isExpired && (
        <ExtendForm task={task} rules={rules} onExtended={onTask} onClose={() => setExtending(false)} />
      )}
    </>
  )
}
