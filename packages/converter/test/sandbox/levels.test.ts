import { describe } from 'vitest'
import { createSandbox } from '../../src/sandbox/create-sandbox.ts'
import { sandboxContract } from './sandbox.contract.ts'
import { separateEngineUser } from './separate-engine-user.ts'

const levels = ['bubblewrap', 'landlock'] as const
const manners = ['at once', 'after a wait'] as const

describe.each(levels.flatMap((level) => manners.map((manner) => ({ level, manner }))))(
  '$level, $manner',
  ({ level, manner }) =>
    sandboxContract(async () => createSandbox(level, await separateEngineUser()), manner),
)
