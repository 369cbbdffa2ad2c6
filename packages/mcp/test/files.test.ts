import { link, mkdir, readFile, rename, symlink, unlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { markdown, newKey } from '@kiln/test-support/client-service.ts'
import { beforeAll, describe, expect, test } from 'vitest'
import { slowMarkdown } from '../../../e2e/documents.ts'
import { openAllowedFolders, PathRefused } from '../src/allowed-folders.ts'
import { httpHost, startHttpServer, startHttpServerWith, stdioHost, testFolder } from './support/hosts.ts'

let key: string
beforeAll(async () => {
  key = await newKey()
})

async function world() {
  const top = await testFolder()
  const allowed = join(top, 'allowed')
  const outside = join(top, 'outside')
  await mkdir(join(allowed, 'inner'), { recursive: true })
  await mkdir(outside)
  await writeFile(join(allowed, 'report.md'), markdown)
  await writeFile(join(outside, 'secret.md'), 'SECRET')
  return { top, allowed, outside }
}

describe('paths', () => {
  test('that lead out are refused, whatever their shape', async () => {
    const { allowed, outside } = await world()
    await symlink(join(outside, 'secret.md'), join(allowed, 'link.md'))
    await symlink(outside, join(allowed, 'door'))
    await symlink('../outside', join(allowed, 'inner/door'))
    const host = await stdioHost(key, allowed)
    const inputs = [
      join(outside, 'secret.md'),
      '../outside/secret.md',
      'inner/../../outside/secret.md',
      'link.md',
      'door/secret.md',
      'inner/door/secret.md',
      '/etc/passwd',
      '/proc/self/environ',
      `${allowed}-evil/x.md`,
      '',
      'report.md\u0000.txt',
    ]
    for (const input_path of inputs) {
      const answer = await host.call('convert_file', { input_path, from: 'md', output_path: 'stolen.html' })
      expect(answer.isError, input_path).toBe(true)
      expect(answer.text, input_path).not.toContain('SECRET')
    }
    const outputs = [
      join(outside, 'a.html'),
      '../outside/a.html',
      'door/a.html',
      'inner/door/a.html',
      'inner/',
      '..',
    ]
    for (const output_path of outputs) {
      const answer = await host.call('convert_file', { input_path: 'report.md', to: 'html', output_path })
      expect(answer.isError, output_path).toBe(true)
    }
    const refused = await host.call('convert_file', { input_path: 'door/secret.md', to: 'html' })
    expect(refused.text).toMatch(/leads out of there through a link.*inside the allowed folder/s)
    expect(await readFile(join(outside, 'secret.md'), 'utf8')).toBe('SECRET')
  })

  test('to a link are not written through, even when asked to replace', async () => {
    const { allowed, outside } = await world()
    await symlink(join(outside, 'secret.md'), join(allowed, 'out.html'))
    const host = await stdioHost(key, allowed)
    const answer = await host.call('convert_file', {
      input_path: 'report.md',
      output_path: 'out.html',
      overwrite: true,
    })
    expect(answer.isError).toBe(true)
    expect(await readFile(join(outside, 'secret.md'), 'utf8')).toBe('SECRET')
  })

  test('that exist are replaced only on request, and never what a hard link shares', async () => {
    const { allowed, outside } = await world()
    await link(join(outside, 'secret.md'), join(allowed, 'shared.html'))
    const host = await stdioHost(key, allowed)
    const call = { input_path: 'report.md', output_path: 'shared.html' }
    const kept = await host.call('convert_file', call)
    expect(kept).toMatchObject({
      isError: true,
      text: expect.stringMatching(/overwrite: true if the user agreed/),
    })
    expect(kept.text).toContain(join(allowed, 'shared.html'))
    const replaced = await host.call('convert_file', { ...call, overwrite: true })
    expect(replaced.isError, replaced.text).toBe(false)
    expect(await readFile(join(allowed, 'shared.html'), 'utf8')).toMatch(/leaning/)
    expect(await readFile(join(outside, 'secret.md'), 'utf8')).toBe('SECRET')
  })

  test('inside work in every shape: absolute, relative, through a link that stays inside', async () => {
    const { allowed } = await world()
    await symlink('.', join(allowed, 'here'))
    const host = await stdioHost(key, allowed)
    const shapes = [join(allowed, 'report.md'), './inner/../report.md', 'here/report.md']
    for (const [index, input_path] of shapes.entries()) {
      const output_path = `inner/${index}.rst`
      const answer = await host.call('convert_file', { input_path, output_path })
      expect(answer.isError, answer.text).toBe(false)
      expect(await readFile(join(allowed, output_path), 'utf8')).toMatch(/leaning/)
    }
  })

  test('that are folders, missing, or of unknown format are explained', async () => {
    const { allowed } = await world()
    await writeFile(join(allowed, 'README'), markdown)
    const host = await stdioHost(key, allowed)
    const textOf = async (args: Record<string, unknown>) => (await host.call('convert_file', args)).text
    expect(await textOf({ input_path: 'inner', from: 'md', to: 'html' })).toMatch(/not a regular file/)
    expect(await textOf({ input_path: 'nothing.md', to: 'html' })).toMatch(/no such file/i)
    expect(await textOf({ input_path: 'README', to: 'html' })).toMatch(/pass `from`/)
    expect(await textOf({ input_path: 'report.md' })).toMatch(/pass `to`/)
    expect(await textOf({ input_path: 'report.md', output_path: 'no/such/a.html' })).toMatch(/no such file/i)
  })
})

describe('a path that is changed under way', () => {
  test('is read from the file that was checked', async () => {
    const { allowed, outside } = await world()
    const files = await openAllowedFolders([allowed])
    const input = await files.openInput('report.md')
    await unlink(join(allowed, 'report.md'))
    await symlink(join(outside, 'secret.md'), join(allowed, 'report.md'))
    expect(await readFile(input.path, 'utf8')).toBe(markdown)
    await input.close()
  })

  test('is written below the folder that was checked', async () => {
    const { allowed, outside } = await world()
    const files = await openAllowedFolders([allowed])
    const output = await files.openOutput('inner/a.html')
    await rename(join(allowed, 'inner'), join(allowed, 'moved'))
    await symlink(outside, join(allowed, 'inner'))
    await writeFile(output.path, 'written')
    expect(await readFile(join(allowed, 'moved/a.html'), 'utf8')).toBe('written')
    await output.close()
  })

  test('is never read from outside, however often it changes', async () => {
    const { allowed, outside } = await world()
    const files = await openAllowedFolders([allowed])
    const place = join(allowed, 'flicker')
    let stop = false
    const flicker = (async () => {
      while (!stop) {
        for (const to of [outside, allowed]) {
          await symlink(to, `${place}.new`)
          await rename(`${place}.new`, place)
        }
        await sleep(0)
      }
    })()
    await writeFile(join(allowed, 'secret.md'), 'PUBLIC')
    let read = 0
    for (let turn = 0; turn < 400; turn++) {
      const input = await files.openInput('flicker/secret.md').catch((error: unknown) => {
        expect(error).toBeInstanceOf(PathRefused)
        return null
      })
      if (input === null) continue
      read++
      expect(await readFile(input.path, 'utf8')).toBe('PUBLIC')
      await input.close()
    }
    stop = true
    await flicker
    expect(read).toBeGreaterThan(0)
  })
})

test('a server on its own port can be given a folder as well', { tags: 'slow' }, async () => {
  const { allowed } = await world()
  await writeFile(join(allowed, 'slow.md'), slowMarkdown(1500))
  const own = { KILN_API_KEY: key }
  const url = await startHttpServerWith(own, '--dir', allowed, '--answer-within', '0.3')
  const host = await httpHost(url, key)
  let answer = await host.call('convert_file', { input_path: 'slow.md', to: 'docx' })
  expect(answer.structured.status).not.toBe('done')
  const { job_id } = answer.structured
  for (let turn = 0; answer.structured.status !== 'done' && turn < 200; turn++) {
    expect(answer.isError, answer.text).toBe(false)
    answer = await host.call('check_conversion', { job_id })
  }
  expect((await readFile(join(allowed, 'slow.docx'))).subarray(0, 2).toString()).toBe('PK')
})

test('a server with a folder accepts its own key and no other account', async () => {
  const { allowed } = await world()
  await expect(startHttpServer('--dir', allowed)).rejects.toThrow(/set KILN_API_KEY/)
  const url = await startHttpServerWith({ KILN_API_KEY: key }, '--dir', allowed)
  const otherAccount = await newKey()
  const answer = await fetch(url, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${otherAccount}`,
      accept: 'application/json, text/event-stream',
      'content-type': 'application/json',
    },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' }),
  })
  expect(answer.status).toBe(403)
  expect(await answer.json()).toMatchObject({ code: 'forbidden' })
})
