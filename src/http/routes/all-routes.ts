// Every route of the service, in the order of the documentation.
import type { Route } from '../route.ts'
import { creditRoute, ledgerRoute, usageRoute } from './account/account.ts'
import { type KeyRouteDeps, keyRoutes } from './account/keys.ts'
import { ownSessionRoutes } from './account/own-sessions.ts'
import { type SessionRouteDeps, sessionRoutes } from './account/session.ts'
import { statusRoute } from './account/status.ts'
import { fileRoutes } from './files/files.ts'
import { type PreviewDeps, previewRoute } from './files/preview.ts'
import { type UploadDeps, uploadRoute } from './files/upload.ts'
import { aliasRoutes } from './files/upload-aliases.ts'
import { uploadsRoutes } from './files/uploads.ts'
import { type HealthDeps, healthRoutes } from './health/health.ts'
import { type InferenceRouteDeps, inferenceRequestRoute, inferenceRoute } from './inference/inference.ts'
import { type ModelsDeps, modelsRoute, shownModels } from './inference/models.ts'
import { openaiEmbeddingsRoute, openaiModelsRoute } from './inference/openai.ts'
import { allOperatorRoutes, type OperatorRouteDeps } from './operator/all.ts'
import { allTasksRoute } from './operator/all-tasks.ts'
import { consoleRoutes } from './pages/console.ts'
import { docsRoutes } from './pages/docs.ts'
import { sharePageRoutes } from './pages/share-page.ts'
import { type CreateTaskDeps, createTaskRoute } from './tasks/create-task.ts'
import { type ExplainDeps, explainPromptRoute } from './tasks/explain-prompt.ts'
import { extendRoute } from './tasks/extend.ts'
import { listTasksRoute } from './tasks/list-tasks.ts'
import { unifiedRecordRoute, videoRecordRoute } from './tasks/records.ts'
import { shareRoutes } from './tasks/shares.ts'
import { cancelTaskRoute, deleteTaskRoute, timelineRoute } from './tasks/task-actions.ts'
import { type EventDeps, taskEventsRoute } from './tasks/task-events.ts'
import { openaiVideoRoutes } from './videos/openai-videos.ts'
import { type DeliveryRouteDeps, deliveryRoutes } from './webhooks/deliveries.ts'
import { type SecretRouteDeps, secretRoutes } from './webhooks/secrets.ts'
import { type ListenDeps, webhookListenRoute } from './webhooks/webhook-listen.ts'

/** What each group of routes uses. */
interface RouteDeps {
  tasks: CreateTaskDeps &
    EventDeps &
    ExplainDeps &
    Parameters<typeof cancelTaskRoute>[0] &
    Parameters<typeof deleteTaskRoute>[0]
  files: UploadDeps & PreviewDeps
  account: Parameters<typeof usageRoute>[0] & SessionRouteDeps & KeyRouteDeps
  inference: InferenceRouteDeps & Parameters<typeof openaiModelsRoute>[0] & ModelsDeps
  webhooks: DeliveryRouteDeps & SecretRouteDeps & ListenDeps
  operator: OperatorRouteDeps
  health: HealthDeps
  publicUrl(): string
}

export function allRoutes(deps: RouteDeps): Route[] {
  const { tasks, files, account, inference, webhooks, operator, health, publicUrl } = deps
  const models = shownModels(inference)
  const routes: Route[] = [
    createTaskRoute(tasks),
    videoRecordRoute(tasks),
    unifiedRecordRoute(tasks),
    listTasksRoute(tasks),
    taskEventsRoute(tasks),
    timelineRoute(tasks),
    cancelTaskRoute(tasks),
    extendRoute(tasks),
    deleteTaskRoute(tasks),
    ...shareRoutes(tasks),
    explainPromptRoute(tasks),
    uploadRoute(files),
    ...uploadsRoutes(files),
    previewRoute(files),
    ...aliasRoutes(files),
    ...fileRoutes(files),
    creditRoute(account),
    ledgerRoute(account),
    usageRoute(account),
    statusRoute(operator),
    ...keyRoutes(account),
    ...ownSessionRoutes(account),
    ...sessionRoutes(account),
    modelsRoute(models),
    inferenceRoute(inference),
    inferenceRequestRoute(inference),
    openaiEmbeddingsRoute(inference),
    openaiModelsRoute(inference),
    ...openaiVideoRoutes({ ...tasks, ...files }),
    ...deliveryRoutes(webhooks),
    ...secretRoutes(webhooks),
    webhookListenRoute(webhooks),
    ...allOperatorRoutes(operator),
    allTasksRoute(tasks),
    ...healthRoutes(health),
    ...consoleRoutes(),
    ...sharePageRoutes(files),
    ...docsRoutes({ publicUrl, models, routes: () => routes }),
  ]
  return routes
}
