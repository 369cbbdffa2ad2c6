import { spawn } from 'node:child_process'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { baseUrl, kilnOf, markdown } from '@kiln/test-support/client-service.ts'
import { beforeAll, describe, expect, test } from 'vitest'
import { slowMarkdown } from '../../../e2e/documents.ts'
import { useInstalledCli } from './support/installed-cli.ts'
import { run } from './support/run.ts'

// Features that only a terminal shows: bars, hidden input, completions in real shells.

const cli = useInstalledCli()

interface Terminal {
  /** Everything on the screen so far, escape sequences included. */
  screen(): string
  type(text: string): void
  until(pattern: RegExp): Promise<void>
  /** Closes the terminal, as its window would be. */
  close(): void
  ended: Promise<number | null>
}

/** `script` of util-linux runs the command in a new terminal. */
function inTerminal(command: string, env: Record<string, string> = {}): Terminal {
  const child = spawn('script', ['-qefc', command, '/dev/null'], {
    cwd: cli.folder,
    env: { ...cli.env, TERM: 'xterm', LANG: 'C.UTF-8', SHELL: '/bin/sh', ...env },
  })
  let screen = ''
  child.stdout.on('data', (text) => {
    screen += text
  })
  const ended = new Promise<number | null>((resolve) => child.once('close', resolve))
  return {
    screen: () => screen,
    type: (text) => child.stdin.write(text),
    async until(pattern) {
      for (const began = Date.now(); !pattern.test(withoutEscapes(screen)); ) {
        if (Date.now() - began > 20_000) throw new Error(`no ${pattern} in: ${JSON.stringify(screen)}`)
        await sleep(50)
      }
    },
    close: () => child.kill('SIGTERM'),
    ended,
  }
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: escape sequences start with one
const withoutEscapes = (text: string) => text.replace(/\u001b\[[0-9;?]*[A-Za-z]/g, '')

describe('a conversion at a terminal', () => {
  beforeAll(async () => {
    await writeFile(join(cli.folder, 'report.md'), markdown)
    await writeFile(join(cli.folder, 'slow.md'), slowMarkdown(3000))
  })

  test('has a bar per file, and leaves a line for each', { tags: 'slow' }, async () => {
    const terminal = inTerminal('stty cols 100 rows 24; kiln convert report.md slow.md --to docx')
    expect(await terminal.ended).toBe(0)
    const screen = terminal.screen()
    const text = withoutEscapes(screen)
    expect(text).toMatch(/slow\.md +(uploading|waiting|converting|downloading) +[█░]{24}/)
    expect(text).toMatch(/✓ report\.md → report\.docx \([\d.]+ KB, \d+\.\d s\)/)
    expect(text).toMatch(/✓ slow\.md → slow\.docx/)
    // Bars are drawn over, not below each other, and gone at the end.
    // biome-ignore lint/suspicious/noControlCharactersInRegex: escape sequences start with one
    expect(screen).toMatch(/\u001b\[\d+A\r\u001b\[J/)
    expect(withoutEscapes(screen.slice(screen.lastIndexOf('\u001b[J')))).not.toMatch(/[█░]/)
  })

  test('is cancelled at the service by a second Ctrl-C', async () => {
    const kiln = kilnOf(cli.key)
    const before = (await kiln.usage()).freeTier.jobsRemaining
    const terminal = inTerminal('stty cols 100; kiln convert slow.md cancelled.docx')
    await terminal.until(/waiting|converting/)
    terminal.type('\u0003')
    await terminal.until(/Go on with: kiln job (\S+)[\s\S]*Press Ctrl-C again to cancel it/)
    terminal.type('\u0003')
    expect(await terminal.ended).toBe(130)
    const text = withoutEscapes(terminal.screen())
    expect(text).toMatch(/Cancelled, and not charged\./)
    const id = /kiln job (\S+) --output/.exec(text)?.[1] ?? ''
    expect((await kiln.get(id)).error).toMatch(/^cancelled: /)
    expect((await kiln.usage()).freeTier.jobsRemaining).toBe(before)
  })

  test('is plain ASCII and colourless where it has to be', async () => {
    const terminal = inTerminal('kiln convert report.md report.html', { LANG: 'C', NO_COLOR: '1' })
    expect(await terminal.ended).toBe(0)
    expect(terminal.screen()).toMatch(/ok report\.md -> report\.html/)
    expect(terminal.screen()).not.toMatch(/[█░✓→]/)
    expect(terminal.screen()).not.toContain('\u001b[32m')
  })

  test('refuses to pour a binary file over it', async () => {
    const terminal = inTerminal('kiln convert report.md - --to docx')
    expect(await terminal.ended).toBe(2)
    expect(terminal.screen()).toMatch(/docx is not for a terminal/)
  })
})

test('login asks for the address, and for the key unseen', async () => {
  const terminal = inTerminal('kiln login', { KILN_URL: baseUrl, KILN_API_KEY: '' })
  await terminal.until(/Base address \[http[^\]]+\]: /)
  terminal.type('\r')
  await terminal.until(/API key: /)
  terminal.type(`x\u007f${cli.key}\r`)
  expect(await terminal.ended).toBe(0)
  expect(terminal.screen()).not.toContain(cli.key.slice(12))
  expect(await readFile(join(cli.folder, '.config/kiln/login.json'), 'utf8')).toContain(cli.key)
})

test('login is left with Ctrl-C', async () => {
  const terminal = inTerminal('kiln login')
  await terminal.until(/Base address/)
  terminal.type('\u0003')
  expect(await terminal.ended).toBe(130)
})

describe('completions', () => {
  const script = async (shell: string) => (await cli.kiln(['completions', shell])).stdout

  test('bash', async () => {
    await writeFile(join(cli.folder, 'kiln.bash'), await script('bash'))
    await writeFile(join(cli.folder, 'two words.md'), markdown)
    const complete = async (...words: string[]) => {
      const typed = words.map((word) => `'${word}'`).join(' ')
      const text = `source kiln.bash; COMP_WORDS=(${typed}); COMP_CWORD=$((\${#COMP_WORDS[@]} - 1)); _kiln; printf '%s\\n' "\${COMPREPLY[@]}"`
      const ran = await run('bash', ['--norc', '-c', text], { cwd: cli.folder, env: cli.env })
      expect(ran.stderr).toBe('')
      return ran.stdout.trim().split('\n')
    }
    expect(await complete('kiln', 'c')).toEqual(['convert', 'completions'])
    expect(await complete('kiln', 'convert', '--t')).toEqual(['--to', '--timeout'])
    expect(await complete('kiln', 'convert', 'two')).toEqual(['two words.md'])
    expect(await complete('kiln', 'convert', 'report.md', '--to', 'doc')).toEqual(['docx'])
    expect(await complete('kiln', 'formats', '--from', 'md')).toEqual(['md'])
    expect(await complete('kiln', 'completions', 'z')).toEqual(['zsh'])
  })

  test('fish', async () => {
    await writeFile(join(cli.folder, 'kiln.fish'), await script('fish'))
    const complete = async (typed: string) => {
      const ran = await run('fish', ['--no-config', '-c', `source kiln.fish; complete -C '${typed}'`], {
        cwd: cli.folder,
        env: cli.env,
      })
      expect(ran.stderr).toBe('')
      return ran.stdout
        .trim()
        .split('\n')
        .map((line) => line.split('\t')[0])
    }
    expect(await complete('kiln co')).toEqual(['completions', 'convert'])
    expect(await complete('kiln convert --no')).toEqual(['--no-clobber'])
    expect(await complete('kiln convert report.md --to doc')).toEqual(['docx'])
    expect(await complete('kiln convert repo')).toContain('report.md')
    expect(await complete('kiln completions z')).toEqual(['zsh'])
  })

  test('zsh', async () => {
    const place = join(cli.folder, 'functions')
    await run('mkdir', ['-p', place])
    await writeFile(join(place, '_kiln'), await script('zsh'))
    const terminal = inTerminal('zsh -f -i', { PS1: 'ready> ' })
    terminal.type(`fpath=(${place} $fpath); autoload -Uz compinit; compinit -u -D; PS1='ready''> '\n`)
    await terminal.until(/ready> /)
    terminal.type('kiln conv\t')
    await terminal.until(/kiln convert /)
    terminal.type('--no-c\t')
    await terminal.until(/--no-clobber/)
    terminal.type(' two\t')
    await terminal.until(/two\\ words\.md/)
    terminal.type('--to doc\t')
    await terminal.until(/--to docx/)
    terminal.close()
    await terminal.ended
  })
})
