// Every command of the command line.
import type { Command } from './command.ts'
import { serve } from './serve.ts'
import { webhookCommands } from './webhooks.ts'

export const commands: Command[] = [serve, ...webhookCommands]
