import { describe } from 'vitest'
import { createSandbox } from '../../src/sandbox/create-sandbox.ts'
import { findEngineUser } from '../../src/sandbox/engine-user.ts'
import { sandboxContract } from './sandbox.contract.ts'

describe.each(['bubblewrap', 'landlock'] as const)('%s', (level) =>
  sandboxContract(async () => createSandbox(level, await findEngineUser())),
)
