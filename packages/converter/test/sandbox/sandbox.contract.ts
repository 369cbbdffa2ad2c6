import type { Sandbox } from '../../src/sandbox/sandbox.ts'
import { type Manner, useContractSandbox } from './contract-sandbox.ts'
import { cpuTimeContract } from './cpu-time.contract.ts'
import { endsContract } from './ends.contract.ts'
import { takesMuchContract } from './takes-much.contract.ts'
import { wantsOutContract } from './wants-out.contract.ts'

// The contract of every level, tested with small programs that misbehave. Each has a mark in its arguments, so that its
// remaining processes can be found on the machine. Everything holds for a sandbox that is started for its document, and
// for a pre-warmed one.

export function sandboxContract(
  open: () => Promise<Sandbox & { close(): Promise<void> }>,
  manner: Manner,
): void {
  const sandbox = useContractSandbox(open, manner)
  endsContract(sandbox)
  cpuTimeContract(sandbox)
  takesMuchContract(sandbox)
  wantsOutContract(sandbox)
}
