// Every command of the command line, in the groups and order of the help.
import type { Command } from './command.ts'
import { doctor } from './doctor/doctor.ts'
import { mcp } from './mcp/mcp.ts'
import { accountDataCommands } from './operator/account-data.ts'
import { accountCommands } from './operator/accounts.ts'
import { audit } from './operator/audit.ts'
import { engineCommands } from './operator/engines.ts'
import { keyCommands } from './operator/keys.ts'
import { ledgerCommands } from './operator/ledger.ts'
import { queueCommands } from './operator/queues.ts'
import { secretCommands } from './operator/secrets.ts'
import { switchCommands } from './operator/switches.ts'
import { webhooksRotateSecret, webhooksSecret } from './operator/webhook-secret.ts'
import { webhookCommands } from './operator/webhooks.ts'
import { migrate } from './server/migrate.ts'
import { serve } from './server/serve.ts'
import { work } from './server/work.ts'
import { generate } from './tasks/generate.ts'
import { loginCommands } from './tasks/login.ts'
import { taskCommands } from './tasks/tasks.ts'
import { listen } from './tasks/webhooks-listen.ts'
import { completionCommand } from './terminal/completion.ts'

export const commandGroups: { title: string; commands: Command[] }[] = [
  { title: 'Run the service', commands: [serve, work, migrate, doctor, ...engineCommands] },
  { title: 'Make videos', commands: [generate, ...taskCommands, mcp, ...loginCommands] },
  { title: 'Callbacks', commands: [listen, webhooksSecret, webhooksRotateSecret, ...webhookCommands] },
  {
    title: 'Operate',
    commands: [
      ...accountCommands,
      ...accountDataCommands,
      ...keyCommands,
      ...ledgerCommands,
      ...switchCommands,
      ...queueCommands,
      ...secretCommands,
      audit,
    ],
  },
  { title: 'Shell', commands: [completionCommand(() => commands)] },
]

export const commands: Command[] = commandGroups.flatMap((group) => group.commands)
