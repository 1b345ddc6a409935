// Every command of the command line, in the order of the help.
import { accountCommands } from './accounts.ts'
import type { Command } from './command.ts'
import { doctor } from './doctor.ts'
import { generate } from './generate.ts'
import { keyCommands } from './keys.ts'
import { ledgerCommands } from './ledger.ts'
import { migrate } from './migrate.ts'
import { serve } from './serve.ts'
import { switchCommands } from './switches.ts'
import { webhookCommands } from './webhooks.ts'
import { webhooksSecret } from './webhooks-secret.ts'
import { work } from './work.ts'

export const commands: Command[] = [
  serve,
  work,
  generate,
  migrate,
  doctor,
  ...accountCommands,
  ...keyCommands,
  ...switchCommands,
  ...ledgerCommands,
  webhooksSecret,
  ...webhookCommands,
]
