import { expect, test } from 'vitest'
import { parsePasswd } from './passwd.ts'

test('reads users, skips what is no user', () => {
  const text =
    'root:x:0:0:root:/root:/bin/bash\n\n# remark\npostgres:x:101:104:,,,:/var/lib/postgresql:/bin/bash\n'
  expect(parsePasswd(text)).toEqual([
    { name: 'root', uid: 0, gid: 0 },
    { name: 'postgres', uid: 101, gid: 104 },
  ])
})
