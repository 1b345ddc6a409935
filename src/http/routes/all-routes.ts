// Every route of the service, in the order of the documentation.
import type { Route } from '../server/route.ts'
import { creditRoute, ledgerRoute, usageRoute } from './account/account.ts'
import { keyRoutes } from './account/keys.ts'
import { type SessionRouteDeps, sessionRoutes } from './account/session.ts'
import { fileRoutes } from './files/files.ts'
import { type UploadDeps, uploadRoute } from './files/upload.ts'
import { type InferenceRouteDeps, inferenceRequestRoute, inferenceRoute } from './inference/inference.ts'
import { modelsRoute, shownModels } from './inference/models.ts'
import { openaiEmbeddingsRoute, openaiModelsRoute } from './inference/openai.ts'
import { type OperatorDeps, operatorRoutes } from './operator/operator.ts'
import { consoleRoutes } from './pages/console.ts'
import { docsRoutes } from './pages/docs-site/docs.ts'
import { type HealthDeps, healthRoutes } from './pages/health.ts'
import { type CreateTaskDeps, createTaskRoute } from './tasks/create-task.ts'
import { extendRoute } from './tasks/extend.ts'
import { listTasksRoute } from './tasks/list-tasks.ts'
import { unifiedRecordRoute, videoRecordRoute } from './tasks/records.ts'
import { cancelTaskRoute, deleteTaskRoute, timelineRoute } from './tasks/task-actions.ts'
import { type EventDeps, taskEventsRoute } from './tasks/task-events.ts'
import { type ListenDeps, webhookListenRoute } from './webhooks/webhook-listen.ts'
import { type WebhookRouteDeps, webhookRoutes } from './webhooks/webhooks.ts'

export type RouteDeps = CreateTaskDeps &
  EventDeps &
  OperatorDeps &
  HealthDeps &
  InferenceRouteDeps &
  WebhookRouteDeps &
  ListenDeps &
  Parameters<typeof openaiModelsRoute>[0] &
  UploadDeps &
  SessionRouteDeps &
  Parameters<typeof cancelTaskRoute>[0] &
  Parameters<typeof modelsRoute>[0]

export function allRoutes(deps: RouteDeps): Route[] {
  const routes: Route[] = [
    createTaskRoute(deps),
    videoRecordRoute(deps),
    unifiedRecordRoute(deps),
    listTasksRoute(deps),
    taskEventsRoute(deps),
    timelineRoute(deps),
    cancelTaskRoute(deps),
    extendRoute(deps),
    deleteTaskRoute(deps),
    uploadRoute(deps),
    ...fileRoutes(deps),
    creditRoute(deps),
    ledgerRoute(deps),
    usageRoute(deps),
    ...keyRoutes(deps),
    ...sessionRoutes(deps),
    modelsRoute(deps),
    inferenceRoute(deps),
    inferenceRequestRoute(deps),
    openaiEmbeddingsRoute(deps),
    openaiModelsRoute(deps),
    ...webhookRoutes(deps),
    webhookListenRoute(deps),
    ...operatorRoutes(deps),
    ...healthRoutes(deps),
    ...consoleRoutes(),
    ...docsRoutes({ publicUrl: deps.publicUrl, models: () => shownModels(deps), routes: () => routes }),
  ]
  return routes
}
