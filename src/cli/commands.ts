// Every command of the command line, in the order of the help.

import type { Command } from './command.ts'
import { doctor } from './doctor/doctor.ts'
import { accountCommands } from './operator/accounts.ts'
import { keyCommands } from './operator/keys.ts'
import { ledgerCommands } from './operator/ledger.ts'
import { switchCommands } from './operator/switches.ts'
import { webhookCommands } from './operator/webhooks.ts'
import { webhooksSecret } from './operator/webhooks-secret.ts'
import { migrate } from './server/migrate.ts'
import { serve } from './server/serve.ts'
import { work } from './server/work.ts'
import { generate } from './tasks/generate.ts'

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
