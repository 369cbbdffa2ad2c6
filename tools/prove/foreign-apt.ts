import { execFileSync } from 'node:child_process'
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { DebianArchitecture } from './debian-root.ts'

// This machine's apt, for packages of either architecture: it knows no installed package and has its own folder.

export interface Apt {
  /** Gives the archives of these packages and of all that they depend on. */
  fetch(names: readonly string[]): string[]
  /** Gives the archive of a kernel for virtual machines, without what installs kernels. */
  fetchKernel(): string
}

export function openApt(folder: string, architecture: DebianArchitecture, release: string): Apt {
  const keyring = '/usr/share/keyrings/debian-archive-keyring.gpg'
  for (const each of ['etc/apt.conf.d', 'etc/preferences.d', 'state/lists/partial'])
    mkdirSync(join(folder, each), { recursive: true })
  writeFileSync(
    join(folder, 'etc/sources.list'),
    `deb [signed-by=${keyring}] http://deb.debian.org/debian ${release} main\n`,
  )
  writeFileSync(join(folder, 'status'), '')
  const settings = {
    'APT::Architecture': architecture,
    'APT::Architectures': architecture,
    'APT::Sandbox::User': 'root',
    'Dir::State': join(folder, 'state'),
    'Dir::State::status': join(folder, 'status'),
    'Dir::Cache': folder,
    'Dir::Etc': join(folder, 'etc'),
  }
  const lines = Object.entries(settings).map(([name, value]) => `${name} "${value}";\n`)
  writeFileSync(join(folder, 'apt.conf'), lines.join(''))
  let count = 0
  const call = (program: string, args: readonly string[], cwd = folder) =>
    execFileSync(program, args, {
      cwd,
      encoding: 'utf8',
      env: { ...process.env, APT_CONFIG: join(folder, 'apt.conf') },
      stdio: ['ignore', 'pipe', 'inherit'],
    })
  const into = () => {
    count += 1
    const archives = join(folder, `archives-${count}`)
    mkdirSync(join(archives, 'partial'), { recursive: true })
    return archives
  }
  const inside = (archives: string) =>
    readdirSync(archives).flatMap((name) => (name.endsWith('.deb') ? [join(archives, name)] : []))
  call('apt-get', ['-q', 'update'])
  return {
    fetch(names) {
      const archives = into()
      const where = `Dir::Cache::archives=${archives}`
      call('apt-get', ['-qy', '-o', where, 'install', '--download-only', '--no-install-recommends', ...names])
      return inside(archives)
    },
    fetchKernel() {
      const depends = call('apt-cache', ['depends', '--important', `linux-image-cloud-${architecture}`])
      const name = /Depends: (linux-image-\S+)/.exec(depends)?.[1]
      if (!name) throw new Error(`Debian ${release} has no linux-image-cloud-${architecture}.`)
      const archives = into()
      call('apt-get', ['-q', 'download', name], archives)
      return inside(archives)[0] as string
    },
  }
}
