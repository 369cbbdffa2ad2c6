import { describe } from 'vitest'
import { createSandbox } from '../../src/sandbox/create-sandbox.ts'
import { separateEngineUser } from './separate-engine-user.ts'
import { sandboxContract } from './sandbox.contract.ts'

const levels = ['bubblewrap', 'landlock'] as const
const manners = ['at once', 'after a wait'] as const

describe.each(levels.flatMap((level) => manners.map((manner) => ({ level, manner }))))(
  '$level, $manner',
  ({ level, manner }) => sandboxContract(async () => createSandbox(level, await separateEngineUser()), manner),
)
