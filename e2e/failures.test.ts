import { describe, expect, test } from 'vitest'
import { createAccount, describeWithOperator, main, someClient } from './accounts.ts'
import { passwordProtectedWordFile, picture, wordBomb, wordFile } from './documents.ts'
import { failureText } from './expectations.ts'
import { requirement } from './requirements.ts'
import { bytesOf, type Job } from './service.ts'

const client = someClient()

const failsWith = (job: Job, word: RegExp): void => {
  expect(job).toMatchObject({ status: 'failed', downloadUrl: null })
  expect(job.error).toMatch(failureText)
  expect(job.error).toMatch(word)
  // A reason for users: no path, no stack, no output of a program.
  expect(job.error).not.toMatch(
    /\/(tmp|var|usr|home|root|in|out)\/|\bat .*:\d+:\d+|pandoc|soffice|bwrap|exit code/i,
  )
}

describe('a job that fails', () => {
  test('would have worked with a good file', async () => {
    const output = await client.convert('docx-to-html', wordFile('A good Word file'))
    expect(new TextDecoder().decode(output)).toContain('A good Word file')
  })

  test(`${requirement('failed.wrong-format', 'failed.closed-words', 'failed.sentence')} for a picture`, async () => {
    failsWith(await client.run('docx-to-html', picture()), /^wrong-format: /)
  })

  test(`${requirement('failed.wrong-format')} for a zip that is no Word file`, async () => {
    const { zip } = await import('@kiln/test-support/zip.ts')
    const archive = new Uint8Array(zip([{ name: 'readme.txt', content: 'hello' }]))
    failsWith(await client.run('docx-to-html', archive), /^(wrong-format|corrupt-input): /)
  })

  test(`${requirement('failed.wrong-format')} for bytes that are no text`, async () => {
    const noise = new Uint8Array(4096).map((_, index) => (index * 197 + 13) % 256)
    failsWith(await client.run('md-to-html', noise), /^(wrong-format|corrupt-input): /)
  })

  test(`${requirement('failed.corrupt-input', 'failed.sentence')} for half a Word file`, async () => {
    const whole = wordFile('Half of this is missing')
    failsWith(await client.run('docx-to-html', whole.slice(0, whole.length / 2)), /^corrupt-input: /)
  })

  test(`${requirement('failed.corrupt-input')} for a Word file with broken XML`, async () => {
    const broken = wordFile('</w:t><broken')
    failsWith(await client.run('docx-to-html', broken), /^corrupt-input: /)
  })

  test(`${requirement('failed.password-protected', 'failed.closed-words')} for a Word file with a password`, async () => {
    failsWith(await client.run('docx-to-html', passwordProtectedWordFile()), /^password-protected: /)
  })

  test(`${requirement('failed.too-complex')} for a small file that unpacks to a huge one`, async () => {
    failsWith(await client.run('docx-to-html', wordBomb()), /^too-complex: /)
  })
})

describeWithOperator('the charge of a failed job', () => {
  test(`${requirement('failed.refund', 'usage.window-jobs')} comes back, while the job stays counted`, async () => {
    const account = await createAccount(main)
    const before = await account.client.readUsage()
    const job = await account.client.run('docx-to-html', picture())
    expect(job.status).toBe('failed')
    const after = await account.client.readUsage()
    expect(after.freeTier).toEqual(before.freeTier)
    expect(after.creditsBalance).toBe(before.creditsBalance)
    expect(after.currentWindow.account).toEqual({ jobs: 1, bytes: picture().length })
  })

  test(`${requirement('failed.refund')} stays spent when the job succeeds`, async () => {
    const account = await createAccount(main)
    const bytes = bytesOf('# Fine\n')
    await account.client.run('md-to-html', bytes)
    const after = await account.client.readUsage()
    expect(after.freeTier.jobsRemaining).toBe(after.freeTier.jobsPerMonth - 1)
    expect(after.currentWindow.account).toEqual({ jobs: 1, bytes: bytes.length })
  })
})
