import { describe } from 'vitest'
import { createSandbox } from '../../src/sandbox/create-sandbox.ts'
import { findEngineUser } from '../../src/sandbox/engine-user.ts'
import { sandboxContract } from './sandbox.contract.ts'

const levels = ['bubblewrap', 'landlock'] as const
const manners = ['at once', 'after a wait'] as const

describe.each(levels.flatMap((level) => manners.map((manner) => ({ level, manner }))))(
  '$level, $manner',
  ({ level, manner }) => sandboxContract(async () => createSandbox(level, await findEngineUser()), manner),
)
