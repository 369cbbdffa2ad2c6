import { describe } from 'vitest'
import { createBubblewrapSandbox } from '../../src/sandbox/bubblewrap.ts'
import { findEngineUser } from '../../src/sandbox/engine-user.ts'
import { createLandlockSandbox } from '../../src/sandbox/landlock.ts'
import { sandboxContract } from '../../src/sandbox/sandbox.contract.ts'

describe('bubblewrap', () => sandboxContract(async () => createBubblewrapSandbox(await findEngineUser())))
describe('landlock', () => sandboxContract(async () => createLandlockSandbox(await findEngineUser())))
