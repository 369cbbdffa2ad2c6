import { type EngineUser, findEngineUser } from '../../src/sandbox/engine-user.ts'

// The kernel counts processes per user. So a test of that limit needs a user that runs nothing else: other tests that
// end meanwhile would free part of the limit.

const firstUnusedId = 61_000

/** A user that only the calling process uses, where the process may choose one. */
export async function separateEngineUser(): Promise<EngineUser> {
  const user = await findEngineUser()
  const id = firstUnusedId + (process.pid % 1000)
  return user.drop ? { ...user, name: `uid ${id}`, uid: id, gid: id } : user
}
