import { spawn } from 'node:child_process'
import { mkdir, readFile, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { kilnOf, markdown, temporaryFolder } from '@kiln/test-support/client-service.ts'
import { freePort } from '@kiln/test-support/free-port.ts'
import { changeByConsole, createAccountByConsole } from '@kiln/test-support/operator-session.ts'
import { repository } from '@kiln/test-support/start-service.ts'
import { expect, inject, onTestFinished, test } from 'vitest'

// The receivers of docs/webhooks.md are taken from the page and run, and the real service sends to them.

const { operator } = inject('clientTestSetup')

const programs = [
  { file: 'receiver.mts', program: process.execPath },
  { file: 'receiver.py', program: 'python3' },
]

test('the receivers of the page take what the service sends, and nothing else', async () => {
  const page = await readFile(join(repository, 'docs/webhooks.md'), 'utf8')
  const folder = await temporaryFolder()
  await mkdir(join(folder, 'node_modules/@kiln'), { recursive: true })
  await symlink(join(repository, 'packages/client'), join(folder, 'node_modules/@kiln/client'))
  const { account, key } = await createAccountByConsole(operator, 'Webhooks', 10)
  const kiln = kilnOf(key.key)
  let secret: string | null = null
  for (const { file, program } of programs) {
    const [, text = ''] = new RegExp(`^\`\`\`\\w+ ${file}\\n([\\s\\S]*?)^\`\`\`$`, 'm').exec(page) ?? []
    await writeFile(join(folder, file), text)
    const port = await freePort()
    const url = `http://127.0.0.1:${port}/`
    const set = await changeByConsole<{ secret: string | null }>(
      operator,
      `/accounts/${account.id}/webhook`,
      { url },
    )
    // The second address keeps the secret of the first.
    secret ??= set.secret
    const child = spawn(program, [file], {
      cwd: folder,
      env: { PATH: process.env.PATH, PORT: String(port), KILN_WEBHOOK_SECRET: secret ?? '' },
      stdio: ['ignore', 'pipe', 'ignore'],
    })
    const ended = new Promise((resolve) => child.once('close', resolve))
    onTestFinished(async () => {
      child.kill()
      await ended
    })
    let said = ''
    child.stdout.on('data', (piece) => {
      said += piece
    })
    const forged = () => fetch(url, { method: 'POST', body: '{"type":"conversion.done"}' })
    await expect
      .poll(
        () =>
          forged()
            .then(({ status }) => status)
            .catch(() => 0),
        { timeout: 20_000 },
      )
      .toBe(400)
    const { jobId, stream } = await kiln.convert(Buffer.from(markdown), { from: 'md', to: 'html' })
    await stream.cancel()
    await expect.poll(() => said, { timeout: 20_000 }).toContain(`conversion.done ${jobId}`)
    expect(said.trim().split('\n')).toHaveLength(1)
  }
})
