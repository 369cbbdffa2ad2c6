import { spawn } from 'node:child_process'
import { createWriteStream, mkdirSync, openSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { setupFolder } from './stamp.mjs'

/**
 * Runs a program without a shell and collects its output. With `logName` the output is also written to a file in the
 * set-up folder; `terminal` connects the terminal (a password prompt needs it).
 */
export async function run(program, args, { cwd, env, logName, terminal = false } = {}) {
  let log
  if (logName) {
    log = openLog(join(setupFolder, logName))
    log.write(`\n$ ${program} ${args.join(' ')}\n`)
  }
  const child = spawn(program, args, {
    cwd,
    env: { ...process.env, ...env },
    stdio: [terminal ? 'inherit' : 'ignore', 'pipe', terminal ? 'inherit' : 'pipe'],
  })
  let output = ''
  const collect = (chunk) => {
    output = (output + chunk).slice(-1_000_000)
    log?.write(chunk)
  }
  child.stdout.setEncoding('utf8').on('data', collect)
  child.stderr?.setEncoding('utf8').on('data', collect)
  const code = await new Promise((resolve) => {
    child.once('error', (error) => {
      collect(String(error))
      resolve(127)
    })
    child.once('close', (exitCode) => resolve(exitCode ?? 1))
  })
  log?.end()
  return { ok: code === 0, code, output }
}

function openLog(path) {
  mkdirSync(setupFolder, { recursive: true })
  let file
  try {
    file = openSync(path, 'a')
  } catch (error) {
    if (error.code !== 'EACCES') throw error
    // Another user wrote it, such as root, who set Kiln up here before.
    rmSync(path)
    file = openSync(path, 'a')
  }
  return createWriteStream(path, { fd: file })
}

export const lastLines = (text, count = 15) => text.trimEnd().split('\n').slice(-count).join('\n')
