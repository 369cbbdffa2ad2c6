import { expect, test } from 'vitest'
import { fillWithHistory } from '../../../../scripts/screenshots/invented-history.ts'
import { readJobDetails } from '../../src/db/reports/job-list.ts'
import { useDatabase } from '../support/database.ts'

// The pictures of the documentation show a month that a script writes straight into the tables.

const context = useDatabase()

test('the invented history fits the tables as they are', async () => {
  const { connectionString, kysely } = context.database
  const { job } = await fillWithHistory(connectionString)
  const details = await readJobDetails(kysely, job)
  expect(details).toMatchObject({ status: 'done', report: { fonts: [{ font: 'Calibri' }, {}] } })
})
