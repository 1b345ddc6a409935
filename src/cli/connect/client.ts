// Runs a command through the public client, at a server or on the configured database, and reports errors in one line.
import {
  Dailies,
  DailiesError,
  InvalidRequest,
  NoAnswer,
  NotAuthenticated,
  NotFound,
  ServiceUnavailable,
  TaskFailed,
} from '../../../client/src/public.ts'
import type { Config } from '../../config.ts'
import { DatabaseBusy } from '../../db/db.ts'
import { OperatorError } from '../../platform/errors.ts'
import { type CommandInput, type CommandResult, FailedTask, UsageError } from '../command.ts'
import { findServer } from './server.ts'

/** Commands retry only a few times, because a person is waiting. */
const retries = 2

export async function withClient(
  input: CommandInput,
  work: (client: Dailies, url: string) => Promise<CommandResult>,
  options: { needsOperator?: boolean } = {},
): Promise<CommandResult> {
  const server = await findServer(input)
  try {
    return await work(new Dailies({ baseUrl: server.url, apiKey: server.key, retries }), server.url)
  } catch (error) {
    throw explained(error, server.url, options)
  }
}

/** No command gives up on a large database. */
const timeoutMs = 2_147_483_647

/** The same on the configured database, through the API for operators inside this process. */
export async function withDatabaseClient(
  config: Config,
  work: (client: Dailies) => Promise<CommandResult>,
): Promise<CommandResult> {
  // Loaded only here: commands that talk to a server start faster without its parts.
  const { withOwnApi } = await import('./own-api.ts')
  return withOwnApi(config, (fetch) =>
    work(new Dailies({ baseUrl: 'http://command.line', apiKey: 'none', retries: 0, timeoutMs, fetch })).catch(
      (error) => {
        throw explainedHere(error)
      },
    ),
  )
}

/** What a request names that is an argument of the command, and needs no name in a message about it. */
const argumentFields = ['id', 'parentId']

function explainedHere(error: unknown): unknown {
  if (error instanceof NoAnswer) return error.cause
  if (error instanceof ServiceUnavailable) return new DatabaseBusy()
  if (error instanceof InvalidRequest) {
    const problem = error.problems.find(({ field }) => argumentFields.includes(field))
    // The others are about flags.
    return problem ? new OperatorError(problem.sentence, { cause: error }) : new UsageError(error.message)
  }
  return error instanceof DailiesError ? new OperatorError(error.message, { cause: error }) : error
}

/** The first items of a list that the client reads page by page. */
export async function firstOf<T>(list: AsyncIterable<T>, max: number): Promise<T[]> {
  const items: T[] = []
  for await (const item of list) if (items.push(item) >= max) break
  return items
}

/** To a key without the right, the routes of operators do not exist. */
const operatorsOnly =
  "; if that exists, this key is not an operator's: give one with --key (dailies keys create --operator)"

export function explained(error: unknown, url: string, { needsOperator = false } = {}): unknown {
  if (!(error instanceof DailiesError)) return error
  const options = { cause: error }
  if (error instanceof TaskFailed) return new FailedTask(error)
  if (error instanceof NoAnswer)
    return new OperatorError(`the server at ${url} cannot be reached: ${error.message}`, options)
  if (error instanceof NotAuthenticated) {
    return new OperatorError(`the server at ${url} does not know this key; give one of its keys with --key`, options)
  }
  if (error instanceof NotFound) {
    const hint = needsOperator ? operatorsOnly : ''
    return new OperatorError(
      `the server responded with 404: ${error.message.replace(/\.$/, hint ? '' : '.')}${hint}`,
      options,
    )
  }
  if (error instanceof ServiceUnavailable) return new OperatorError(error.message, options)
  return new OperatorError(`the server refused (${error.code}): ${error.message}`, options)
}
