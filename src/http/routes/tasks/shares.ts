// POST and GET /api/v1/jobs/:taskId/shares, and DELETE …/shares/:id: links that show a video without a key.
import { recordAct } from '../../../audit/audit.ts'
import { apiError, invalidField } from '../../../contract/errors.ts'
import { madeShare, newShare, shareDefaultMs, shareId, shareList } from '../../../contract/tasks/tasks.ts'
import type { Db } from '../../../db/db.ts'
import { slots } from '../../../limits/table.ts'
import type { Clock } from '../../../platform/clock.ts'
import { readTask } from '../../../tasks/store/read.ts'
import { deleteShare, insertShare, listShares, type ShareRow } from '../../../tasks/store/shares.ts'
import { lockTasks } from '../../../tasks/store/store.ts'
import { type Route, route } from '../../route.ts'
import { requestActor } from '../../server/guard.ts'

interface ShareDeps {
  db: Db
  clock: Clock
  publicUrl(): string
}

const tasks = { tag: 'Tasks', access: 'key' } as const

const shown = ({ id, created_at, expires_at }: ShareRow) => ({ id, createdAt: created_at, expiresAt: expires_at })

export function shareRoutes(deps: ShareDeps): Route[] {
  return [
    route({
      endpoint: 'POST /api/v1/jobs/:taskId/shares',
      operationId: 'shareVideo',
      summary: 'Make a link that plays the video of a task without a key',
      description:
        'The page behind the link plays the video and shows nothing else about the task. The link works until it ' +
        'expires, is revoked, or the task is deleted. Its address is shown only once.',
      ...tasks,
      sharesLoop: true,
      scope: 'tasks:write',
      body: newShare,
      answer: madeShare,
      async handler({ caller, params, body, request }) {
        const { id } = await readTask(deps.db, caller, params.taskId!)
        const nowMs = deps.clock.now()
        const wanted = body?.expiresAt ?? nowMs + shareDefaultMs
        const { token, ...row } = await deps.db.transaction(async (tx) => {
          // Read again under a lock: requests at the same time must not all find room for one more link, and the task may
          // have been deleted.
          await lockTasks(tx, [id])
          const task = await readTask(tx, caller, id)
          if (task.state !== 'success' || task.expires_at === null || task.expires_at <= nowMs) {
            throw invalidField(
              'taskId',
              `only a finished video that has not expired can be shared (state ${task.state})`,
            )
          }
          if (wanted <= nowMs) throw invalidField('expiresAt', 'must be in the future')
          const links = await listShares(tx, id, nowMs)
          if (links.length >= slots.shareLinks.of) {
            throw slots.shareLinks.refuse(links.length)
          }
          const share = await insertShare(tx, { taskId: id, expiresAt: Math.min(wanted, task.expires_at) }, nowMs)
          const after = { account: caller.accountName, taskId: id, expiresAt: share.expires_at }
          await recordAct(tx, requestActor(request), { action: 'share.create', target: share.id, after }, nowMs)
          return share
        })
        return { ...shown(row), url: `${deps.publicUrl()}/s/${token}` }
      },
    }),
    route({
      endpoint: 'GET /api/v1/jobs/:taskId/shares',
      operationId: 'listShares',
      summary: 'List the links of a task',
      description: 'Links that still work, oldest first, without their addresses.',
      ...tasks,
      scope: 'tasks:read',
      answer: shareList,
      async handler({ caller, params }) {
        const task = await readTask(deps.db, caller, params.taskId!)
        const links = await listShares(deps.db, task.id, deps.clock.now())
        return { items: links.map(shown) }
      },
    }),
    route({
      endpoint: 'DELETE /api/v1/jobs/:taskId/shares/:id',
      operationId: 'revokeShare',
      summary: 'Revoke a link',
      description: 'Its page and its video are 404 from now on. Other links of the task stay.',
      ...tasks,
      sharesLoop: true,
      scope: 'tasks:write',
      answer: shareId,
      async handler({ caller, params, request }) {
        const task = await readTask(deps.db, caller, params.taskId!)
        const id = params.id!
        const deleted = await deps.db.transaction(async (tx) => {
          if (!(await deleteShare(tx, task.id, id))) return false
          const before = { account: caller.accountName, taskId: task.id }
          const act = { action: 'share.revoke', target: id, before } as const
          await recordAct(tx, requestActor(request), act, deps.clock.now())
          return true
        })
        if (!deleted) throw apiError('no_share')
        return { id }
      },
    }),
  ]
}
