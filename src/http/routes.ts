// Every route of the service, in the order of the documentation.
import type { Route } from './route.ts'
import { creditRoute, ledgerRoute, usageRoute } from './routes/account.ts'
import { consoleRoutes } from './routes/console.ts'
import { type CreateTaskDeps, createTaskRoute } from './routes/create-task.ts'
import { docsRoutes } from './routes/docs.ts'
import { extendRoute } from './routes/extend.ts'
import { fileRoutes } from './routes/files.ts'
import { type HealthDeps, healthRoutes } from './routes/health.ts'
import { type InferenceRouteDeps, inferenceRequestRoute, inferenceRoute } from './routes/inference.ts'
import { keyRoutes } from './routes/keys.ts'
import { listTasksRoute } from './routes/list-tasks.ts'
import { modelsRoute } from './routes/models.ts'
import { openaiEmbeddingsRoute, openaiModelsRoute } from './routes/openai.ts'
import { type OperatorDeps, operatorRoutes } from './routes/operator.ts'
import { unifiedRecordRoute, videoRecordRoute } from './routes/records.ts'
import { cancelTaskRoute, deleteTaskRoute, timelineRoute } from './routes/task-actions.ts'
import { type EventDeps, taskEventsRoute } from './routes/task-events.ts'
import { type UploadDeps, uploadRoute } from './routes/upload.ts'
import { type ListenDeps, webhookListenRoute } from './routes/webhook-listen.ts'
import { type WebhookRouteDeps, webhookRoutes } from './routes/webhooks.ts'

export type RouteDeps = CreateTaskDeps &
  EventDeps &
  OperatorDeps &
  HealthDeps &
  InferenceRouteDeps &
  WebhookRouteDeps &
  ListenDeps &
  Parameters<typeof openaiModelsRoute>[0] &
  UploadDeps &
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
    ...docsRoutes({ publicUrl: deps.publicUrl, routes: () => routes }),
  ]
  return routes
}
