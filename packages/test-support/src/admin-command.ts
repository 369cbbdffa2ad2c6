import { spawn } from 'node:child_process'
import { environment, repository } from './start-service.ts'

/** How to call the operator's command line: a program, its first arguments, and its settings. */
export interface AdminCommand {
  command: string[]
  settings: Record<string, string>
}

export interface AdminResult {
  status: number | null
  stdout: string
  stderr: string
}

export const localAdmin = (settings: Record<string, string>): AdminCommand => ({
  command: [process.execPath, 'packages/server/src/main-admin.ts'],
  settings,
})

/** Runs one admin command and returns its output, for any exit status. */
export const runAdmin = (admin: AdminCommand, ...args: string[]): Promise<AdminResult> =>
  new Promise((resolve, reject) => {
    const [program = '', ...first] = admin.command
    const child = spawn(program, [...first, ...args], {
      cwd: repository,
      env: environment(admin.settings),
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    let stdout = ''
    let stderr = ''
    child.stdout.on('data', (chunk: Buffer) => {
      stdout += chunk.toString()
    })
    child.stderr.on('data', (chunk: Buffer) => {
      stderr += chunk.toString()
    })
    child.once('error', reject)
    child.once('close', (status) => resolve({ status, stdout, stderr }))
  })

/** Runs one admin command with --json, expects it to succeed, and returns the parsed output. */
export const askAdmin = async <Said>(admin: AdminCommand, ...args: string[]): Promise<Said> => {
  const result = await runAdmin(admin, ...args, '--json')
  if (result.status !== 0)
    throw new Error(`admin ${args.join(' ')} ended with ${result.status}:\n${result.stdout}${result.stderr}`)
  return JSON.parse(result.stdout) as Said
}
