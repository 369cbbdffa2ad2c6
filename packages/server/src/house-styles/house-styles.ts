import type { faultOfStyle, StyleFiles } from '@kiln/converter/house-style'
import { findAccount } from '../db/accounts.ts'
import type { Database } from '../db/connect.ts'
import { findStyle, putStyle, removeStyle } from '../db/house-styles.ts'
import { refused } from '../errors.ts'

// The operator's operations on the house style of an account. It is validated when it is set, so that no job fails
// because of it.

export function createHouseStyles({ kysely: db }: Pick<Database, 'kysely'>, faultOf: typeof faultOfStyle) {
  return {
    find: (accountId: string) => findStyle(db, accountId),
    /** Sets the given files; jobs that start from now on use them. */
    async set(accountId: string, { css, reference }: StyleFiles) {
      const fault = await faultOf({ ...(css ? { css } : {}), ...(reference ? { reference } : {}) })
      if (fault !== undefined) throw refused('bad-request', fault)
      if (!(await findAccount(db, accountId))) throw refused('not-found', `There is no account ${accountId}.`)
      await putStyle(db, accountId, {
        css: css ? Buffer.from(css).toString('utf8') : null,
        reference: reference ? Buffer.from(reference) : null,
      })
      const set = await findStyle(db, accountId)
      if (!set) throw refused('not-found', 'The house style was removed meanwhile.')
      return set
    },
    async remove(accountId: string, parts: readonly (keyof StyleFiles)[]): Promise<void> {
      const removed = { css: parts.includes('css'), reference: parts.includes('reference') }
      if (!(await removeStyle(db, accountId, removed)))
        throw refused('not-found', 'This account has no such house style.')
    },
  }
}

export type HouseStyles = ReturnType<typeof createHouseStyles>
