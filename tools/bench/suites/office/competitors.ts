import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { freePort } from '@kiln/test-support/free-port.ts'
import { endProcess } from '../../child.ts'
import type { Kind } from './documents.ts'

// The other two ways to convert with LibreOffice, without a sandbox, as they are commonly used.

export type Convert = (kind: Kind, source: string, target: string) => Promise<void>

const flagsOf = (folder: string) => [
  `-env:UserInstallation=file://${join(folder, 'profile')}`,
  ...'--headless --norestore --nologo --nodefault --nolockcheck'.split(' '),
]

/** A new LibreOffice for every document, with an existing profile. */
export async function coldSoffice(folder: string): Promise<Convert> {
  await mkdir(folder, { recursive: true })
  return async (_kind, source, target) => {
    const out = `${target}.folder`
    await promisify(execFile)('soffice', [...flagsOf(folder), '--convert-to', 'pdf', '--outdir', out, source])
    await rm(out, { recursive: true })
  }
}

export interface WarmUno {
  convert: Convert
  stop(): Promise<void>
}

const exportFilters: Record<Kind, string> = {
  docx: 'writer_pdf_Export',
  odt: 'writer_pdf_Export',
  xlsx: 'calc_pdf_Export',
  pptx: 'impress_pdf_Export',
}

/** One LibreOffice for all documents, sequentially. */
export async function warmUno(folder: string): Promise<WarmUno> {
  await mkdir(folder, { recursive: true })
  const port = await freePort()
  const program = '/usr/lib/libreoffice/program/soffice.bin'
  const flags = flagsOf(folder)
  // The first start with a new profile only requests a restart.
  await once(spawn(program, [...flags, '--terminate_after_init'], { stdio: 'ignore' }), 'exit')
  const office = spawn(program, [...flags, `--accept=socket,host=127.0.0.1,port=${port},tcpNoDelay=1;urp;`], {
    stdio: 'ignore',
    // It is killed at the end and then removes nothing.
    env: { ...process.env, SAL_USE_VCLPLUGIN: 'svp', TMPDIR: folder },
  })
  const script = fileURLToPath(new URL('./warm_uno.py', import.meta.url))
  const client = spawn('/usr/bin/python3', [script, String(port)], { stdio: ['pipe', 'pipe', 'inherit'] })
  const waiting: PromiseWithResolvers<string>[] = []
  const answer = () => {
    const next = Promise.withResolvers<string>()
    waiting.push(next)
    return next.promise
  }
  createInterface({ input: client.stdout }).on('line', (line) => waiting.shift()?.resolve(line))
  client.once('exit', () => {
    for (const each of waiting) each.reject(new Error('The UNO client ended.'))
  })
  await answer()
  return {
    async convert(kind, source, target) {
      const said = answer()
      client.stdin.write(`${[source, target, exportFilters[kind]].join('\t')}\n`)
      const line = await said
      if (line !== 'done') throw new Error(`warm soffice over UNO: ${line}`)
    },
    async stop() {
      await endProcess(client, 'SIGKILL')
      await endProcess(office, 'SIGKILL')
    },
  }
}
