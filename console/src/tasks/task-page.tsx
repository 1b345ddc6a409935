// One task: its video, its request, its timeline, what it cost, and the actions on it.
import { useEffect, useState } from 'preact/hooks'
import { promptOf, videoFileName, videoUrlOf } from '../../../client/src/records.ts'
import type { TaskRecord, VideoRecord } from '../api-types.ts'
import { formatBytes, formatCredits, formatDuration, formatExactTime, localFileUrl, shortId } from '../format.ts'
import { isFinal, useAction, useLoaded, useTask } from '../hooks.ts'
import { useRules } from '../playground/request/use-rules.ts'
import { UnderstoodLine } from '../playground/runs/understood.tsx'
import { linkTo, useQuery, useTitle } from '../router.ts'
import { useSession } from '../session.ts'
import { failureOf, parentOf, pictureOf, shownState } from '../task-facts.ts'
import { CopyButton } from '../ui/copy-button.tsx'
import { DownloadIcon } from '../ui/icons.tsx'
import { Confirm, Empty, Loading, Notice, Section } from '../ui/parts.tsx'
import { StateBadge } from '../ui/state-badge.tsx'
import { ExtendForm } from './extend-form.tsx'
import { TaskHistory } from './history.tsx'
import { TaskInputs } from './inputs.tsx'
import { TaskProgress } from './progress.tsx'
import { RecordFields } from './record-fields.tsx'
import { ShareDialog } from './share-dialog.tsx'
import { downloadUrl, Expiry, thumbnailOf, useExpiry, useIsExpired, VideoPlayer } from './video-player.tsx'

export function TaskPage({ taskId }: { taskId: string }) {
  const { api, models } = useSession()
  const { task, problem } = useTask(api, taskId)
  const video = useLoaded(() => api.getVideo(taskId), [taskId, task?.state])
  useTitle(task ? promptOf(task).slice(0, 60) || shortId(taskId) : 'Task')
  if (!task) {
    if (!problem) return <Loading until={task} />
    if (problem.code !== 404) return <Notice problem={problem} />
    return (
      <>
        <h1 class="visually-hidden">Task not found</h1>
        <Empty title="There is no such task">
          It was deleted, or this key may not see it. Go back to <a href={linkTo.tasks()}>your tasks</a>.
        </Empty>
      </>
    )
  }
  const parent = parentOf(task)
  const { understood, video: delivered } = task
  return (
    <article class="task-page">
      <header class="view-head">
        <div>
          <p class="crumb">
            <a href={linkTo.tasks()}>Tasks</a> / <span class="mono">{shortId(task.taskId)}</span>
          </p>
          <h1 class="task-title" dir="auto">
            {promptOf(task) || 'A task'}
          </h1>
        </div>
      </header>
      <div class="task-columns">
        <div class="task-main">
          <Picture task={task} video={video.data} />
          {!isFinal(task) && <TaskProgress task={task} />}
          {shownState(task) === 'fail' && (
            <Notice>
              {failureOf(task)} <span class="mono">({task.failReason || task.failCode})</span>
            </Notice>
          )}
          <Actions task={task} />
          {understood && <UnderstoodLine read={understood} />}
        </div>
        <div class="task-side">
          <dl class="facts">
            <Fact name="State">
              <StateBadge state={shownState(task)} />
            </Fact>
            <Fact name="Model">{models.find(({ id }) => id === task.model)?.title ?? task.model}</Fact>
            <Fact name="Created">{formatExactTime(task.createTime)}</Fact>
            {task.costTime !== null && <Fact name="Took">{formatDuration(task.costTime)}</Fact>}
            <Fact name="Cost">
              {task.state === 'fail' ? 'Nothing: only finished videos cost' : formatCredits(task.creditsConsumed)}
            </Fact>
            {delivered && (
              <>
                <Fact name="Engine">{delivered.engine}</Fact>
                <Fact name="Picture">{pictureOf(delivered)}</Fact>
                <Fact name="Length">{Math.round(delivered.seconds * 10) / 10} s</Fact>
                <Fact name="Size">{formatBytes(delivered.bytes)}</Fact>
                {delivered.adjusted.length > 0 && <Fact name="Adjusted">{delivered.adjusted.join(', ')}</Fact>}
              </>
            )}
            {parent && (
              <Fact name="Plays on from">
                <a class="mono" href={linkTo.task(parent)}>
                  {shortId(parent)}
                </a>
              </Fact>
            )}
            <Fact name="Task id">
              <span class="mono clip">{task.taskId}</span>{' '}
              <CopyButton bare text={task.taskId} label="Copy the task id" />
            </Fact>
          </dl>
          <Links task={task} video={video.data} />
        </div>
      </div>
      <TaskHistory task={task} />
      <Section title="Request">
        <TaskInputs task={task} />
        <RecordFields task={task} />
      </Section>
    </article>
  )
}

function Fact({ name, children }: { name: string; children: preact.ComponentChildren }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  )
}

function Picture({ task, video }: { task: TaskRecord; video: VideoRecord | null }) {
  const frame = video && localFileUrl(video.generateParam.imageUrl)
  const [broken, setBroken] = useState(false)
  if (task.state === 'success' && video?.expireFlag !== 1) {
    return (
      <div class="screen">
        <VideoPlayer task={task} poster={thumbnailOf(video)} />
      </div>
    )
  }
  return (
    <div class="screen" data-live={isFinal(task) ? undefined : true}>
      {frame && !broken ? (
        <img class="screen-frame" src={frame} alt="The first frame" onError={() => setBroken(true)} />
      ) : (
        <div class="screen-empty">
          <p>
            {video?.expireFlag === 1
              ? 'The video has expired.'
              : task.state === 'fail'
                ? 'No video was made.'
                : 'The video will be here.'}
          </p>
        </div>
      )}
    </div>
  )
}

function Actions({ task }: { task: TaskRecord }) {
  const { api, disabledFeatures, refreshBalance, may } = useSession()
  const mayChange = may('tasks:write')
  const rules = useRules()
  const action = useAction()
  const [query, setQuery] = useQuery()
  const likeTaskId = query.get('extend')
  const like = useLoaded(() => (likeTaskId ? api.getTask(likeTaskId) : Promise.resolve(null)), [likeTaskId])
  const [asked, setAsked] = useState<'extend' | 'share' | 'delete' | null>(likeTaskId ? 'extend' : null)
  const expiry = useExpiry(task)
  const isExpired = useIsExpired(expiry)
  const hasVideo = task.state === 'success' && !isExpired
  const parent = parentOf(task)
  const final = isFinal(task)
  useEffect(() => {
    if (final) refreshBalance()
  }, [final, refreshBalance])
  const remove = async () => {
    await api.deleteTask(task.taskId)
    // Back must not lead to a task that is no longer there.
    location.replace(linkTo.tasks())
  }
  return (
    <>
      {asked !== 'delete' && <Notice problem={action.problem} />}
      <div class="row wrap spread">
        <div class="row wrap">
          {hasVideo && (
            <>
              <a class="button primary" href={downloadUrl(task) ?? undefined} download={videoFileName(task)}>
                <DownloadIcon /> Download
              </a>
              {mayChange && !disabledFeatures.includes('extend') && (
                <button
                  type="button"
                  class="button"
                  aria-expanded={asked === 'extend'}
                  onClick={() => setAsked(asked === 'extend' ? null : 'extend')}
                >
                  Extend
                </button>
              )}
              {mayChange && (
                <button type="button" class="button" onClick={() => setAsked('share')}>
                  Share
                </button>
              )}
            </>
          )}
          {mayChange && final && (
            <a class="button" href={parent ? linkTo.extend(parent, task.taskId) : linkTo.play(task.taskId)}>
              Change and run again
            </a>
          )}
          {mayChange && !final && (
            <button
              type="button"
              class="button"
              disabled={action.busy}
              onClick={() => action.run(() => api.cancel(task.taskId).then(refreshBalance))}
            >
              Cancel
            </button>
          )}
          {mayChange && final && (
            <button type="button" class="button bare" onClick={() => setAsked('delete')}>
              Delete
            </button>
          )}
        </div>
        {task.state === 'success' && <Expiry atMs={expiry} />}
      </div>
      {asked === 'extend' && hasVideo && (likeTaskId === null || like.data || like.problem) && (
        <ExtendForm
          task={task}
          like={like.data}
          rules={rules}
          onExtended={(taskId) => {
            location.hash = linkTo.task(taskId)
          }}
          onClose={() => {
            setAsked(null)
            setQuery({ extend: null })
          }}
        />
      )}
      {asked === 'share' && <ShareDialog task={task} videoUntilMs={expiry} onClose={() => setAsked(null)} />}
      {asked === 'delete' && (
        <Confirm
          title="Delete this task?"
          text="Its record and files are deleted permanently. What it cost stays in the ledger."
          verb="Delete"
          action={action}
          onConfirm={remove}
          onClose={() => setAsked(null)}
        />
      )}
    </>
  )
}

function Links({ task, video }: { task: TaskRecord; video: VideoRecord | null }) {
  const links = [
    { label: 'Video', url: videoUrlOf(task) },
    { label: 'Thumbnail', url: video?.videoInfo?.imageUrl ?? null },
    { label: 'This page', url: location.href },
  ]
  return (
    <ul class="links">
      {links.map(
        ({ label, url }) =>
          url && (
            <li key={label}>
              <span class="muted">{label}</span>
              <span class="mono clip">{url}</span>
              <CopyButton bare text={url} label={`Copy the link: ${label}`} />
            </li>
          ),
      )}
    </ul>
  )
}
