import { Client } from 'pg'
import { expect, test } from 'vitest'
import { createFreshDatabase } from './temporary-postgres.ts'

const ask = async (connectionString: string, text: string) => {
  const client = new Client({ connectionString })
  await client.connect()
  try {
    return (await client.query(text)).rows
  } finally {
    await client.end()
  }
}

test('each database is fresh and holds what the template was given once', async () => {
  let prepared = 0
  const options = {
    template: 'support',
    prepare: async (connectionString: string) => {
      prepared += 1
      await ask(connectionString, 'create table kept (n int)')
    },
  }
  const first = await createFreshDatabase(options)
  await ask(first.connectionString, 'insert into kept values (1)')
  const second = await createFreshDatabase(options)
  try {
    expect(await ask(second.connectionString, 'select * from kept')).toEqual([])
    expect(await ask(first.connectionString, 'select * from kept')).toEqual([{ n: 1 }])
    expect(prepared).toBe(1)
  } finally {
    await Promise.all([first.drop(), second.drop()])
  }
})
