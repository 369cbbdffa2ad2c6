import { Command } from 'commander'
import { makePassword } from '../accounts/password.ts'
import { setOperatorPassword } from '../console/operator.ts'
import { findJob } from '../db/find-job.ts'
import { refused } from '../errors.ts'
import { type AccountCommandsParts, addAccountCommands } from './account-commands.ts'
import { id } from './argument-kinds.ts'
import type { Check } from './doctor.ts'
import type { Printer } from './output.ts'
import { addStorageCommands, type StorageCommandsParts } from './storage-commands.ts'
import { addUserCommands, type UserCommandsParts } from './user-commands.ts'
import { addWebhookCommands, type WebhookCommandsParts } from './webhook-commands.ts'

// The operator's command line, as a list of commands. Each command opens its own database connection, so it works
// whether or not the service is running.

export interface AdminParts
  extends WebhookCommandsParts,
    AccountCommandsParts,
    UserCommandsParts,
    StorageCommandsParts {
  doctor: () => Promise<readonly Check[]>
  /** The first line of standard input. */
  readLine: () => Promise<string>
  printer: (json: boolean) => Printer
}

const json = ['--json', 'print JSON'] as const

export function createAdminProgram(parts: AdminParts): Command {
  const program = new Command('admin')
    .description('Accounts, keys, credits and jobs of this Kiln.')
    .showHelpAfterError()
  addAccountCommands(program, parts)
  addUserCommands(program, parts)
  addWebhookCommands(program, parts)
  addStorageCommands(program, parts)
  addJobCommands(program, parts)
  addOperatorCommands(program, parts)
  addDoctorCommand(program, parts)
  return program
}

function addJobCommands(program: Command, { withDatabase, printer }: AdminParts): void {
  program
    .command('job')
    .description('look at jobs')
    .command('show')
    .argument('<jobId>', 'the job', id)
    .option(...json)
    .action((jobId, options) =>
      withDatabase(async (database) => {
        const job = await findJob(database.kysely, jobId)
        if (!job) throw refused('not-found', `There is no job ${jobId}. Records are kept for a limited time.`)
        if (options.json) printer(true).one({ job }, '')
        else
          printer(false).rows(
            'job',
            Object.entries(job).map(([field, value]) => ({ field, value })),
          )
      }),
    )
}

function addOperatorCommands(program: Command, { withDatabase, readLine, printer }: AdminParts): void {
  program
    .command('operator')
    .description('who may use the console')
    .command('set-password')
    .description('make a new password for the console, or take one from standard input; ends all sessions')
    .option('--stdin', 'read the password from standard input')
    .option(...json)
    .action((options) =>
      withDatabase(async (database) => {
        const password = options.stdin ? await readLine() : makePassword()
        await setOperatorPassword(database, password)
        printer(options.json).one(
          options.stdin ? {} : { password },
          options.stdin ? 'The password is set.' : `The password of the console, shown once:\n${password}`,
        )
      }),
    )
}

function addDoctorCommand(program: Command, { doctor, printer }: AdminParts): void {
  program
    .command('doctor')
    .description('check that everything the service needs is there and works')
    .option(...json)
    .action(async (options) => {
      const checks = await doctor()
      printer(options.json).rows(
        'checks',
        checks.map(({ ok, name, detail }) => ({ ok: options.json ? ok : ok ? 'ok' : 'FAULT', name, detail })),
      )
      if (checks.some(({ ok }) => !ok)) process.exitCode = 1
    })
}
