import { describe } from 'vitest'
import { createSandbox } from '../../src/sandbox/create-sandbox.ts'
import { describeAtLevels } from '../describe-at-levels.ts'
import { sandboxContract } from './sandbox.contract.ts'
import { separateEngineUser } from './separate-engine-user.ts'

describeAtLevels('%s', (level) => {
  const open = async () => createSandbox(level, await separateEngineUser())
  describe('at once', { tags: 'slow' }, () => sandboxContract(open, 'at once'))
  describe('after a wait', () => sandboxContract(open, 'after a wait'))
})
