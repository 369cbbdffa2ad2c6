// @module-tag slow

import { execFileSync } from 'node:child_process'
import { readdirSync, readlinkSync } from 'node:fs'
import { lstat } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { freeReservedPort } from '@kiln/test-support/free-port.ts'
import { describe, expect, test } from 'vitest'
import { statusOf, uidOf, useRootFolder } from './root-folder.ts'

// A service that root starts: no process of it is root's, and it works as before.

const repository = fileURLToPath(new URL('../../../..', import.meta.url))

describe.runIf(process.getuid?.() === 0)('started by root', () => {
  const { start } = useRootFolder()

  test('on a port that only root may open: no process has a right of root’s, while it starts an engine and while it idles; the program stays root’s', async () => {
    const { origin, output, child, stop } = await start(await freeReservedPort())
    const key = await expect
      .poll(() => keyIn(output()))
      .toBeDefined()
      .then(() => keyIn(output()))
    const seen = new Map<string, string>()
    const isSeen = (program: string) => [...seen.keys()].some((name) => name.startsWith(program))
    const watch = setInterval(() => look(child.pid as number, seen), 20)
    try {
      const page = `<h1>Fired clay</h1>${'<p>Some text.</p>'.repeat(400)}`
      // A busy machine may be too slow to look while a program runs that ends soon.
      while (!['node', 'postgres', 'bwrap', 'chromium', 'pandoc'].every(isSeen))
        for (const pair of ['html-to-pdf', 'html-to-docx']) await convert(origin, key, pair, page)
    } finally {
      clearInterval(watch)
    }
    look(child.pid as number, seen)
    expect([...seen].filter(([, faults]) => faults !== '')).toEqual([])

    const uid = uidOf(child.pid as number)
    expect(uid).toBeGreaterThan(0)
    for (const path of ['packages/server/src/main-all.ts', 'node_modules', 'packages'])
      expect((await lstat(join(repository, path))).uid).not.toBe(uid)
    expect(await writableBy(uid, ['packages', 'node_modules', 'scripts'])).toEqual([])
    expect(await stop('SIGTERM')).toBe(0)
  })
})

const keyIn = (output: string) => /kiln_live_[0-9A-Za-z]{38}/.exec(output)?.[0]

/** Every process below this one, by name and user, with its violation. */
function look(service: number, seen: Map<string, string>): void {
  const ownNamespace = readlinkSync(`/proc/${service}/ns/user`)
  const parents = new Map(
    readdirSync('/proc')
      .filter((name) => /^\d+$/.test(name))
      .map((pid) => [Number(pid), Number(/^PPid:\t(\d+)/m.exec(statusOf(pid))?.[1])]),
  )
  const isBelow = (pid: number): boolean => pid === service || (pid > 1 && isBelow(parents.get(pid) ?? 0))
  for (const pid of parents.keys()) {
    if (!isBelow(pid)) continue
    const before = programOf(pid)
    const status = statusOf(pid)
    const field = (name: string) => new RegExp(`^${name}:\\t(.*)$`, 'm').exec(status)?.[1] ?? ''
    // Its rights were those of the program only if it did not become another one meanwhile.
    if (status === '' || field('State').startsWith('Z') || before === '' || before !== programOf(pid))
      continue
    const [namespace, program] = before.split(' ')
    const faults = [
      ...(field('Uid').split('\t').includes('0') || field('Gid').split('\t').includes('0')
        ? ['is root']
        : []),
      ...(field('NoNewPrivs') === '1' ? [] : ['may gain rights']),
      // bwrap has rights over the namespace that it makes, until it runs the engine.
      ...(namespace === ownNamespace || program !== 'bwrap'
        ? ['CapInh', 'CapPrm', 'CapEff', 'CapAmb'].filter((name) => !/^0+$/.test(field(name)))
        : []),
    ]
    const name = `${program} ${field('Uid').split('\t')[0]}`
    seen.set(name, [seen.get(name), faults.join(' ')].filter(Boolean).join(' '))
  }
}

/** The user namespace of a process and the program that it runs. */
function programOf(pid: number): string {
  try {
    return `${readlinkSync(`/proc/${pid}/ns/user`)} ${basename(readlinkSync(`/proc/${pid}/exe`))}`
  } catch {
    // The process has ended.
    return ''
  }
}

async function convert(origin: string, key: string | undefined, pair: string, text: string): Promise<void> {
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' }
  const body = JSON.stringify({ pair, bytes: Buffer.byteLength(text) })
  const made = await fetch(`${origin}/api/v1/conversions`, { method: 'POST', headers, body })
  const { jobId, uploadUrl } = (await made.json()) as { jobId: string; uploadUrl: string }
  await fetch(uploadUrl, { method: 'PUT', body: text })
  let status = ''
  while (status !== 'done') {
    const answer = await fetch(`${origin}/api/v1/conversions/${jobId}`, {
      headers: { ...headers, prefer: 'wait=20' },
    })
    const job = (await answer.json()) as { status: string; error?: string }
    status = job.status
    if (status === 'failed') throw new Error(job.error)
  }
}

/** Files of the program that the user may write to. */
async function writableBy(uid: number, folders: string[]): Promise<string[]> {
  const found = execFileSync(
    'setpriv',
    [
      `--reuid=${uid}`,
      `--regid=${uid}`,
      '--clear-groups',
      'find',
      ...folders,
      // Other tests create and remove files meanwhile.
      '-ignore_readdir_race',
      '(',
      '-name',
      'test',
      '-o',
      '-name',
      '.vite*',
      ')',
      '-prune',
      '-o',
      '!',
      '-type',
      'l',
      '-writable',
      '-print',
    ],
    { cwd: repository, encoding: 'utf8' },
  )
  return found.split('\n').filter(Boolean)
}
