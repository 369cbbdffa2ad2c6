import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { chooseEngineUser, findEngineUser } from './engine-user.ts'

const passwd = (...lines: string[]) => ['root:x:0:0:root:/root:/bin/bash', ...lines].join('\n')
const nobody = 'nobody:x:65534:65534:nobody:/nonexistent:/usr/sbin/nologin'

describe('as root', () => {
  it('drops to the user made for it, else to nobody', () => {
    const own = chooseEngineUser(
      0,
      0,
      passwd(nobody, 'kiln-engine:x:990:980::/nonexistent:/usr/sbin/nologin'),
    )
    expect(own).toEqual({ name: 'kiln-engine', uid: 990, gid: 980, drop: true })
    expect(chooseEngineUser(0, 0, passwd(nobody))).toMatchObject({ name: 'nobody', uid: 65534, drop: true })
  })

  it('never takes a user with the rights of root', () => {
    expect(() => chooseEngineUser(0, 0, passwd('kiln-engine:x:0:0::/:/bin/sh'))).toThrow('useradd --system')
  })

  it('says how to make one when there is none', () => {
    expect(() => chooseEngineUser(0, 0, passwd())).toThrow('useradd --system')
  })
})

it('keeps an ordinary user', () => {
  expect(chooseEngineUser(1000, 1000, passwd(nobody))).toEqual({
    name: 'uid 1000',
    uid: 1000,
    gid: 1000,
    drop: false,
  })
  const named = chooseEngineUser(990, 980, passwd('kiln:x:990:980::/nonexistent:/usr/sbin/nologin'))
  expect(named).toMatchObject({ name: 'kiln', drop: false })
})

it('reads the file of users', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'kiln-users-'))
  await writeFile(join(folder, 'passwd'), passwd(nobody))
  const user = await findEngineUser(join(folder, 'passwd'))
  expect(user.uid).toBeGreaterThan(0)
  await rm(folder, { recursive: true })
})
